/**
 * The overview of a report: each finding in a figure, with a sentence that says how to read it and what would be a problem.
 */
import { type Bar, barChart, histogram, stackChart } from './charts.js'
import type { ReportModel } from './model-types.js'
import { count, escaped, percent } from './text.js'

/** Turn indices that are drawn; the others are in the model. */
const MAX_TURNS = 12

/** One finding. */
interface Figure {
  readonly id: string
  readonly title: string
  readonly body: string
  /** How to read it, and what would be a problem. */
  readonly note: string
}

const extent = ({ min, max }: { readonly min: number; readonly max: number }): string =>
  min === max ? count(min) : `${count(min)} to ${count(max)}`

/** Names with values. */
export function facts(rows: readonly (readonly [name: string, value: string, key?: string])[]): string {
  const row = ([name, value, key]: readonly [string, string, string?]): string =>
    `<dt>${escaped(name)}</dt><dd${key === undefined ? '' : ` data-key="${escaped(key)}"`}>${escaped(value)}</dd>`
  return `<dl>${rows.map(row).join('')}</dl>`
}

function readFigure({ read, summary }: ReportModel): Figure {
  return {
    id: 'read',
    title: 'What was read',
    body: facts([
      ['groups', count(read.groups), 'tara/groups'],
      ['rollouts', count(read.rollouts), 'tara/rollouts'],
      ['rollouts of a group, K', extent(read.K)],
      ['turns of a group, T', extent(read.T)],
      [
        'tokens trained',
        read.tokens ? `${count(read.tokens.trained)} of ${count(read.tokens.all)}` : 'not told by the log',
      ],
      ['aborted rollouts', count(read.aborted), 'tara/aborted_rollouts'],
      ['truncated rollouts', count(read.truncated), 'tara/truncated_rollouts'],
      ['groups of one rollout', count(summary.singletonGroups)],
    ]),
    note: 'A group is K rollouts of one task, a turn is the unit of credit. Many aborted rollouts, or groups of one, leave little to compare.',
  }
}

function flatFigure({ turns, total, summary }: ReportModel): Figure {
  const stacks = turns.slice(0, MAX_TURNS).map((turn) => ({
    label: `turn ${turn.turn}`,
    parts: [turn.flatAllRight, turn.flatAllWrong] as const,
    whole: turn.columns,
    text: percent(turn.flat, turn.columns),
  }))
  return {
    id: 'flat',
    title: 'Flat turns and silent groups',
    body:
      facts([
        ['flat turns', percent(total.flat, total.columns), 'tara/flat_share'],
        ['all right', percent(total.flatAllRight, total.columns), 'tara/flat_all_right_share'],
        ['all wrong', percent(total.flatAllWrong, total.columns), 'tara/flat_all_wrong_share'],
        [
          'groups without any signal',
          percent(summary.zeroVarianceGroups, summary.groups),
          'tara/silent_group_share',
        ],
      ]) + stackChart('Share of flat turns by turn: all right, then all wrong (hatched)', stacks),
    note: 'In a flat turn all rollouts have the same reward, so it teaches nothing by itself: all right (plain) is too easy, all wrong (hatched) too hard. Above about 80%, choose other tasks or more rollouts.',
  }
}

function rewardFigure({ turns, metrics }: ReportModel): Figure {
  const bars = turns.slice(0, MAX_TURNS).map(
    ({ turn, meanReward }): Bar => ({
      label: `turn ${turn}`,
      value: Math.max(0, meanReward ?? 0),
      text: meanReward === undefined ? '\u2013' : meanReward.toFixed(3),
    }),
  )
  const success = metrics['tara/trace_success']
  return {
    id: 'reward',
    title: 'Reward per turn',
    body:
      facts([
        [
          'rollouts right in every turn',
          success === undefined ? '\u2013' : percent(success, 1),
          'tara/trace_success',
        ],
      ]) + barChart('Mean reward by turn', bars, Math.max(1, ...bars.map(({ value }) => value))),
    note: 'The mean over the cells that vote. A slow fall is usual, as later turns need the earlier ones; a sudden drop to 0 points at a turn that nobody can solve or a golden trace that is off.',
  }
}

function missFigure({ traces }: ReportModel): Figure {
  const bars = traces.firstMiss.slice(0, MAX_TURNS).map(
    (n, t): Bar => ({
      label: `turn ${t}`,
      value: n,
      text: `${count(n)} (${percent(n, traces.rollouts)})`,
    }),
  )
  const none = {
    label: 'no miss',
    value: traces.success,
    text: `${count(traces.success)} (${percent(traces.success, traces.rollouts)})`,
  }
  const all = [...bars, none]
  return {
    id: 'first-miss',
    title: 'First miss',
    body: barChart(
      'Rollouts by the turn of their first miss',
      all,
      Math.max(...all.map(({ value }) => value)),
    ),
    note: 'Each rollout once, at the first turn whose reward is not 1. If most fall at turn 0, later turns are hardly ever seen in a good state.',
  }
}

function distributionFigure({ distribution, turns }: ReportModel): Figure {
  const plots = distribution.turns.slice(0, MAX_TURNS).map((counts, t) => {
    const votes = turns[t]?.votes ?? 0
    return `<figure class="plot"><figcaption>turn ${t} (${count(votes)} cells)</figcaption>${histogram(
      `Distribution of the advantage at turn ${t}`,
      counts,
      distribution.limit,
    )}</figure>`
  })
  return {
    id: 'distribution',
    title: 'Advantages per turn',
    body: `<div class="plots">${plots.join('')}</div>`,
    note: 'Cells by their advantage; the bar in the middle is exactly 0. A tall middle means few turns teach; a few cells far out on one side mean rare successes or rare failures that carry the update.',
  }
}

function creditFigure({ turns, total, lambda }: ReportModel): Figure {
  const bars = turns.slice(0, MAX_TURNS).map(({ turn, credit }): Bar => {
    const future = credit?.futureSize ?? 0
    const whole = (credit?.localSize ?? 0) + future
    return {
      label: `turn ${turn}`,
      value: whole === 0 ? 0 : future / whole,
      text: percent(future, whole),
    }
  })
  const { gated = 0, gateOpen = 0, localSize = 0, futureSize = 0 } = total.credit ?? {}
  return {
    id: 'credit',
    title: 'Local against future credit',
    body:
      facts([
        ['future share of all credit', percent(futureSize, localSize + futureSize), 'tara/future_share'],
        ['gate open', percent(gateOpen, gated), 'tara/gate_open_share'],
      ]) + barChart('Share of the future part by turn', bars, 1),
    note: `The size of λ·A_future (λ = ${lambda}) in that of both parts. The last turn has no future. Near 0% the gate is closed or nothing follows; above 50% what comes later outweighs what the turn itself did: lower λ.`,
  }
}

function callsFigure({ counts, total, metrics }: ReportModel): Figure {
  const rate = (key: string): string => (metrics[key] === undefined ? '' : ` (${percent(metrics[key], 1)})`)
  return {
    id: 'calls',
    title: 'Unreached, surplus, malformed, extra',
    body: facts([
      ['turns not reached', percent(total.unreached, total.due), 'tara/unreached_share'],
      ['turns beyond the golden trace', count(counts.surplusTurns), 'tara/surplus_turns'],
      ['calls before the first turn', count(counts.earlyCalls), 'tara/early_calls'],
      ['extra calls', `${count(counts.extraCalls)}${rate('tara/extra_call_rate')}`, 'tara/extra_call_rate'],
      [
        'malformed calls',
        `${count(counts.malformedCalls)}${rate('tara/malformed_call_rate')}`,
        'tara/malformed_call_rate',
      ],
    ]),
    note: 'Extra calls are free unless a limit is set, and malformed ones cover nothing. Surplus turns, or many unreached ones, hint that turns of the log and of the golden trace do not line up; malformed calls that grow in training hint at a broken template.',
  }
}

function comparisonFigure({ comparison }: ReportModel): Figure {
  const [own, other] = comparison.estimators
  const pair = comparison.pairs[0]
  const row = (name: string, value: (one: NonNullable<typeof own>) => string): string =>
    `<tr><th scope="row">${escaped(name)}</th>${[own, other]
      .map((one) => `<td>${one ? escaped(value(one)) : ''}</td>`)
      .join('')}</tr>`
  const differ = pair ? pair.votes - pair.sameSign : 0
  return {
    id: 'comparison',
    title: 'TARA against GRPO',
    body: `<table><thead><tr><th scope="col">of the same rollouts</th><th scope="col">TARA</th><th scope="col">GRPO</th></tr></thead><tbody>${[
      row('silent groups', (one) => count(one.silentGroups)),
      row('silent turns', (one) => count(one.silentTurns)),
      row('right turns pushed down', (one) => percent(one.correctNegative, one.correct)),
      row('failed turns pushed up', (one) => percent(one.failedPositive, one.failed)),
    ].join('')}</tbody></table>${facts([
      [
        'cells that differ in sign',
        `${count(differ)} of ${count(pair?.votes ?? 0)} (${percent(differ, pair?.votes ?? 0)})`,
        'differ',
      ],
    ])}`,
    note: 'GRPO gives one number to the whole rollout, so it pushes right turns down in failed rollouts. Where the two hardly differ, credit by turn changes little on these tasks; failed turns that TARA pushes up would be a fault.',
  }
}

const figures: readonly ((model: ReportModel) => Figure)[] = [
  readFigure,
  flatFigure,
  rewardFigure,
  missFigure,
  distributionFigure,
  creditFigure,
  callsFigure,
  comparisonFigure,
]

/** The overview as HTML. */
export function overviewHtml(model: ReportModel): string {
  const hidden = model.turns.length - MAX_TURNS
  const more =
    hidden > 0
      ? `<p class="note">Charts show the first ${MAX_TURNS} of ${model.turns.length} turns; the JSON model has all.</p>`
      : ''
  const cards = figures.map((figure) => {
    const { id, title, body, note } = figure(model)
    return `<section class="card" id="${id}" aria-labelledby="${id}-title"><h3 id="${id}-title">${escaped(title)}</h3>${body}<p class="note">${escaped(note)}</p></section>`
  })
  return `${more}<div class="cards">${cards.join('')}</div>`
}
