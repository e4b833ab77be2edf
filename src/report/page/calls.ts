/**
 * The page's script, third part: calls beside the golden trace, and how one cell came to its number.
 */
export const callsScript: string = String.raw`
const marks = {
  covered: '\u2713 covered',
  extra: '+ extra',
  malformed: '! malformed',
  untested: '\u00b7 not tested',
  missed: '\u2717 missed',
  golden: 'golden',
}

/** A call; differs names the argument in which it parts from the other side. */
function callNode(call, mark, differs, note) {
  const args = call.args === undefined
    ? [el('div', {}, call.problem + ': ', el('mark', {}, call.text))]
    : call.args.map(([name, value]) => el('div', {}, name + ': ', name === differs ? el('mark', {}, value) : value))
  if (differs !== undefined && call.args !== undefined && !call.args.some(([name]) => name === differs))
    args.push(el('div', {}, differs + ': ', el('mark', {}, 'nothing')))
  const side = call.side === undefined ? '' : ' (by ' + call.side + ')'
  return el('div', { class: 'call ' + mark },
    el('span', { class: mark === 'covered' ? 'good' : mark === 'missed' || mark === 'malformed' ? 'bad' : '' }, marks[mark]),
    ' ' + call.name + side, args, note === undefined ? undefined : el('div', {}, note))
}

function missNote(miss) {
  if (miss.path !== undefined)
    return miss.reason + ': ' + (miss.path || 'the arguments') + ' should be ' + (miss.expected === undefined ? 'nothing' : miss.expected) +
      ', is ' + (miss.got === undefined ? 'nothing' : miss.got)
  return miss.reason + (miss.detail === undefined ? '' : ': ' + miss.detail)
}

/** The golden calls of a turn, with what became of each. */
function goldenNodes(column, coverage) {
  if (column.golden === undefined) return []
  return column.golden.flatMap((calls, a) => {
    const isTold = coverage && a === coverage.alternative
    const title = column.golden.length > 1 ? el('div', { class: 'note' }, 'alternative ' + a) : undefined
    if (calls.length === 0) return [title, el('div', { class: 'note' }, 'no golden call')]
    return [title, ...calls.map((call, g) => {
      if (!isTold) return callNode(call, 'golden')
      const miss = coverage.missed.find(({ index }) => index === g)
      return miss === undefined ? callNode(call, 'covered') : callNode(call, 'missed', miss.argument, missNote(miss))
    })]
  })
}

/** For each call of a rollout the argument that differs from the golden call that it was probably meant to be. */
function differences(rollout) {
  const found = new Map()
  for (const { coverage } of rollout.cells)
    for (const miss of (coverage && coverage.missed) || [])
      if (miss.call !== undefined && miss.argument !== undefined) found.set(miss.call, miss.argument)
  return found
}

function madeNodes(detail, rollout, t) {
  if (rollout.calls === undefined) return []
  const differs = differences(rollout)
  const made = rollout.calls.map((call, c) => ({ call, c })).filter(({ call }) => detail.scope === 'rollout' || call.turn === t)
  if (made.length === 0) return [el('div', { class: 'note' }, 'no call')]
  return made.map(({ call, c }) => callNode(call, call.mark, differs.get(c)))
}

function rewardText(cell) {
  if (!cell.reached) return '\u2013 not reached'
  return (cell.reward === 1 ? '\u2713 ' : cell.reward === 0 ? '\u2717 ' : '') + 'reward ' + plain(cell.reward)
}

/** How one cell came to its advantage: the twin of tara explain. */
function explainNode(detail, rollout, t) {
  const cell = rollout.cells[t]
  const column = detail.columns[t]
  const numbers = (name, value, stats, z) => el('tr', {}, el('th', { scope: 'row' }, name),
    [value, stats.mean, stats.std, stats.voters, z].map((number) => el('td', {}, plain(number))))
  const parts = [
    el('h4', {}, 'Rollout ' + rollout.rollout + ', turn ' + t + ': ' + rewardText(cell)),
  ]
  if (column.masked) parts.push(el('p', {}, 'The turn is taken out before anything is computed: its advantage is 0.'))
  else if (!cell.votes) parts.push(el('p', {}, 'The rollout does not vote at this turn: its advantage is 0.'))
  else parts.push(
    el('p', {}, 'gate \u03b4 = ' + plain(cell.gate) + ', future sum = ' + plain(cell.sum) + ', V = \u03b4 \u00b7 sum = ' + plain(cell.futureValue)),
    el('div', { class: 'scroll', role: 'region', 'aria-label': 'Numbers of the cell', tabindex: 0 }, el('table', {}, el('thead', {}, el('tr', {}, ['', 'value', 'mean \u03bc', 'std \u03c3', 'voters', 'z'].map((name) => name === '' ? el('td', {}) : el('th', { scope: 'col' }, name)))),
      el('tbody', {}, numbers('local, r', cell.reward, column.local, cell.local), numbers('future, V', cell.futureValue, column.future, cell.future)))),
    el('p', {}, 'A = ' + plain(cell.local) + ' + ' + data.lambda + ' \u00b7 ' + plain(cell.future) + ' = ', el('b', {}, plain(cell.advantage)),
      ' (' + data.other + ': ' + plain(cell.other) + ')'))
  if (column.golden !== undefined) {
    parts.push(el('div', { class: 'columns' },
      el('div', {}, el('h4', {}, 'Golden calls'), goldenNodes(column, cell.coverage)),
      el('div', {}, el('h4', {}, detail.scope === 'rollout' ? 'Calls of the whole rollout' : 'Calls made'), madeNodes(detail, rollout, t))))
    if (cell.coverage)
      parts.push(el('p', { class: 'note' }, 'matched ' + cell.coverage.matched + ' of ' + cell.coverage.golden + '; extra calls ' + cell.coverage.extra + ', malformed ' + cell.coverage.malformed))
  }
  return parts
}
`
