/**
 * What the command line writes: a regular file whole or not at all, everything else written through.
 */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inProcess } from './inProcess.js'
import { rowsOf, runShell, smallLog, workFolder } from './run.js'

const { path, write } = workFolder()
const log = write('log.jsonl', smallLog)
const expected = (await inProcess('advantages', log)).stdout

/** A log whose output is far larger than a pipe holds. */
const manyRows = Array.from(
  { length: 4000 },
  (_, k) => `{"group":${k >> 2},"rollout":${k & 3},"rewards":[${k & 1},1,${(k >> 1) & 1}]}\n`,
)
const many = write('many.jsonl', manyRows.join(''))

/** Runs in process with `-o`; returns what went wrong. */
const writeTo = async (file: string, ...flags: string[]): Promise<string> =>
  (await inProcess('advantages', log, '-o', file, ...flags)).message

/** A new folder, for what lies in it afterwards. */
let folders = 0
function folder(): string {
  const made = path(`folder-${folders++}`)
  mkdirSync(made)
  return made
}

describe('an output file', () => {
  it('has what stdout would have, and nothing is left beside it', async () => {
    const here = folder()
    expect(await writeTo(join(here, 'out.jsonl'))).toBe('')
    expect(readFileSync(join(here, 'out.jsonl'), 'utf8')).toBe(expected)
    expect(readdirSync(here)).toEqual(['out.jsonl'])
  })

  it('replaces an old one and keeps its mode', async () => {
    const file = write('old.jsonl', 'old')
    for (const mode of [0o600, 0o640, 0o444]) {
      chmodSync(file, mode)
      expect(await writeTo(file)).toBe('')
      expect(statSync(file).mode & 0o7777).toBe(mode)
    }
    expect(readFileSync(file, 'utf8')).toBe(expected)
  })

  it('may have the longest name that the file system takes', async () => {
    for (const name of ['x'.repeat(255), 'é'.repeat(127), '𝄞'.repeat(63)]) {
      const here = folder()
      expect(await writeTo(join(here, name))).toBe('')
      expect(readdirSync(here)).toEqual([name])
    }
  })

  it('behind a link is replaced, and the link stays', async () => {
    const here = folder()
    symlinkSync('target.jsonl', join(here, 'dangling'))
    symlinkSync('dangling', join(here, 'twice'))
    expect(await writeTo(join(here, 'twice'))).toBe('')
    expect(readlinkSync(join(here, 'twice'))).toBe('dangling')
    expect(lstatSync(join(here, 'target.jsonl')).isFile()).toBe(true)
    expect(readFileSync(join(here, 'target.jsonl'), 'utf8')).toBe(expected)
    expect(await writeTo(join(here, 'dangling'), '--gamma', '0')).toBe('')
    expect(readdirSync(here).sort()).toEqual(['dangling', 'target.jsonl', 'twice'])
  })

  it.each<[string, string, string]>([
    ['its folder is missing', 'nowhere/out', 'no such file or folder (ENOENT)'],
    ['it is a folder', '', 'it is a folder (EISDIR)'],
    ['its folder is a file', 'log.jsonl/out', 'part of the path is not a folder (ENOTDIR)'],
    ['it is a link to itself', 'loop', 'too many links (ELOOP)'],
    ['it is a link into nowhere', 'lost', 'no such file or folder (ENOENT)'],
    ['its name is too long', 'x'.repeat(256), 'the name is too long (ENAMETOOLONG)'],
  ])('is refused where %s', async (_name, name, reason) => {
    if (name === 'loop') symlinkSync('loop', path('loop'))
    if (name === 'lost') symlinkSync('nowhere/out', path('lost'))
    const done = await inProcess('advantages', log, '-o', path(name))
    expect(done).toMatchObject({ fault: 'usage', message: `cannot write ${path(name)}: ${reason}` })
  })

  it('is not touched where the data are bad', async () => {
    const here = folder()
    const file = write(`${here.slice(path('').length)}/out`, 'old')
    for (const bad of ['{', '{"group":"g","rollout":0,"rewards":[2]}', smallLog.replace('[0,1]', '[0,2.5]')])
      expect((await inProcess('advantages', write('bad.jsonl', bad), '-o', file)).fault).toBe('data')
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(readdirSync(here)).toEqual(['out'])
  })
})

describe('the input', () => {
  it('is never written over: by path, link, hard link or as the golden file', async () => {
    symlinkSync(log, path('link'))
    linkSync(log, path('hard'))
    const tasks = write('tasks.jsonl', '{"group":"g","golden":[[],[]]}\n')
    const unchanged = readFileSync(log, 'utf8')
    for (const file of [log, join(path('.'), 'folder-0/../log.jsonl'), path('link'), path('hard')])
      expect(await writeTo(file), file).toBe(`cannot write ${file}: it is the input ${log}`)
    expect(await writeTo(tasks, '--golden', tasks)).toBe(`cannot write ${tasks}: it is the input ${tasks}`)
    const defaults = write('defaults.json', '{}')
    expect(await writeTo(defaults, '--defaults', defaults)).toBe(
      `cannot write ${defaults}: it is the input ${defaults}`,
    )
    expect(readFileSync(log, 'utf8')).toBe(unchanged)
    expect(readFileSync(tasks, 'utf8')).toContain('golden')
  })

  it('is never written over as stdin or stdout', async () => {
    const file = write('own.jsonl', smallLog)
    const done = await runShell(
      'tara advantages - -o "$1" <"$1"; echo "$?"; tara advantages "$1" 1<>"$1"; echo "$?" ; tara advantages - >>"$1" <"$1"; echo "$?"',
      [file],
    )
    expect(done.stdout).toBe('2\n2\n2\n')
    expect(done.stderr).toBe(
      `tara: cannot write ${file}: it is the input stdin\ntara: cannot write stdout: it is the input ${file}\ntara: cannot write stdout: it is the input stdin\n`,
    )
    expect(readFileSync(file, 'utf8')).toBe(smallLog)
  })
})

describe('devices and pipes', () => {
  it('are written through', async () => {
    const here = folder()
    const done = await runShell(
      `cd "$2" && tara advantages -q "$1" -o /dev/null; echo "$?"; ln -s /dev/null null && tara advantages -q "$1" -o null; echo "$?"
       tara advantages -q "$1" -o /dev/stdout | cat; mkfifo pipe; cat pipe & tara advantages -q "$1" -o pipe; echo "$?"; wait`,
      [log, here],
    )
    expect(done.stdout.startsWith('0\n0\n')).toBe(true)
    expect(rowsOf(done.stdout.replace(/^\d$/gm, ''))).toHaveLength(4)
    expect(readdirSync(here).sort()).toEqual(['null', 'pipe'])
    expect(done.stderr).toBe('')
  })

  it('whose reader goes away end the run quietly with 0', async () => {
    const done = await runShell(
      `tara advantages -q "$1" | head -c 10 >/dev/null; echo "\${PIPESTATUS[0]}"
       mkfifo "$2"; head -c 10 "$2" >/dev/null & tara advantages -q "$1" -o "$2"; echo "$?"; wait
       tara advantages "$1" 2>&1 >/dev/null | true; echo "\${PIPESTATUS[0]}"`,
      [many, path('pipe')],
    )
    expect(done).toMatchObject({ stdout: '0\n0\n0\n', stderr: '' })
  })

  it('that are full are reported with 2', async () => {
    const done = await runShell(
      `tara advantages -q "$1" -o /dev/full; echo "$?"; { tara advantages -q "$1" >/dev/full; } ; echo "$?"
       tara explain "$1" --group g --rollout 0 --turn 0 >/dev/full; echo "$?"; tara advantages -q "$1" -o /dev/null 2>/dev/full; echo "$?"`,
      [log],
    )
    expect(done.stdout).toBe('2\n2\n2\n0\n')
    expect(done.stderr).toBe(
      `tara: cannot write /dev/full: no space left on the device (ENOSPC)\n${'tara: cannot write stdout: no space left on the device (ENOSPC)\n'.repeat(2)}`,
    )
  })
})

describe('a limit of the file size', () => {
  it('is reported with 2; the old file stays and nothing is left beside it', async () => {
    const here = folder()
    const done = await runShell(
      `cd "$2" && echo old >out && (ulimit -f 1; tara advantages -q "$1" -o out); echo "$?"; cat out
       (ulimit -f 1; tara advantages -q "$1" >plain); echo "$?"`,
      [many, here],
    )
    expect(done.stdout).toBe('2\nold\n2\n')
    expect(done.stderr).toBe(
      'tara: cannot write out: the file would be larger than allowed (EFBIG)\ntara: cannot write stdout: the file would be larger than allowed (EFBIG)\n',
    )
    expect(readdirSync(here).sort()).toEqual(['out', 'plain'])
  })
})

describe('rows', () => {
  it('read back to the same numbers, also real ones', async () => {
    const values = [0.1, 1 / 3, 1e-300, 5e-324, 1e21, 123456789.12345679, -2.5]
    const lines = [0, 1].map((rollout) =>
      JSON.stringify({ group: 'g', rollout, rewards: values.map((value) => value * (rollout + 1)) }),
    )
    const file = write('real.jsonl', lines.join('\n'))
    const { stdout, message } = await inProcess('advantages', file, '--real-rewards', '--gate', 'none')
    expect(message).toBe('')
    expect(rowsOf(stdout).map(({ rewards }) => rewards)).toEqual([values, values.map((value) => value * 2)])
    expect(stdout).not.toMatch(/-0[,\]]|NaN|Infinity|null/)
  })

  it('write lone surrogates in ids as escapes, so that the bytes are UTF-8 and the id comes back', async () => {
    const file = write('ids.jsonl', '{"group":"\\ud800x","rollout":"\\udfff","role":"\\ud83d","rewards":[1]}')
    const here = path('ids.out')
    expect((await inProcess('advantages', file, '-o', here)).message).toBe('')
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(here))
    expect(text).toMatch(/^\{"group":"\\ud800x","rollout":"\\udfff","role":"\\ud83d",/)
    expect(rowsOf(text)[0]).toMatchObject({ group: '\ud800x', rollout: '\udfff' })
  })

  it('have these fields in this order', async () => {
    expect(expected.split('\n')[0]).toBe(
      '{"group":"g","rollout":0,"status":"complete","rewards":[1,0],"reached":[1,1],"local":[0.999998000004,-0.999998000004],"future":[0,0],"advantages":[0.999998000004,-0.999998000004]}',
    )
    const grpo = await inProcess('advantages', log, '--estimator', 'grpo', '--reward', 'mean')
    expect(Object.keys(rowsOf(grpo.stdout)[0]!)).toEqual([
      'group',
      'rollout',
      'status',
      'rewards',
      'reached',
      'advantages',
    ])
  })
})
