/**
 * The help of every command, and the shipped example.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { taraDefaults } from '../../src/advantage/options.js'
import { estimatorFlags } from '../../src/cli/estimator-flags.js'
import { kebab } from '../../src/cli/flag.js'
import { creditFlags, policyFlags, readFlags } from '../../src/cli/flags.js'
import { rowsOf, run, runShell, workFolder } from './run.js'

const { path } = workFolder()

describe('--help', () => {
  it.each([
    'advantages',
    'explain',
    'compare',
    'report',
    'estimators',
    'demo',
    'synth',
    'synth tasks',
    'synth rollouts',
    'synth check',
  ])('of %s shows its use, its defaults and one example', async (command) => {
    const { code, stdout, stderr } = await runShell(`COLUMNS=1000 tara ${command} --help`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: tara ${command} `))
    expect(stdout.match(/^Example:\n {2}\$ tara .+$/gm)).toEqual([
      expect.stringMatching(new RegExp(`\\$ tara ${command}( |$)`)),
    ])
    const whole = stdout.replace(/\n {10,}/g, ' ') // long lines are wrapped
    if (command !== 'estimators' && command !== 'synth') expect(whole).toContain('(default: ')
    if (command === 'demo' || command === 'estimators' || command.startsWith('synth')) return
    for (const { name, shown } of [...estimatorFlags, ...policyFlags, ...creditFlags, ...readFlags]) {
      if (
        (command === 'explain' || command === 'report') &&
        !Object.hasOwn(taraDefaults, name) &&
        estimatorFlags.some((flag) => flag.name === name)
      )
        continue
      const line = whole.split('\n').find((text) => `${text.trim()} `.startsWith(`--${kebab(name)} `))
      expect(line, name).toBeDefined()
      if (shown !== undefined) expect(line).toContain(`(default: ${String(shown)})`)
    }
  })

  it('of the program names its commands and exit codes', async () => {
    const { stdout } = await run(['--help'])
    for (const word of [
      'advantages',
      'explain',
      'compare',
      'report',
      'estimators',
      'demo',
      'synth',
      'Exit codes: 0 done',
      'Example:',
    ])
      expect(stdout).toContain(word)
  })
})

describe('tara demo', () => {
  it('writes its records and their advantages, and shows both as a table', async () => {
    const folder = path('demo')
    const { code, stdout, stderr } = await run(['demo', '-o', folder])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.replaceAll(folder, 'DEMO')).toMatchInlineSnapshot(`
      "One task of three turns, four rollouts.

      rollout  rewards  TARA turn 0  TARA turn 1  TARA turn 2  GRPO, every turn
      0          1 1 1       +1.248       +1.077       +0.577            +1.732
      1          1 0 1       +0.354       -2.232       +0.577            -0.577
      2          0 1 1       -2.403       +1.077       +0.577            -0.577
      3          1 1 0       +0.801       +0.077       -1.732            -0.577

      Rollout 1 fails only turn 1: TARA blames turn 1 and keeps turn 0 and 2 positive; GRPO blames all three.
      Rollout 2 fails turn 0 and recovers: nothing later pays for turn 0.

      Wrote DEMO/rollouts.jsonl and DEMO/advantages.jsonl.
      Open DEMO/report.html in a browser to see them.
      Next: tara explain DEMO/rollouts.jsonl --group trip-to-oslo --rollout 1 --turn 0
      "
    `)

    const again = await run(['advantages', `${folder}/rollouts.jsonl`, '--tokens'])
    expect(again.stdout).toBe(readFileSync(`${folder}/advantages.jsonl`, 'utf8'))
    // The example is worked out in the specification: rollout 2 fails turn 0 and recovers.
    const advantages = rowsOf(again.stdout).map((row) => row.advantages as number[])
    const worked = [
      [1.248168129111, 1.077347935861, 0.577348935859],
      [0.353742538109, -2.23204580758, 0.577348935859],
      [-2.40286600083, 1.077347935861, 0.577348935859],
      [0.80095533361, 0.077349935857, -1.732046807578],
    ]
    advantages.forEach((row, i) => {
      row.forEach((value, t) => {
        expect(value).toBeCloseTo(worked[i]![t]!, 10)
      })
    })

    const next = /^Next: tara (.+)$/m.exec(stdout)![1]!
    expect((await runShell(`tara ${next}`)).code).toBe(0)
  })

  it('says where it cannot write', async () => {
    expect(await run(['demo', '-o', '/dev/null/demo'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'tara: cannot write /dev/null/demo: part of the path is not a folder (ENOTDIR)\n',
    })
    expect((await run(['demo', '-o', path('demo/rollouts.jsonl')])).stderr).toMatch(
      /there is a file of that name \(EEXIST\)\n$/,
    )
  })
})
