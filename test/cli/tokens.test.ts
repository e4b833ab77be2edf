/**
 * Token output: masks, several sequences, and rollouts and turns that are not trained.
 */
import { describe, expect, it } from 'vitest'
import { type Fields, record, scored, user } from '../formats/records.js'
import { inProcess } from './inProcess.js'
import { type Row, rowsOf, workFolder } from './run.js'

const { write } = workFolder()

async function rowsWith(lines: readonly Fields[], ...args: string[]): Promise<Row[]> {
  const file = write('log.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
  const { stdout, message } = await inProcess('advantages', file, '--tokens', ...args)
  expect(message).toBe('')
  return rowsOf(stdout)
}

const tokens = (length: number, ...turns: number[][][]): Fields => ({ tokens: { length, turns } })
const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, part) =>
    typeof part === 'number' ? Math.round(part * 1e6) / 1e6 : part,
  )

/** One turn, right in rollout 0 and wrong in rollout 1. */
const pair = (more: Fields = {}, last: Fields = {}): Fields[] => [
  scored(0, [1], { ...tokens(4, [[1, 3]]), ...more }),
  scored(1, [0], {
    ...tokens(3, [
      [0, 1],
      [2, 3],
    ]),
    ...last,
  }),
]

describe('token advantages', () => {
  it('are the turn value on its spans and 0 elsewhere; the mask is 1 there', async () => {
    const rows = await rowsWith(pair())
    expect(rows.map((row) => rounded(row.token_advantages))).toEqual([
      [0, 0.999998, 0.999998, 0],
      [-0.999998, 0, -0.999998],
    ])
    expect(rows.map((row) => row.loss_mask)).toEqual([
      [0, 1, 1, 0],
      [1, 0, 1],
    ])
    expect((rows[0]!.token_advantages as number[])[1]).toBe((rows[0]!.advantages as number[])[0])
  })

  it('keep a mask of 1 where a turn has no signal', async () => {
    const rows = await rowsWith(pair({}, { rewards: [1] }))
    expect(rows.map((row) => row.token_advantages)).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0],
    ])
    expect(rows[0]!.loss_mask).toEqual([0, 1, 1, 0])
  })

  it('are a list a sequence where a record names sequences; the rollout votes once', async () => {
    const several = {
      tokens: {
        sequences: [{ length: 3 }, { length: 2 }, { length: 0 }],
        turns: [
          [
            [1, 0, 2],
            [0, 2, 3],
          ],
        ],
      },
    }
    const rows = await rowsWith(pair(several))
    expect(rounded(rows[0]!.token_advantages)).toEqual([[0, 0, 0.999998], [0.999998, 0.999998], []])
    expect(rows[0]!.loss_mask).toEqual([[0, 0, 1], [1, 1], []])
    expect(rounded(rows[1]!.token_advantages)).toEqual([-0.999998, 0, -0.999998])
  })

  it('of an aborted rollout are 0 with mask 0, and none where it has no tokens', async () => {
    const rows = await rowsWith([
      ...pair(),
      scored(2, [1], { ...tokens(2, [[0, 2]]), status: 'aborted' }),
      scored(3, [1], { status: 'aborted' }),
    ])
    expect(rows.slice(2).map(({ token_advantages, loss_mask }) => [token_advantages, loss_mask])).toEqual([
      [
        [0, 0],
        [0, 0],
      ],
      [[], []],
    ])
  })

  it('of an invalid rollout too, with --allow-invalid', async () => {
    const rows = await rowsWith([...pair(), scored(2, [null], tokens(2, [[0, 2]]))], '--allow-invalid')
    expect(rows[2]).toMatchObject({
      status: 'aborted',
      rewards: [0],
      reached: [0],
      advantages: [0],
      token_advantages: [0, 0],
      loss_mask: [0, 0],
    })
  })

  it.each([
    [
      'fail',
      [
        [0, 0.999998, 0.999998, 0],
        [-0.999998, 0, -0.999998],
      ],
      [
        [0, 1, 1, 0],
        [1, 0, 1],
      ],
      -0.999998,
    ],
    [
      'mask',
      [
        [0, 0.999998, 0.999998, 0],
        [0, 0, 0],
      ],
      [
        [0, 1, 1, 0],
        [0, 0, 0],
      ],
      -0.999998,
    ],
    [
      'exclude',
      [
        [0, 0, 0, 0],
        [0, 0, 0],
      ],
      [
        [0, 1, 1, 0],
        [0, 0, 0],
      ],
      0,
    ],
  ])('of a truncated rollout follow --truncated %s', async (rule, values, masks, advantage) => {
    const rows = await rowsWith(pair({}, { status: 'truncated' }), '--truncated', rule)
    expect(rows.map((row) => rounded(row.token_advantages))).toEqual(values)
    expect(rows.map((row) => row.loss_mask)).toEqual(masks)
    expect(rounded(rows[1]!.advantages)).toEqual([advantage])
  })

  it('of surplus turns are 0 with mask 0', async () => {
    const golden = [[]]
    const rows = await rowsWith([
      record([user(), user()], golden, tokens(4, [[0, 1]], [[2, 4]])),
      record([user()], golden, { rollout: 1, ...tokens(1, [[0, 1]]) }),
    ])
    expect(rows[0]).toMatchObject({
      advantages: [0],
      token_advantages: [0, 0, 0, 0],
      loss_mask: [1, 0, 0, 0],
    })
  })

  it('of more tokens than a line of JSON holds are refused before anything is written', async () => {
    const lines = pair({ ...tokens(2e9, [[0, 1]]) })
    const file = write('long.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'))
    const { stdout, message } = await inProcess('advantages', file, '--tokens', '-q')
    expect(stdout).toBe('')
    expect(message).toContain(': tokens: expected at most 16777216 for a line of JSON, got 2000000000')
  })

  it('of unreached turns are none: their value shows under zero and not under exclude', async () => {
    const short = [
      scored(0, [1, 1], tokens(2, [[0, 1]], [[1, 2]])),
      scored(1, [1, 0], tokens(2, [[0, 1]], [[1, 2]])),
      scored(2, [1], tokens(1, [[0, 1]])),
    ]
    const zero = await rowsWith(short, '--unreached', 'zero')
    expect((zero[2]!.advantages as number[])[1]).toBeLessThan(-0.7)
    expect(zero[2]!.token_advantages).toHaveLength(1)
    const exclude = await rowsWith(short, '--unreached', 'exclude')
    expect((exclude[2]!.advantages as number[])[1]).toBe(0)
    expect(rounded((exclude[0]!.advantages as number[])[1])).toBe(0.999998)
    // Only rewards are known here: exclude is what is taken where nothing is said.
    expect(await rowsWith(short)).toEqual(exclude)
  })

  it('of a turn that is taken out are 0 with mask 0, and it is no step of the discount', async () => {
    const call = (name: string): Fields => ({ role: 'assistant', tool_calls: [{ name }] })
    const golden = [[{ name: 'a' }], [], [{ name: 'b' }]]
    const lines = ['a', 'x'].flatMap((first, i) =>
      ['b', 'x'].map((last, k) =>
        record([user(), call(first), user(), user(), call(last)], golden, {
          rollout: 2 * i + k,
          ...tokens(3, [[0, 1]], [[1, 2]], [[2, 3]]),
        }),
      ),
    )
    const masked = await rowsWith(lines, '--empty-golden', 'mask')
    const plain = await rowsWith(
      lines.map((line) => ({
        ...line,
        golden: [golden[0], golden[2]],
        turns: [0, 0, null, 1, 1],
        ...tokens(3, [[0, 1]], [[2, 3]]),
      })),
    )
    masked.forEach((row, i) => {
      expect(row.loss_mask).toEqual([1, 0, 1])
      expect((row.advantages as number[])[1]).toBe(0)
      expect(row.token_advantages).toEqual(plain[i]!.token_advantages)
    })
  })

  it('with a reached turn that has no list are refused with file and line', async () => {
    const file = write('log.jsonl', JSON.stringify(scored(0, [1, 1], tokens(2, [[0, 1]]))))
    expect((await inProcess('advantages', file, '--tokens')).message).toBe(
      `${file}:1: tokens.turns: expected a list of spans for turn 1, which is reached, got 1 lists`,
    )
  })
})
