/**
 * The page's script, fourth part: one group as a heat map of rollouts by turns. Arrow keys move, Enter opens a rollout.
 */
export const heatScript: string = String.raw`
const legend = () => el('p', { class: 'legend' },
  ['n5', 'n3', 'n1', 'zero', 'p1', 'p3', 'p5'].map((name, k) =>
    el('span', {}, el('span', { class: name }, signed(data.limit * [-1, -0.6, -0.2, 0, 0.2, 0.6, 1][k], 1)))),
  el('span', {}, '\u2713 right'), el('span', {}, '\u2717 wrong'), el('span', {}, '\u2013 not reached'))

function cellNode(detail, g, r, t) {
  const rollout = detail.rollouts[r]
  const cell = rollout.cells[t]
  const mark = !cell.reached ? '\u2013' : cell.reward === 1 ? '\u2713' : cell.reward === 0 ? '\u2717' : plain(Number(cell.reward.toPrecision(3)))
  const isOut = !cell.votes
  return el('td', {
    role: 'gridcell',
    tabindex: r === 0 && t === 0 ? 0 : -1,
    class: isOut ? 'out' : step(cell.advantage),
    'data-cell': r + ',' + t,
    'aria-label': 'rollout ' + seen(rollout.rollout) + ', turn ' + t + ', ' + rewardText(cell) + ', advantage ' + signed(cell.advantage),
    onfocus: () => showCell(detail, r, t),
    onmouseenter: () => showCell(detail, r, t),
    onclick: () => openRollout(g, r, t),
  }, el('span', { class: 'mark' }, mark), signed(cell.advantage))
}

function showCell(detail, r, t) {
  show('cell', ...explainNode(detail, detail.rollouts[r], t))
}

const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }

function onHeatKey(event, g) {
  const at = event.target.dataset.cell
  if (at === undefined) return
  const detail = data.details[g]
  let [r, t] = at.split(',').map(Number)
  if (event.key === 'Enter' || event.key === ' ') openRollout(g, r, t)
  else if (event.key === 'Home') t = 0
  else if (event.key === 'End') t = detail.columns.length - 1
  else if (moves[event.key] !== undefined) {
    r = Math.min(detail.rollouts.length - 1, Math.max(0, r + moves[event.key][0]))
    t = Math.min(detail.columns.length - 1, Math.max(0, t + moves[event.key][1]))
  } else return
  event.preventDefault()
  if (event.key !== 'Enter' && event.key !== ' ') focusCell(r, t)
}

function focusCell(r, t) {
  for (const other of document.querySelectorAll('.heat [tabindex="0"]')) other.tabIndex = -1
  const next = document.querySelector('[data-cell="' + r + ',' + t + '"]')
  if (next === null) return
  next.tabIndex = 0
  next.focus()
}

function openGroup(g, isQuiet) {
  list.open = g
  for (const tr of document.querySelectorAll('[data-row]')) {
    if (Number(tr.dataset.row) === g) tr.setAttribute('aria-current', 'true')
    else tr.removeAttribute('aria-current')
  }
  const detail = data.details[g]
  const head = el('tr', {}, el('th', { scope: 'col' }, 'rollout'), detail.columns.map((column, t) =>
    el('th', { scope: 'col' }, 'turn ' + t + (column.masked ? ' (out)' : ''))))
  const body = detail.rollouts.map((rollout, r) => el('tr', {},
    el('th', { scope: 'row' }, idText(rollout.rollout),
      rollout.status === 'complete' ? '' : ' \u00b7 ' + rollout.status,
      rollout.outcome === undefined ? '' : ' \u00b7 outcome ' + plain(rollout.outcome)),
    rollout.cells.map((_, t) => cellNode(detail, g, r, t))))
  const cutText = detail.rollouts.length < detail.K || detail.columns.length < detail.T
    ? ' The first ' + detail.rollouts.length + ' of ' + detail.K + ' rollouts and ' + detail.columns.length + ' of ' + detail.T + ' turns are shown.'
    : ''
  const scopeText = detail.scope === 'rollout' ? ' Each golden turn is tested against all calls of the rollout.' : ''
  const title = el('h3', { id: 'group-title', tabindex: -1 }, nameOf(detail) + ': ' + detail.K + ' rollouts, ' + detail.T + ' turns')
  show('group', title,
    el('p', { class: 'note' }, 'Advantage of each turn of each rollout. A column of zeros taught nothing; a row of one sign all through would be a rollout-level credit. Focus or hover explains a cell, Enter or a click opens the rollout.' + scopeText + cutText),
    legend(),
    el('div', { class: 'scroll', role: 'region', 'aria-label': 'Heat map', tabindex: 0, onkeydown: (event) => onHeatKey(event, g) },
      el('table', { class: 'heat', role: 'grid', 'aria-label': 'Advantages of ' + seen(nameOf(detail)) },
        el('thead', {}, head), el('tbody', {}, body))),
    el('div', { id: 'cell', class: 'card', role: 'region', 'aria-live': 'polite', 'aria-label': 'Explanation of a cell' }),
    el('div', { id: 'rollout' }))
  if (detail.columns.length > 0) showCell(detail, 0, 0)
  if (!isQuiet) title.focus()
}
`
