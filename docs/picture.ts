/**
 * Draws docs/advantages.svg: the advantages of one group, GRPO's beside TARA's.
 *
 *     npx tsx docs/picture.ts > docs/advantages.svg
 */
import { pathToFileURL } from 'node:url'
import { grpo, tara, turnBatch } from 'tara-rl'

const rewards = [
  [1, 1, 1],
  [1, 0, 1],
  [0, 1, 1],
  [1, 1, 0],
]

const CELL = { width: 92, height: 50, gap: 6 }
const PANEL = { left: [92, 424], top: 66 } as const
const SIZE = { width: 732, height: 318 }
/** Pixels of a bar for an advantage of 1. */
const UNIT = 15

/** Headings stand on the page's own color and are legible on white and on black, also where media queries are not read. */
const style = `
  text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
  .head { font-size: 15px; font-weight: 600; fill: #6a737d }
  .note { fill: #6a737d }
  .value { text-anchor: middle; font-variant-numeric: tabular-nums }
  .middle { text-anchor: middle }
  .cell { fill: #f3f5f7 }
  .axis { stroke: #8c959f }
  .plus { fill: #2f7fe0 } .minus { fill: #d4691e }
  .mark { fill: none; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
  .right { stroke: #2f7fe0 } .wrong { stroke: #d4691e }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .head, .note { fill: #a5adb8 } .cell { fill: #1c232c } .axis { stroke: #6e7681 }
    .plus { fill: #4c95ee } .minus { fill: #e5812f } .right { stroke: #4c95ee } .wrong { stroke: #e5812f }
  }
`

const signed = (value: number): string => `${value < 0 ? '\u2212' : '+'}${Math.abs(value).toFixed(2)}`

const round = (value: number): number => Number(value.toFixed(2))

/** A tick where the turn is right, a cross where it is wrong. */
function mark(x: number, y: number, isRight: boolean): string {
  const path = isRight ? `M${x} ${y + 4}l3.5 4 6-8` : `M${x} ${y}l8 8m0-8l-8 8`
  return `<path class="mark ${isRight ? 'right' : 'wrong'}" d="${path}"/>`
}

/** One turn of one rollout: its mark, its advantage, and a bar that is as long. */
function cell(x: number, y: number, reward: number, advantage: number): string {
  const axis = x + CELL.width / 2
  const length = Math.abs(advantage) * UNIT
  const bar = { x: round(advantage < 0 ? axis - length : axis), y: y + 32, width: round(length), height: 9 }
  return [
    `<rect class="cell" x="${x}" y="${y}" width="${CELL.width}" height="${CELL.height}" rx="5"/>`,
    mark(x + 9, y + 10, reward === 1),
    `<text class="value" x="${axis + 4}" y="${y + 20}">${signed(advantage)}</text>`,
    `<rect class="${advantage < 0 ? 'minus' : 'plus'}" x="${bar.x}" y="${bar.y}" width="${bar.width}" height="${bar.height}"/>`,
    `<path class="axis" d="M${axis} ${y + 29}v15"/>`,
  ].join('')
}

function panel(left: number, head: string, advantage: Float64Array): string[] {
  const x = (t: number): number => left + t * (CELL.width + CELL.gap)
  const y = (i: number): number => PANEL.top + i * (CELL.height + CELL.gap)
  return [
    `<text class="head" x="${left}" y="24">${head}</text>`,
    ...[0, 1, 2].map(
      (t) => `<text class="note middle" x="${x(t) + CELL.width / 2}" y="${PANEL.top - 12}">turn ${t}</text>`,
    ),
    ...rewards.flatMap((row, i) => row.map((reward, t) => cell(x(t), y(i), reward, advantage[i * 3 + t]!))),
  ]
}

/** The picture as SVG text. */
export function picture(): string {
  const batch = turnBatch([{ rewards }])
  const row = (i: number): number => PANEL.top + i * (CELL.height + CELL.gap) + CELL.height / 2 + 5
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" width="${SIZE.width}" height="${SIZE.height}" role="img" aria-labelledby="title about">`,
    '<title id="title">Advantages of one group of four rollouts with three turns</title>',
    '<desc id="about">GRPO gives every turn of a rollout the same number. TARA gives each turn its own: a wrong turn gets the blame, the right turns around it do not.</desc>',
    `<style>${style}</style>`,
    ...rewards.map((_, i) => `<text class="note" x="12" y="${row(i)}">rollout ${i}</text>`),
    ...panel(PANEL.left[0], 'GRPO: one number a rollout', grpo(batch)),
    ...panel(PANEL.left[1], 'TARA: one number a turn', tara(batch)),
    `<text class="note" x="${PANEL.left[0]}" y="${SIZE.height - 12}">tick: the turn made the calls it needed; cross: it did not. Bars have one scale.</text>`,
    '</svg>',
  ]
  return `${lines.join('\n')}\n`
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.stdout.write(picture())
