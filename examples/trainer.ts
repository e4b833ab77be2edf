/**
 * In a trainer: the calls of K rollouts of one task in, one advantage a token out.
 */
import { broadcast, type GoldenTurn, lossMask, scoreGroups, type ToolCall, tara, tokenSpans } from 'tara-rl'

const call = (name: string, args: string): ToolCall => ({ name, arguments: args })

// The golden trace: the calls that each turn needs. It fixes the number of turns.
const golden: GoldenTurn[] = [
  [call('search', '{"from":"LIS","to":"OSL"}')],
  [call('book', '{"flight":"TP762","seats":2}')],
]

// What two rollouts did, turn by turn. Arguments stay the text that the model wrote.
const rollouts = [
  {
    turns: [[call('search', '{"to":"OSL","from":"LIS"}')], [call('book', '{"seats":2.0,"flight":"TP762"}')]],
  },
  { turns: [[call('search', '{"from":"LIS","to":"OSL"}')], [call('book', '{"seats":1,"flight":"TP762"}')]] },
]

// Where the policy's tokens lie in each rollout's sequence, turn by turn. Prompts and tool results lie outside.
const tokens = [
  {
    length: 12,
    turns: [
      [[3, 5]],
      [
        [8, 9],
        [10, 12],
      ],
    ],
  },
  { length: 10, turns: [[[3, 5]], [[8, 10]]] },
] as const

const { batch, coverage } = scoreGroups([{ golden, rollouts }])
console.log(batch.reward) // => Float64Array(4) [ 1, 1, 1, 0 ]
console.log(coverage[0]?.[1]?.[1]?.missed[0]?.reason) // => wrong-arguments

const advantage = tara(batch)
const spans = tokenSpans(batch, tokens)
const padded = { layout: 'padded', side: 'right' } as const
const perToken = broadcast(advantage, spans, padded)
const mask = lossMask(spans, padded)
for (let row = 0; row < 2; row++) {
  console.log(Array.from(perToken.subarray(row * 12, row * 12 + 12), (value) => value.toFixed(2)).join(' '))
  console.log(mask.subarray(row * 12, row * 12 + 12).join(' '))
}
// => 0.00 0.00 0.00 0.50 0.50 0.00 0.00 0.00 1.00 0.00 1.00 1.00
// => 0 0 0 1 1 0 0 0 1 0 1 1
// => 0.00 0.00 0.00 -0.50 -0.50 0.00 0.00 0.00 -1.00 -1.00 0.00 0.00
// => 0 0 0 1 1 0 0 0 1 1 0 0
