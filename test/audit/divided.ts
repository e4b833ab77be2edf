/**
 * Rows that divide, each beside the row that does not.
 */
import { tara } from '../../src/advantage/tara.js'
import { grpoDialectNames } from '../../src/baselines/dialects.js'
import { gdpo } from '../../src/baselines/gdpo.js'
import { gigpo } from '../../src/baselines/gigpo.js'
import { grpo } from '../../src/baselines/grpo.js'
import { maxRl } from '../../src/baselines/maxRl.js'
import { mtGrpo } from '../../src/baselines/mtGrpo.js'
import { processGrpo } from '../../src/baselines/processGrpo.js'
import { reinforcePp, reinforcePpBaseline } from '../../src/baselines/reinforcePp.js'
import { returnToGo } from '../../src/baselines/returnToGo.js'
import {
  closedGate,
  drGrpoRow,
  gigpoRow,
  halfGate,
  mtRow,
  openGate,
  opoRow,
  processRow,
  rlooRow,
  toGoRow,
} from './centered.js'
import type { Sample } from './enumerate.js'
import { gate, type Subject, sumOf, toGo } from './subject.js'

const withColumns = ({ batch }: Sample, ...names: string[]): Sample['batch'] => ({
  ...batch,
  columns: Object.fromEntries(names.map((name) => [name, batch.columns![name]!])),
})

const divided = (undivided: Subject, change: Omit<Partial<Subject>, 'undivided'>): Subject => ({
  ...undivided,
  why: 'groups that differ little weigh as much as those that differ much',
  ...change,
  undivided,
})

export const dividedSubjects: readonly Subject[] = [
  ...grpoDialectNames.map((dialect) =>
    divided(dialect === 'nemo' ? rlooRow : drGrpoRow, {
      name: 'grpo',
      settings: dialect,
      estimator: ({ batch }) => grpo(batch, { ...sumOf, dialect }),
      ...(dialect === 'nemo' && {
        why: 'mean and σ of the others owe nothing to its choice: a multiple of the truth in every game',
      }),
    }),
  ),
  divided(drGrpoRow, {
    name: 'maxrl',
    estimator: ({ batch }) => maxRl(batch, sumOf),
    why: 'divides by μ: groups that earn little weigh more',
  }),
  divided(opoRow, {
    name: 'reinforce-pp',
    estimator: ({ batch, turnTokens }) => reinforcePp(batch, { ...sumOf, turnTokens }),
    why: 'one group is the batch; mean and σ over tokens',
  }),
  divided(drGrpoRow, {
    name: 'reinforce-pp',
    settings: 'rllm',
    estimator: ({ batch }) => reinforcePp(batch, { ...sumOf, whiten: 'rllm' }),
    why: 'one group is the batch; mean and σ over rollouts: GRPO',
  }),
  divided(opoRow, {
    name: 'reinforce-pp-baseline',
    estimator: ({ batch, turnTokens }) => reinforcePpBaseline(batch, { ...sumOf, turnTokens }),
    why: 'one group is the batch; the mean over tokens replaces that over rollouts',
  }),
  divided(drGrpoRow, {
    name: 'reinforce-pp-baseline',
    settings: 'rllm',
    estimator: ({ batch }) => reinforcePpBaseline(batch, { ...sumOf, whiten: 'rllm' }),
    why: 'one group is the batch: GRPO',
  }),
  divided(drGrpoRow, {
    name: 'gdpo',
    settings: 'one column',
    estimator: (sample) => gdpo(withColumns(sample, 'all'), sumOf),
    why: 'one group is the batch: GRPO twice',
  }),
  divided(drGrpoRow, {
    name: 'gdpo',
    settings: 'columns first turn, later turns',
    estimator: (sample) => gdpo(withColumns(sample, 'first', 'later'), sumOf),
    why: 'each column is brought to one size, so that their sum is not the return',
  }),
  divided(toGoRow, {
    settings: '',
    estimator: ({ batch }) => returnToGo(batch, { gamma: 1 }),
  }),
  divided(openGate, {
    settings: 'gate none',
    estimator: ({ batch }) => tara(batch, { ...toGo, gate: 'none' }),
    why: 'r and V are brought to one size, so that their sum is not the return',
  }),
  divided(closedGate, {
    settings: '',
    estimator: ({ batch }) => tara(batch, { ...toGo, gate }),
    why: 'the gate, and r and V of one size',
  }),
  divided(halfGate, {
    settings: 'γ = λ = 0.5, the defaults',
    estimator: ({ batch }) => tara(batch, { gate }),
    why: 'the gate, and r and V brought to one size before λ',
  }),
  divided(mtRow, {
    settings: '',
    estimator: ({ batch }) => mtGrpo(batch),
    why: 'r and R are brought to one size',
  }),
  divided(gigpoRow, {
    settings: 'γ = 1, scale std',
    estimator: ({ batch, states }) => gigpo(batch, { ...sumOf, states, scale: 'std' }),
  }),
  divided(processRow, {
    settings: '',
    estimator: ({ batch }) => processGrpo(batch),
    why: 'charged as above; the σ of the pool is one more',
  }),
]
