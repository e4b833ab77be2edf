/**
 * The page's script, second part: the list of groups, sorted and filtered.
 */
export const listScript: string = String.raw`
const PAGE = 100
const columns = [
  { key: 'group', title: 'group' },
  { key: 'K', title: 'K' },
  { key: 'T', title: 'T' },
  { key: 'reward', title: 'mean reward', digits: 3 },
  { key: 'sigma', title: '\u03c3', digits: 3 },
  { key: 'size', title: 'mean |A|', digits: 3 },
  { key: 'disagree', title: 'signs unlike ' + data.other },
]
const list = { key: 'sigma', down: true, text: '', kind: 'all', shown: PAGE, open: -1 }

const kinds = {
  all: ['all groups', () => true],
  details: ['with details', (row) => row.index < data.details.length],
  signal: ['with a signal', (row) => !row.silent],
  silent: ['without any signal', (row) => row.silent],
  differ: ['with signs unlike ' + data.other, (row) => row.disagree > 0],
}

function compare(a, b) {
  const x = a[list.key]
  const y = b[list.key]
  const order = typeof x === 'number' && typeof y === 'number' ? x - y : String(x).localeCompare(String(y), 'en', { numeric: true })
  return (list.down ? -order : order) || a.index - b.index
}

function sortBy(key) {
  list.down = list.key === key ? !list.down : key !== 'group'
  list.key = key
  list.shown = PAGE
  drawList()
  byId('sort-' + key).focus()
}

function drawList() {
  const text = list.text.toLowerCase()
  const found = rows
    .filter((row) => kinds[list.kind][1](row) && (String(row.group) + ' ' + (row.role || '')).toLowerCase().includes(text))
    .sort(compare)
  const head = columns.map(({ key, title }) => {
    const isSorted = list.key === key
    return el('th', { scope: 'col', 'aria-sort': isSorted ? (list.down ? 'descending' : 'ascending') : undefined },
      el('button', { type: 'button', id: 'sort-' + key, onclick: () => sortBy(key) }, title + (isSorted ? (list.down ? ' \u25be' : ' \u25b4') : '')))
  })
  const body = found.slice(0, list.shown).map((row) => {
    const name = idText(row.group) + (row.role === null ? '' : ' (' + row.role + ')')
    const state = row.silent ? ' \u00b7 silent' : ''
    return el('tr', { 'aria-current': row.index === list.open ? 'true' : undefined, 'data-row': row.index },
      columns.map(({ key, digits }) => key === 'group'
        ? el('td', { class: 'id' }, row.index < data.details.length
          ? el('button', { type: 'button', onclick: () => openGroup(row.index) }, name)
          : name, state)
        : el('td', {}, digits === undefined ? row[key] : row[key].toFixed(digits))))
  })
  byId('count').textContent = found.length + ' of ' + rows.length + ' groups' + (found.length > list.shown ? ', first ' + list.shown + ' shown' : '')
  show('rows', el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, body)))
  byId('more').hidden = found.length <= list.shown
}

function startList() {
  show('list',
    el('div', { class: 'controls' },
      el('label', {}, 'Group contains', el('input', { type: 'search', id: 'filter', oninput: (event) => {
        list.text = event.target.value
        list.shown = PAGE
        drawList()
      } })),
      el('label', {}, 'Show', el('select', { id: 'kind', onchange: (event) => {
        list.kind = event.target.value
        list.shown = PAGE
        drawList()
      } }, Object.entries(kinds).map(([value, [title]]) => el('option', { value }, title)))),
      el('span', { id: 'count', role: 'status' })),
    el('div', { id: 'rows', class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'List of groups' }),
    el('button', { type: 'button', id: 'more', onclick: () => {
      list.shown += 5 * PAGE
      drawList()
    } }, 'Show more'))
  drawList()
}
`
