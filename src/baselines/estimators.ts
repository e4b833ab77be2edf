/**
 * The estimators as data: for the docs, for a list on the command line, and for the warning where turn counts vary.
 */

export type EstimatorName =
  | 'grpo'
  | 'dr-grpo'
  | 'rloo'
  | 'reinforce'
  | 'reinforce-pp'
  | 'reinforce-pp-baseline'
  | 'opo'
  | 'maxrl'
  | 'gdpo'
  | 'mt-grpo'
  | 'return-to-go'
  | 'process-grpo'
  | 'gigpo'
  | 'turn-credit'

/** What an estimator needs beside rewards, at its defaults: fields of the batch, or options. */
export type EstimatorNeed = 'outcome' | 'columns' | 'turnTokens' | 'states' | 'stateScores'

export interface EstimatorInfo {
  readonly name: EstimatorName
  /** The function of this library. */
  readonly function: string
  /** One line; R is the rollout's scalar, r a turn's reward, μ and σ are those of the group. */
  readonly formula: string
  /** Paper or code that it is taken from. */
  readonly source: string
  readonly needs: readonly EstimatorNeed[]
  /** Whether it adds up normalized turn rewards: biased where the policy decides how many turns there are. */
  readonly accumulatesNormalized: boolean
}

const list: readonly EstimatorInfo[] = [
  {
    name: 'grpo',
    function: 'grpo',
    formula: 'A = (R − μ) / (σ + ε)',
    source: 'DeepSeekMath, arXiv 2402.03300',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'dr-grpo',
    function: 'drGrpo',
    formula: 'A = R − μ',
    source: 'Dr. GRPO, arXiv 2503.20783',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'rloo',
    function: 'rloo',
    formula: 'A = R − mean of the others',
    source: 'RLOO, arXiv 2402.14740',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'reinforce',
    function: 'reinforce',
    formula: 'A = R',
    source: 'REINFORCE, Williams 1992',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'reinforce-pp',
    function: 'reinforcePp',
    formula: 'A = (R − μ_batch) / √(σ_batch² + ε), over tokens',
    source: 'REINFORCE++, arXiv 2501.03262',
    needs: ['turnTokens'],
    accumulatesNormalized: false,
  },
  {
    name: 'reinforce-pp-baseline',
    function: 'reinforcePpBaseline',
    formula: 'A = (R − μ) / √(σ_batch² + ε), over tokens',
    source: 'REINFORCE++, arXiv 2501.03262',
    needs: ['turnTokens'],
    accumulatesNormalized: false,
  },
  {
    name: 'opo',
    function: 'opo',
    formula: 'A = R − Σ L·R / Σ L',
    source: 'OPO, arXiv 2505.23585',
    needs: ['turnTokens'],
    accumulatesNormalized: false,
  },
  {
    name: 'maxrl',
    function: 'maxRl',
    formula: 'A = (R − μ) / (μ + ε)',
    source: 'MaxRL, as in SkyRL and prime-rl',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'gdpo',
    function: 'gdpo',
    formula: 'A = Σ_k w_k·(R_k − μ_k) / (σ_k + ε), then over the batch',
    source: 'GDPO, arXiv 2601.05242',
    needs: ['columns'],
    accumulatesNormalized: false,
  },
  {
    name: 'mt-grpo',
    function: 'mtGrpo',
    formula: 'A[t] = (r[t] − μ[t]) / σ[t] + λ·(R − μ) / σ',
    source: 'MT-GRPO, arXiv 2505.11821, as in Atropos',
    needs: ['outcome'],
    accumulatesNormalized: false,
  },
  {
    name: 'return-to-go',
    function: 'returnToGo',
    formula: 'A[t] = (G[t] − μ[t]) / (σ[t] + ε), G[t] = Σ γ^k·r[t+k]',
    source: 'REINFORCE with a baseline per turn',
    needs: [],
    accumulatesNormalized: false,
  },
  {
    name: 'process-grpo',
    function: 'processGrpo',
    formula: 'A[t] = Σ_{u≥t} (r[u] − μ_pool) / σ_pool',
    source: 'DeepSeekMath, arXiv 2402.03300',
    needs: [],
    accumulatesNormalized: true,
  },
  {
    name: 'gigpo',
    function: 'gigpo',
    formula: 'A[t] = R − μ + ω·(G[t] − mean over the same state)',
    source: 'GiGPO, arXiv 2505.10978',
    needs: ['states'],
    accumulatesNormalized: false,
  },
  {
    name: 'turn-credit',
    function: 'turnCredit',
    formula: 'A[t] = R + Σ d − μ + β·(c[t] − mean c), c[t] = Σ_{u≥t} γ^(u−t)·d[u] / Z[u]',
    source: 'prime-rl, pull request 3282',
    needs: ['outcome', 'turnTokens', 'stateScores'],
    accumulatesNormalized: false,
  },
]

/** Every estimator beside TARA. */
export const estimators: readonly EstimatorInfo[] = Object.freeze(
  list.map((info) => Object.freeze({ ...info, needs: Object.freeze(info.needs) })),
)
