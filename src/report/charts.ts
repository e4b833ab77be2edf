/**
 * Charts as inline SVG: text with every bar, so that nothing is told by color alone. Colors are classes of the page.
 */
import { escaped } from './text.js'

export interface Bar {
  readonly label: string
  readonly value: number
  /** What stands behind the bar. */
  readonly text: string
}

const ROW = 24
const LABEL = 88
const LENGTH = 220
const WIDTH = 400

const round = (value: number): number => Number(value.toFixed(2))

function svg(title: string, width: number, height: number, body: string): string {
  return `<svg class="chart" role="img" aria-label="${escaped(title)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${body}</svg>`
}

/** Horizontal bars, one a line.
 * @param most - the value of a bar of full length
 */
export function barChart(title: string, bars: readonly Bar[], most: number): string {
  const body = bars.map(({ label, value, text }, k) => {
    const y = k * ROW
    const width = most > 0 ? round((LENGTH * value) / most) : 0
    return (
      `<text class="label" x="${LABEL - 8}" y="${y + 16}">${escaped(label)}</text>` +
      `<rect class="track" x="${LABEL}" y="${y + 4}" width="${LENGTH}" height="${ROW - 8}"/>` +
      `<rect class="bar" x="${LABEL}" y="${y + 4}" width="${width}" height="${ROW - 8}"/>` +
      `<text x="${LABEL + LENGTH + 8}" y="${y + 16}">${escaped(text)}</text>`
    )
  })
  return svg(title, WIDTH, Math.max(1, bars.length) * ROW, body.join(''))
}

export interface Stack {
  readonly label: string
  /** Two parts of the whole, and what is left. */
  readonly parts: readonly [right: number, wrong: number]
  readonly whole: number
  readonly text: string
}

/** Bars of two parts, one a line; the second part is hatched. */
export function stackChart(title: string, stacks: readonly Stack[]): string {
  const hatch =
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
    '<rect class="wrong" width="6" height="6"/><rect class="gap" width="2" height="6"/></pattern>'
  const body = stacks.map(({ label, parts: [right, wrong], whole, text }, k) => {
    const y = k * ROW
    const scale = whole > 0 ? LENGTH / whole : 0
    const first = round(right * scale)
    return (
      `<text class="label" x="${LABEL - 8}" y="${y + 16}">${escaped(label)}</text>` +
      `<rect class="track" x="${LABEL}" y="${y + 4}" width="${LENGTH}" height="${ROW - 8}"/>` +
      `<rect class="bar" x="${LABEL}" y="${y + 4}" width="${first}" height="${ROW - 8}"/>` +
      `<rect fill="url(#hatch)" x="${LABEL + first}" y="${y + 4}" width="${round(wrong * scale)}" height="${ROW - 8}"/>` +
      `<text x="${LABEL + LENGTH + 8}" y="${y + 16}">${escaped(text)}</text>`
    )
  })
  return svg(title, WIDTH, Math.max(1, stacks.length) * ROW, `<defs>${hatch}</defs>${body.join('')}`)
}

const COLUMN = 20
const PLOT = 70

/** Columns of counts around 0: negative ones to the left, exact zeros in the middle.
 * @param counts - `[2·bins + 1]`
 * @param limit - the value at both ends
 */
export function histogram(title: string, counts: readonly number[], limit: number): string {
  const most = Math.max(1, ...counts)
  const middle = (counts.length - 1) / 2
  const body = counts.map((n, k) => {
    const height = round((PLOT * n) / most)
    const side = k < middle ? 'n4' : k > middle ? 'p4' : 'zero'
    return n === 0
      ? ''
      : `<rect class="${side}" x="${k * COLUMN + 1}" y="${16 + PLOT - height}" width="${COLUMN - 2}" height="${height}"/>` +
          `<text class="small" x="${k * COLUMN + COLUMN / 2}" y="${12 + PLOT - height}">${n}</text>`
  })
  const width = counts.length * COLUMN
  const base = 16 + PLOT
  const at = (x: number, text: string): string =>
    `<text class="small" x="${x}" y="${base + 14}">${escaped(text)}</text>`
  const end = limit.toFixed(1)
  return svg(
    title,
    width,
    base + 18,
    `${body.join('')}<path class="axis" d="M0 ${base}H${width}"/>` +
      at(COLUMN, `\u2212${end}`) +
      at(width / 2, '0') +
      at(width - COLUMN, `+${end}`),
  )
}
