/**
 * The page's script, last part: one rollout with its tokens, its conversation, and its calls beside the golden ones.
 */
export const rolloutScript: string = String.raw`
/** One sequence of tokens: spans in the color of their turn's advantage, all else gray. */
function stripNode(rollout, strip, s, numStrips) {
  const scale = 1000 / Math.max(1, strip.length)
  const trained = strip.spans.reduce((sum, [start, end]) => sum + end - start, 0)
  const label = (numStrips > 1 ? 'sequence ' + s + ': ' : '') + trained + ' of ' + strip.length + ' tokens are trained'
  return el('div', {}, el('div', { class: 'note' }, label),
    el('svg', { class: 'strip', viewBox: '0 0 1000 26', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
      el('rect', { class: 'masked', width: 1000, height: 26 }, el('title', {}, 'not trained')),
      strip.spans.map(([start, end, t]) => {
        const value = rollout.cells[t] === undefined ? 0 : rollout.cells[t].advantage
        return el('rect', { class: step(value), x: start * scale, width: Math.max(0.5, (end - start) * scale), y: value < 0 ? 8 : 0, height: 18 },
          el('title', {}, 'turn ' + t + ', tokens ' + start + ' to ' + (end - 1) + ': ' + signed(value)))
      })))
}

function messageNode(rollout, message, differs) {
  const cut = message.cut === undefined ? '' : ' \u2026 (' + message.cut + ' more characters)'
  return el('div', { class: 'message' }, el('span', { class: 'who' }, message.role), message.text + cut,
    message.calls.filter((c) => rollout.calls !== undefined && c < rollout.calls.length)
      .map((c) => callNode(rollout.calls[c], rollout.calls[c].mark, differs.get(c))))
}

function turnNodes(detail, rollout) {
  const differs = differences(rollout)
  const messages = rollout.messages || []
  const isAligned = detail.scope === 'turn'
  const last = messages.reduce((most, { turn }) => Math.max(most, turn), -1)
  const count = isAligned ? Math.max(last + 1, rollout.cells.length) : last + 1
  const sections = []
  for (let t = -1; t < count; t++) {
    const own = messages.filter(({ turn }) => turn === t)
    const cell = isAligned ? rollout.cells[t] : undefined
    if (own.length === 0 && cell === undefined) continue
    const title = t < 0 ? 'Before the first turn'
      : cell === undefined ? 'Turn ' + t + (isAligned ? ' (beyond the golden trace)' : ' of the log')
      : 'Turn ' + t + ': ' + rewardText(cell) + ', advantage ' + signed(cell.advantage)
    const golden = cell === undefined ? [] : goldenNodes(detail.columns[t], cell.coverage)
    const said = own.length > 0 ? own.map((message) => messageNode(rollout, message, differs))
      : cell !== undefined && rollout.messages === undefined ? madeNodes(detail, rollout, t) : []
    sections.push(el('div', { class: 'turn', 'data-turn': t }, el('h4', { tabindex: -1 }, title),
      el('div', { class: 'columns' }, el('div', {}, said), golden.length === 0 ? undefined : el('div', {}, el('h4', {}, 'Golden calls'), golden))))
  }
  return sections
}

/** Golden turns of a rollout whose own turns do not line up with them. */
function goldenSections(detail, rollout) {
  if (detail.scope === 'turn') return []
  return rollout.cells.map((cell, t) => el('div', { class: 'turn', 'data-turn': 'golden-' + t },
    el('h4', { tabindex: -1 }, 'Golden turn ' + t + ': ' + rewardText(cell) + ', advantage ' + signed(cell.advantage)),
    goldenNodes(detail.columns[t], cell.coverage)))
}

function openRollout(g, r, t) {
  const detail = data.details[g]
  const rollout = detail.rollouts[r]
  focusCell(r, t)
  const title = el('h3', { tabindex: -1, id: 'rollout-title' }, 'Rollout ' + idText(rollout.rollout) + ' of ' + nameOf(detail) + ' (' + rollout.status + ')')
  const strips = (rollout.tokens || []).map((strip, s) => stripNode(rollout, strip, s, rollout.tokens.length))
  const isBare = rollout.messages === undefined
  show('rollout', title,
    el('p', {}, el('button', { type: 'button', id: 'back', onclick: () => focusCell(r, t) }, 'Back to the heat map')),
    strips.length > 0 ? el('p', { class: 'note' }, 'Tokens of the rollout from left to right, in the color of the advantage of their turn; positive ones stand high, negative ones low, tokens that are not trained are gray.') : '',
    ...strips,
    isBare ? el('p', { class: 'note' }, 'This page has no messages of the rollout.') : '',
    ...goldenSections(detail, rollout),
    ...turnNodes(detail, rollout))
  byId('rollout').onkeydown = (event) => { if (event.key === 'Escape') focusCell(r, t) }
  const place = byId('rollout').querySelector('[data-turn="' + (detail.scope === 'turn' ? t : 'golden-' + t) + '"] h4')
  if (t > 0 && place !== null) place.focus()
  else title.focus()
}
`
