/**
 * What the command line reads, and what it says where it cannot.
 */
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inProcess } from './inProcess.js'
import { rowsOf, run, runShell, smallLog, workFolder } from './run.js'

const { path, write } = workFolder()
const log = write('log.jsonl', smallLog)

async function groupsIn(data: string | Uint8Array, ...flags: string[]): Promise<unknown[]> {
  const { stdout, message } = await inProcess('advantages', write('given.jsonl', data), ...flags)
  expect(message).toBe('')
  return rowsOf(stdout).map(({ rollout }) => rollout)
}

const refused = async (data: string | Uint8Array, ...flags: string[]): Promise<string> =>
  (await inProcess('advantages', write('given.jsonl', data), ...flags)).message.replace(`${path('')}/`, '')

describe('an input that cannot be read', () => {
  it.each<[string, string, string]>([
    ['is missing', 'missing.jsonl', 'no such file or folder (ENOENT)'],
    ['is a folder', '', 'it is a folder (EISDIR)'],
    ['is a broken link', 'broken', 'no such file or folder (ENOENT)'],
    ['is a link to itself', 'loop', 'too many links (ELOOP)'],
    ['lies below a file', 'log.jsonl/x', 'part of the path is not a folder (ENOTDIR)'],
    ['cannot give its bytes', '/proc/self/mem', 'input/output error (EIO)'],
  ])('%s: exit 2 with its name, nothing on stdout', async (_name, file, reason) => {
    rmSync(path('broken'), { force: true })
    rmSync(path('loop'), { force: true })
    symlinkSync('nowhere', path('broken'))
    symlinkSync('loop', path('loop'))
    const name = file.startsWith('/') ? file : path(file)
    for (const args of [
      ['advantages', name],
      ['explain', name, '--group', 'g', '--rollout', '0', '--turn', '0'],
      ['advantages', log, '--golden', name],
    ]) {
      const done = await inProcess(args[0] as 'advantages', ...args.slice(1))
      expect(done).toMatchObject({ fault: 'usage', message: `cannot read ${name}: ${reason}`, stdout: '' })
    }
  })

  it('ends the program with 2, and stdin is no exception', async () => {
    const missing = await run(['advantages', 'missing.jsonl'])
    expect(missing).toMatchObject({ code: 2, stdout: '' })
    expect(missing.stderr).toBe('tara: cannot read missing.jsonl: no such file or folder (ENOENT)\n')
    const done = await runShell(
      'tara advantages - <"$1"; echo "$?"; tara advantages - </proc/self/mem; echo "$?"',
      [path('')],
    )
    expect(done.stdout).toBe('2\n2\n')
    expect(done.stderr).toBe(
      'tara: cannot read stdin: it is a folder (EISDIR)\ntara: cannot read stdin: input/output error (EIO)\n',
    )
    expect(await run(['advantages', '-', '--golden', '-'], smallLog)).toMatchObject({
      code: 2,
      stderr: 'tara: stdin cannot be both the log and the golden traces\n',
    })
  })
})

describe('an input without records', () => {
  it.each(['', '\n', '\ufeff', ' \r\n\t\n'])('%j is bad data', async (text) => {
    expect(await refused(text)).toBe('given.jsonl: expected at least one record, got none')
  })

  it('ends the program with 1', async () => {
    expect(await run(['advantages', '-'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'tara: stdin: expected at least one record, got none\n',
    })
  })
})

describe('bytes that are not as most', () => {
  const [first, second] = smallLog.trim().split('\n') as [string, string]

  it.each([
    ['a byte-order mark', `\ufeff${smallLog}`],
    ['CRLF', `${first}\r\n${second}\r\n`],
    ['blank lines', `\n \n${first}\n\t\r\n\n${second}\n\n`],
    ['no final newline', smallLog.trim()],
    ['U+2028 in a string', smallLog.replaceAll('"g"', '"a\u2028b\u2029c\u0085d"')],
    ['gzip', gzipSync(smallLog)],
    ['gzip of several members', Buffer.concat([gzipSync(`${first}\n`), gzipSync(''), gzipSync(second)])],
    [
      'gzip of members that part a line',
      Buffer.concat([gzipSync(smallLog.slice(0, 9)), gzipSync(smallLog.slice(9))]),
    ],
    ['gzip with zeros behind it', Buffer.concat([gzipSync(smallLog), Buffer.alloc(3e6)])],
    ['gzip of text with a byte-order mark', gzipSync(`\ufeff${smallLog}`)],
  ])('are read: %s', async (_name, data) => {
    expect(await groupsIn(data)).toEqual([0, 1])
  })

  it('do not move line numbers', async () => {
    expect(await refused(`\ufeff\r\n\n${first}\r\n \n{`)).toMatch(/^given\.jsonl:5: expected JSON .+, got /)
  })

  it('are refused where they are no UTF-8', async () => {
    const latin = Buffer.concat([
      Buffer.from(`${first}\n{"group":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}\n'),
    ])
    expect(await refused(latin)).toBe('given.jsonl:2: expected UTF-8, got bytes that are not')
    expect(await refused(Buffer.from(smallLog, 'utf16le'))).toMatch(/^given\.jsonl:1: expected /)
  })

  it('are refused where gzip is cut off, damaged or followed by something else', async () => {
    const whole = gzipSync(smallLog)
    const message = /^given\.jsonl: expected a whole gzip stream, got: .+$/
    for (const length of [3, 12, whole.length - 9, whole.length - 1])
      expect(await refused(whole.subarray(0, length)), `${length}`).toMatch(message)
    const damaged = Buffer.from(whole)
    damaged[damaged.length - 6]! ^= 1
    expect(await refused(damaged)).toMatch(message)
    expect(await refused(Buffer.concat([whole, Buffer.from([0x1f, 0x8b, 1])]))).toMatch(message)
    for (const behind of ['x', 'junk', '\n', '\0junk', `${'\0'.repeat(3e6)}x`])
      expect(await refused(Buffer.concat([whole, Buffer.from(behind)])), behind.slice(0, 9)).toMatch(message)
  })

  it('end the program with 1 where gzip is cut off', async () => {
    const done = await run(['advantages', '-'], gzipSync(smallLog).subarray(0, 20))
    expect(done).toMatchObject({ code: 1, stdout: '' })
    expect(done.stderr).toMatch(/^tara: stdin: expected a whole gzip stream, got: .+\n$/)
  })
})

describe('a line over the cap', () => {
  it('is refused with its number, in plain text and in gzip', async () => {
    const message = 'given.jsonl:2: expected a line of at most 60 bytes, got a longer one'
    const long = `${smallLog.split('\n')[0]}\n{"group":"${'x'.repeat(100)}"}\n`
    expect(await refused(long, '--max-line', '60')).toBe(message)
    expect(await refused(gzipSync(long), '--max-line', '60')).toBe(message)
  })

  it('of 520 MB ends the program with 1, not with a crash', async () => {
    const file = write('huge.jsonl', '')
    truncateSync(file, 545259520)
    expect(await run(['advantages', file])).toMatchObject({
      code: 1,
      signal: null,
      stdout: '',
      stderr: `tara: ${file}:1: expected a line of at most 67108864 bytes, got a longer one\n`,
    })
    const gzip = await runShell('gzip -1 -c "$1" | tara advantages -; echo "$?"', [file])
    expect(gzip.stdout).toBe('1\n')
    expect(gzip.stderr).toBe('tara: stdin:1: expected a line of at most 67108864 bytes, got a longer one\n')
    rmSync(file)
  })

  it('may be raised up to what one string can hold', async () => {
    for (const bytes of ['0', '-1', '1.5', '536870889', '1e12', 'NaN'])
      expect((await inProcess('advantages', log, '--max-line', bytes)).fault, bytes).toBe('usage')
    expect(await groupsIn(smallLog, '--max-line', '536870888')).toEqual([0, 1])
  })
})

describe('a file over 600 MB', () => {
  it('is read line by line', async () => {
    const file = path('large.jsonl')
    const handle = openSync(file, 'w')
    const pad = 'x'.repeat(1 << 20)
    for (let k = 0; k < 610; k++)
      writeSync(handle, `{"group":${k >> 1},"pad":"${pad}","rollout":${k & 1},"rewards":[${k & 1}]}\n`)
    closeSync(handle)
    const done = await run(['advantages', file])
    rmSync(file)
    expect(done.code, done.stderr).toBe(0)
    const rows = rowsOf(done.stdout)
    expect(rows).toHaveLength(610)
    expect(rows.every(({ group, rollout }, k) => group === k >> 1 && rollout === (k & 1))).toBe(true)
    expect(done.stderr).toContain('305 groups, 610 rollouts')
  })
})

describe('stdin and pipes', () => {
  it('are inputs like files', async () => {
    const expected = (await inProcess('advantages', log)).stdout
    expect((await run(['advantages', '-'], smallLog)).stdout).toBe(expected)
    expect((await run(['advantages', '-'], gzipSync(smallLog))).stdout).toBe(expected)
    const { stdout } = await runShell(
      'cat "$1" | tara advantages -q -; tara advantages -q <(cat "$1"); tara advantages -q - <"$1"',
      [log],
    )
    expect(stdout).toBe(expected.repeat(3))
  })

  it('join golden traces from a file', async () => {
    const tasks = write('tasks.jsonl', '{"group":"g","golden":[[{"name":"f"}]],"note":1}\n')
    const records = [0, 1].map((k) => `{"group":"g","rollout":${k},"messages":[{"role":"user"}]}\n`).join('')
    const done = await run(['advantages', '-', '--golden', tasks], records)
    expect(done.code, done.stderr).toBe(0)
    expect(rowsOf(done.stdout).map(({ rewards }) => rewards)).toEqual([[0], [0]])
    expect(done.stderr).toContain(`warning: ${tasks}:1: field "note" is not read\n`)
    expect(
      (await inProcess('advantages', write('records.jsonl', records), '--golden', tasks, '--strict')).message,
    ).toBe(`${tasks}:1: note: expected a field of a task, got a field nobody reads`)
  })
})

describe('what is said about an input', () => {
  it('names the file as it was given', async () => {
    mkdirSync(path('sub'))
    linkSync(log, path('sub/name.jsonl'))
    const done = await runShell('cd "$1" && printf "{}" >bad.jsonl && tara advantages ./sub/../bad.jsonl', [
      path(''),
    ])
    expect(done).toMatchObject({
      code: 1,
      stderr: 'tara: ./sub/../bad.jsonl:1: group: expected text or a safe integer, got undefined\n',
    })
  })

  it('keeps control characters of a log away from the terminal', async () => {
    const name = 'a\u001b[31m\u0007\u009b\u202e'
    const bad = [
      `{"group":"g","rollout":0,"rewards":{${JSON.stringify(name)}:["x"]}}`,
      JSON.stringify({ group: 'g', rollout: 0, [name]: 1, rewards: [1] }),
    ]
    for (const text of bad) {
      const { stderr } = await run(['advantages', '-'], text)
      expect(stderr).toMatch(/a\\u001b\[31m\\u0007\\u009b\\u202e/)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it('counts only aborted rollouts with zeros and a warning, and one group of one rollout too', async () => {
    const aborted = await run(['advantages', '-'], smallLog.replaceAll('"g"', '"g","status":"aborted"'))
    expect(aborted.code).toBe(0)
    expect(rowsOf(aborted.stdout).map(({ advantages }) => advantages)).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(aborted.stderr).toMatch(/^warning: stdin: all rollouts are aborted; their advantages are 0\n/)
    const single = await run(['advantages', '-', '-q'], smallLog.split('\n')[0]!)
    expect(single.code).toBe(0)
    expect(single.stderr).toBe('warning: stdin: 1 of 1 groups have one rollout; their advantages are 0\n')
  })
})
