/**
 * The page's script, first part: the data, and how elements are made. Text goes in as text, never as markup.
 */
export const domScript: string = String.raw`
const data = JSON.parse(document.getElementById('data').textContent)
const rows = data.rows.map((values, index) => {
  const row = { index }
  data.fields.forEach((name, k) => { row[name] = values[k] })
  return row
})

/** Text with what cannot be seen written out. */
const seen = (text) => String(text).replace(/(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu,
  (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'))

/** An element with attributes, listeners (on…) and children; text is set as text. */
function el(name, attributes, ...children) {
  const svg = name === 'svg' || name === 'rect' || name === 'title'
  const node = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name)
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === false) continue
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value)
    else node.setAttribute(key, value)
  }
  for (const child of children.flat()) {
    if (child === undefined || child === false) continue
    node.append(child instanceof Node ? child : seen(child))
  }
  return node
}

const byId = (id) => document.getElementById(id)
const show = (id, ...children) => byId(id).replaceChildren(...children)

function signed(value, digits = 3) {
  const text = Math.abs(value).toFixed(digits)
  return value > 0 ? '+' + text : value < 0 ? '\u2212' + text : text
}
const plain = (value) => String(Number(value.toPrecision(12))).replace('-', '\u2212')

/** The step of the color scale: symmetric about 0. */
function step(value) {
  if (value === 0) return 'zero'
  return (value > 0 ? 'p' : 'n') + Math.min(5, Math.max(1, Math.ceil(Math.abs(value) / data.limit * 5)))
}

/** An id as a name: text that would read like a number, or like nothing, stands in quotes. */
const idText = (id) => typeof id === 'string' && /^[-0-9\s]*$/.test(id) ? JSON.stringify(id) : String(id)

const nameOf = ({ group, role }) => 'group ' + idText(group) + (role === null || role === undefined ? '' : ', role ' + role)
`
