/**
 * Writes src/advantage/kernels/narrow.ts: the turn core with the rollouts of a group unrolled, one function a K.
 *
 *     npx tsx scripts/make-kernels.ts
 *
 * V8 neither unrolls loops nor keeps arrays in registers. Written out, the K running sums of a group stay where
 * they are from turn to turn, and nothing but rewards is read and nothing but advantages written.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Group sizes that have a kernel of their own; `wide.ts` is nearly as fast between and above them. */
const sizes = { binary: [2, 3, 4, 5, 6, 7, 8, 16], real: [4, 8] }

const root = fileURLToPath(new URL('..', import.meta.url))
const file = 'src/advantage/kernels/narrow.ts'

const header = `/**
 * The turn core for groups of few rollouts with the rollouts unrolled. Written by scripts/make-kernels.ts.
 *
 *     S ← r + γ·S backwards;   V = r·S;   A = A_local + λ·A_future        (Eq. 2–5)
 *
 * Eq. 3, binary rewards under the gate \`reward\`. See \`moments.ts\` for the moments and \`job.ts\` for the table.
 */
import { ROUGH_HIGH, ROUGH_LOW } from '../moments.js'
import type { Job, Kernel } from './job.js'
`

/** One kernel. \`binary\`: rewards are 0 and 1, so that A_local is read from the table. */
function kernel(K: number, isBinary: boolean): string {
  const all = Array.from({ length: K }, (_, k) => k)
  const others = all.slice(1)
  const lines = (list: number[], line: (k: number) => string): string => list.map(line).join('\n')
  const sum = (list: number[], term: (k: number) => string): string => list.map(term).join(' + ')
  const counted = (x: string, up: string, down: string): string => `${x} * ${up} + (1 - ${x}) * ${down}`
  const write = (future: (k: number) => string): string =>
    lines(
      all,
      (k) => `out[p${k} + t] = ${isBinary ? counted(`r${k}`, 'passed', 'failed') : `l${k}`}${future(k)}`,
    )
  const isBinaryColumn = (x: string): string => sum(all, (k) => `Math.abs(${x}${k} * (1 - ${x}${k}))`)

  const realLocal = `
      ${lines(others, (k) => `const f${k} = r${k} - r0`)}
      const rSize = ${sum(others, (k) => `Math.abs(f${k})`)}
      ${lines(all, (k) => `let l${k} = 0`)}
      if (rSize !== 0) {
        if (!(rSize >= ROUGH_LOW && rSize <= ROUGH_HIGH)) return g
        const rSquares = ${sum(others, (k) => `f${k} * f${k}`)}
        if (rSquares === rSize && ${isBinaryColumn('r')} === 0) {
          const c = ${sum(all, (k) => `r${k}`)}
          const passed = table[c]!
          const failed = table[${K + 1} + c]!
          ${lines(all, (k) => `l${k} = ${counted(`r${k}`, 'passed', 'failed')}`)}
        } else {
          const rSum = ${sum(others, (k) => `f${k}`)}
          const rMean = rSum / ${K}
          const rDivisor = Math.sqrt((rSquares - rSum * rMean) / divisorOfSquares) + epsilon
          l0 = (0 - rMean) / rDivisor + 0
          ${lines(others, (k) => `l${k} = (f${k} - rMean) / rDivisor + 0`)}
        }
      }`
  const binaryLocal = `
      const c = ${sum(all, (k) => `r${k}`)}
      const passed = table[c]!
      const failed = table[${K + 1} + c]!`

  return `
function ${isBinary ? 'binary' : 'real'}${K}(job: Job, _K: number, first: number, end: number): number {
  const { reward, groupPtr, turnPtr, gamma, lambda, epsilon, table, out } = job
  const divisorOfSquares = ${K} - job.correction${isBinary ? '' : '\n  const { slope, level } = job.gate'}
  for (let g = first; g < end; g++) {
    const i = groupPtr[g]!
    const p0 = turnPtr[i]!
    const T = turnPtr[i + 1]! - p0
    ${lines(others, (k) => `const p${k} = p${k - 1} + T`)}
    ${lines(all, (k) => `let S${k} = 0`)}
    for (let t = T - 1; t >= 0; t--) {
      ${lines(all, (k) => `const r${k} = reward[p${k} + t]!`)}
      ${lines(all, (k) => `const V${k} = ${isBinary ? `r${k}` : `(slope * r${k} + level)`} * S${k}`)}
      ${lines(all, (k) => `S${k} = r${k} + gamma * S${k}`)}
      ${isBinary ? binaryLocal : realLocal}
      ${lines(others, (k) => `const d${k} = V${k} - V0`)}
      const size = ${sum(others, (k) => `Math.abs(d${k})`)}
      if (!(size >= ROUGH_LOW${isBinary ? '' : ' && size <= ROUGH_HIGH'})) {
        if (size !== 0) return g
        ${write(() => '')}
        continue
      }
      const squares = ${sum(others, (k) => `d${k} * d${k}`)}
      if (squares === size && ${isBinaryColumn('V')} === 0) {
        const n = ${sum(all, (k) => `V${k}`)}
        const up = table[n]!
        const down = table[${K + 1} + n]!
        ${write((k) => ` + lambda * (${counted(`V${k}`, 'up', 'down')})`)}
        continue
      }
      const sum = ${sum(others, (k) => `d${k}`)}
      const mean = sum / ${K}
      const divisor = Math.sqrt((squares - sum * mean) / divisorOfSquares) + epsilon
      ${write((k) => ` + lambda * ((${k === 0 ? '0' : `d${k}`} - mean) / divisor)`)}
    }
  }
  return end
}
`
}

const tables = (['binary', 'real'] as const)
  .map(
    (kind) => `
/** By K${kind === 'binary' ? '; for batches of rewards 0 and 1' : ''}. */
export const ${kind}Kernels: readonly (Kernel | undefined)[] = [${Array.from({ length: sizes[kind].at(-1)! + 1 }, (_, K) => (sizes[kind].includes(K) ? `${kind}${K}` : 'undefined')).join(', ')}]
`,
  )
  .join('')

/** The source as it stands in the repository, formatted. */
export function narrowSource(): string {
  const kernels = [...sizes.binary.map((K) => kernel(K, true)), ...sizes.real.map((K) => kernel(K, false))]
  return execFileSync(`${root}node_modules/.bin/biome`, ['format', `--stdin-file-path=${file}`], {
    cwd: root,
    input: header + kernels.join('') + tables,
    encoding: 'utf8',
  })
}

/** The source that is there. */
export function narrowFile(): string {
  return readFileSync(`${root}${file}`, 'utf8')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(`${root}${file}`, narrowSource())
