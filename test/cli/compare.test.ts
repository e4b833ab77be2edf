/**
 * `tara compare`.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { run, smallLog, workFolder } from './run.js'

const { write } = workFolder()

const rows = (rewards: readonly number[][], group = 'g'): string =>
  rewards.map((row, rollout) => `${JSON.stringify({ group, rollout, rewards: row })}\n`).join('')

const log = write(
  'log.jsonl',
  rows([
    [1, 1, 1],
    [1, 0, 1],
    [0, 1, 1],
    [1, 1, 0],
  ]),
)
const two = write('two.jsonl', rows([[1], [0]], 'a') + rows([[1], [1]], 'b'))

describe('tara compare', () => {
  it('sets TARA beside GRPO as a table', async () => {
    const { code, stdout, stderr } = await run(['compare', log])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatchInlineSnapshot(`
      "groups 1, turns 3, turns of rollouts 12

            silent groups  silent turns  r = 1, A < 0  r = 0, A > 0  variance
      tara              0             0          0.0%          0.0%     1.617
      grpo              0             0         66.7%          0.0%         1

      against tara    grpo
      correlation   0.4393
      same sign      50.0%
        turn 0       50.0%
        turn 1       50.0%
        turn 2       50.0%
      "
    `)
  })

  it('writes the whole comparison as JSON', async () => {
    const { code, stdout } = await run(['compare', log, '--json'])
    expect(code).toBe(0)
    expect(stdout.endsWith('}\n')).toBe(true)
    expect(JSON.parse(stdout)).toMatchObject({
      groups: 1,
      turns: 3,
      votes: 12,
      reference: 'tara',
      estimators: [
        { name: 'tara', silentGroups: 0, silentTurns: 0, correct: 9, correctNegative: 0 },
        { name: 'grpo', correct: 9, correctNegative: 6, failed: 3, failedPositive: 0 },
      ],
      pairs: [{ name: 'grpo', votes: 12, sameSign: 6 }],
    })
  })

  it('takes the first estimator as the reference, and one alone', async () => {
    const order = JSON.parse((await run(['compare', log, '--json', '--estimators', 'grpo, tara'])).stdout)
    expect(order).toMatchObject({ reference: 'grpo', pairs: [{ name: 'tara' }] })
    const alone = await run(['compare', log, '--estimators', 'tara'])
    expect(alone.code).toBe(0)
    expect(alone.stdout).not.toContain('against')
  })

  it('gives a flag to the estimators that have it', async () => {
    const variances = async (...flags: string[]): Promise<(number | undefined)[]> => {
      const { stdout } = await run(['compare', log, '--json', ...flags])
      const { estimators } = JSON.parse(stdout) as { estimators: { variance?: number }[] }
      return estimators.map(({ variance }) => variance)
    }
    const [tara, grpo] = await variances()
    const [local, same] = await variances('--lambda', '0')
    expect(same).toBe(grpo)
    expect(local).not.toBe(tara)
    const [kept, mean] = await variances('--reward', 'mean')
    expect(kept).toBe(tara)
    expect(mean).not.toBe(grpo)
  })

  it('refuses a flag that none of them has, wrong values and names', async () => {
    for (const [flags, message] of [
      [['--estimators', 'grpo', '--lambda', '0'], '--lambda is not an option of the estimator grpo'],
      [['--lambda', '2'], 'tara: estimator tara: --lambda: expected a number in [0, 1]'],
      [['--estimators', 'tara,gpro'], '--estimators: expected some of tara, grpo'],
      [['--estimators', 'tara,tara'], '--estimators: tara stands there twice'],
      [['--mean-reward', '0.5'], 'expected MIN..MAX, as in 0.1..0.9'],
    ] as const) {
      const { code, stdout, stderr } = await run(['compare', log, ...flags])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain(message)
    }
  })

  it('says which estimator cannot serve the rewards', async () => {
    const real = write(
      'real.jsonl',
      rows([
        [1e200, 1e200],
        [0, 1],
      ]),
    )
    const found = await run(['compare', real, '--real-rewards', '--gate', 'none'])
    expect(found).toMatchObject({ code: 1, stdout: '' })
    expect(found.stderr).toMatch(/^tara: estimator grpo: --reward: expected rewards whose product/)
    const beyond = await run(['compare', write('beyond.jsonl', rows([[2], [0]])), '--real-rewards'])
    expect(beyond.code).toBe(1)
    expect(beyond.stderr).toContain('beyond.jsonl:1: rewards[0]: expected a number in [0, 1], as the gate is')
  })

  it('says what an estimator needs that the log has not', async () => {
    for (const [name, message] of [
      ['mt-grpo', 'tara: estimator mt-grpo: mtGrpo: batch.outcome: expected a score of each rollout'],
      ['gdpo', 'tara: estimator gdpo: gdpo: batch.columns: expected named rewards'],
      ['gigpo', 'tara: estimator gigpo: --states: expected the state that each turn started from'],
      ['opo', `tara: estimator opo needs token spans: ${log}:1: tokens: expected token spans, got undefined`],
    ] as const) {
      const { code, stdout, stderr } = await run(['compare', log, '--estimators', `tara,${name}`])
      expect({ code, stdout }, name).toEqual({ code: 1, stdout: '' })
      expect(stderr.startsWith(message), stderr).toBe(true)
    }
  })

  it('gives tokens and outcomes to the estimators that need them', async () => {
    const lines = [
      { outcome: 1, rewards: [1], length: 3 },
      { outcome: 0, rewards: [0], length: 1 },
      { outcome: 0, rewards: [0], length: 1 },
    ].map(({ outcome, rewards, length }, rollout) =>
      JSON.stringify({ group: 'g', rollout, rewards, outcome, tokens: { length, turns: [[[0, length]]] } }),
    )
    const { stdout } = await run(
      ['compare', '-', '--json', '--estimators', 'opo,mt-grpo,grpo:openrlhf', '--truncated', 'mask'],
      lines.join('\n'),
    )
    const { estimators } = JSON.parse(stdout) as { estimators: { name: string; mean: number }[] }
    expect(estimators.map(({ name }) => name)).toEqual(['opo', 'mt-grpo', 'grpo:openrlhf'])
    // OPO's baseline is the mean over tokens, 3/5: A = 2/5, −3/5, −3/5.
    expect(estimators[0]!.mean).toBeCloseTo(-0.8 / 3, 12)
  })

  it('leaves out what the filters drop, and says so', async () => {
    const { stdout, stderr } = await run(['compare', two, '--drop-flat'])
    expect(stdout).toMatch(/^groups 1, turns 1, turns of rollouts 2\n/)
    expect(stderr).toBe('kept 2 rollouts of 1 group\ndropped by --drop-flat: 2 rollouts, 1 whole group\n')
    expect((await run(['compare', two, '--drop-flat', '-q'])).stderr).toBe('')
  })

  it('reads stdin, and stands a log of which nothing is left', async () => {
    expect(await run(['compare', '-'], smallLog)).toMatchObject({ code: 0 })
    const { code, stdout } = await run(['compare', two, '--min-group-size', '9'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^groups 0, turns 0, turns of rollouts 0\n/)
    expect(stdout).not.toMatch(/NaN|undefined/)
  })
})

const sample = fileURLToPath(new URL('../../../shared/data/bfcl_sample.jsonl', import.meta.url))
const isHere = existsSync(sample)

describe.skipIf(!isHere)(`a sample log${isHere ? '' : ' (skipped: no shared data here)'}`, () => {
  it('shows that GRPO blames more right turns than TARA, and neither praises a wrong one', async () => {
    const { estimators, votes } = JSON.parse((await run(['compare', sample, '--json'])).stdout) as {
      votes: number
      estimators: { correct: number; correctNegative: number; failedPositive: number }[]
    }
    expect(votes).toBe(1675)
    expect(estimators[0]!.correctNegative).toBeLessThan(estimators[1]!.correctNegative)
    expect(estimators.map(({ failedPositive }) => failedPositive)).toEqual([0, 0])
  })
})
