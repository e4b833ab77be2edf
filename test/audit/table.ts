/**
 * The audit as a section of docs/estimators.md. Every number and every verdict in it is computed.
 */

import { centeredSubjects } from './centered.js'
import { dividedSubjects } from './divided.js'
import { type Gradient, truthOf } from './enumerate.js'
import { type Game, games } from './games.js'
import type { Subject } from './subject.js'
import { type Verdict, verdictOf } from './verdict.js'

/** Three digits; ties away from 0, whatever rounding error does to them. */
function fixed(x: number, digits: number): string {
  const text = (Math.abs(x) + 1e-9).toFixed(digits)
  return x < 0 && Number(text) !== 0 ? `−${text}` : text
}

const numbers = (gradient: Gradient): string => gradient.map((x) => fixed(x, 3)).join(', ')

const ratios = ({ estimate, truth }: Verdict): string =>
  estimate!.map((x, m) => `×${fixed(x / truth[m]!, 2)}`).join(', ')

function words(verdict: Verdict, { target, undivided }: Subject): string {
  const { kind, push } = verdict
  const objective = (target ?? undivided?.target)?.[0]
  const because = kind === 'objective' ? ` (${objective})` : ''
  if (push === 'wrong') return `**wrong sign**${because}`
  if (push === 'none') return `**no push**${because}`
  if (kind === 'objective') return `objective changed${because}`
  return kind === 'scaled' || kind === 'tilted' || kind === 'biased' ? `${kind} ${ratios(verdict)}` : kind
}

function cell(game: Game, subject: Subject): string {
  const verdict = verdictOf(game, subject)
  return verdict.estimate === undefined
    ? verdict.kind
    : `${numbers(verdict.estimate)}; ${words(verdict, subject)}`
}

const nameOf = ({ name, settings }: Subject): string =>
  name === 'not offered' ? settings : `\`${name}\`${settings === '' ? '' : `, ${settings}`}`

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** The rows of an estimator that do not differ are one: `grpo`, paper, art. */
function bodyOf(rows: readonly Subject[]): string[] {
  const names = new Map<string, string>()
  for (const one of rows) {
    const rest = row([...games.map((game) => cell(game, one)), one.why])
    const key = `${one.name} ${rest}`
    const before = names.get(key)
    names.set(
      key,
      before === undefined ? `| ${nameOf(one)} ${rest}` : before.replace(' |', `, ${one.settings} |`),
    )
  }
  return [...names.values()]
}

function table(rows: readonly Subject[]): string {
  const head = ['estimator', ...games.map(({ name }) => name), 'why']
  return [
    row(head),
    row(head.map(() => '---')),
    row(['**the truth**', ...games.map((game) => `**${numbers(truthOf(game))}**`), '']),
    ...bodyOf(rows),
  ].join('\n')
}

const offered = centeredSubjects.filter(({ name }) => name !== 'not offered')
const notOffered = centeredSubjects.filter(({ name }) => name === 'not offered')

/** The section, without its marks. */
export function auditSection(): string {
  return `## Bias

Five games that are small enough to know completely. The policy has one or two logits; a group has K = 6 rollouts. Each
estimator runs on every group that can occur, and the table shows the gradient that it expects,
E[(1/K) Σ A[i,t]·∇log π[i,t]], under the truth, the gradient of the expected return Σ r. Nothing is sampled: the figures are
exact, and the verdicts are computed from them. So that an estimator could be right at all, γ = 1, λ = 1 and R = Σ r
(\`reward: 'discounted'\`), unless the row says otherwise; the gate of \`tara\` is open where r ≥ 0.5. Estimators that normalize
over the batch see batches of one group. A turn has one token; the outcome of \`mt-grpo\` and \`turn-credit\` is R, and the state
scores of \`turn-credit\` are what has been earned so far.

${games.map(({ name, about, logits }) => `- **${name}**: ${about}. Logits: ${logits.join(', ')}.`).join('\n')}

In the first three the policy decides how many turns there are.

- \`unbiased\`: equal to the truth. \`(K−1)/K\`: that much of it, as the mean holds the rollout's own R. \`(n−1)/n\`: the same with
  the n rollouts that reached the turn. \`n ≥ 2\`: all of it, except for a turn that one rollout alone reached.
- \`O(1/K)\`: off by something that goes away as K grows.
- \`scaled\`: a multiple of the truth. With one logit every right sign is one. \`tilted\`: the logits are not all multiplied
  alike, so that the objective is another.
- \`objective changed\`: right in one of these ways, but for something else, which is named in brackets. In the second table
  that is said of the estimator without its divisor.
- \`biased\`: none of these. \`wrong sign\`: a logit is pushed the wrong way. \`no push\`: none is pushed.
- \`refused\`: an error, as the rewards are negative.

### Centered only

${table(offered)}

Accumulated after centering, which this library does for no estimator but \`process-grpo\`:

${table(notOffered)}

### Divided

${table(dividedSubjects)}

### What follows

- Add up first and center once, and the number of turns does no harm: \`dr-grpo\`, \`rloo\`, \`return-to-go\`, and \`tara\` with an
  open gate. Center first and add up, and it does, up to the wrong sign: \`process-grpo\` with its default reading of unreached
  turns.
- The gate is harmless where a miss ends what could be earned. Where an error can be made good it pays right turns too much;
  where a turn that earns nothing itself opens the way, it pushes the wrong way. \`gate: 'none'\` takes that away. A discount
  over turns does the same in a milder form.
- Dividing by σ or μ of the group is not a scale. It tilts, and in the gamble it turns the sign around, as a rare large reward is
  cut down to the size of a frequent small one. \`scale: 'none'\` takes that away. The one divisor that keeps the direction in
  all games is that of \`grpo\`, dialect \`nemo\`: mean and σ of the other rollouts, which owe nothing to the rollout's choices.
- Two parts that are each brought to one size can cancel. In the first game r and V of \`tara\` with an open gate and λ = 1 do,
  and so do r and R of \`mt-grpo\`.`
}
