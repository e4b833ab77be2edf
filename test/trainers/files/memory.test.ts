/**
 * A large table is written from where it lies: no second copy of it is made.
 */
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { collect, workFolder } from '../../cli/run.js'

const { path } = workFolder()
const writer = fileURLToPath(new URL('../../../dist/cli/write-table.js', import.meta.url))

/** Writes a small table, then a large one; prints the largest memory of the process over what it had before. */
const program = `
  const { encoderFor, writeTable } = await import(${JSON.stringify(writer)})
  const path = process.argv[1]
  const io = { out: async () => {}, undo: new Set(), waiting: new Set() }
  function table(numRows, length) {
    const ptr = Int32Array.from({ length: numRows + 1 }, (_, n) => n * length)
    const list = (Type) => ({ kind: 'list', ptr, values: new Type(numRows * length).fill(1) })
    const columns = { advantages: list(Float64Array), weights: list(Float64Array), ids: list(Int32Array), mask: list(Uint8Array) }
    return { numRows, columns: new Map(Object.entries(columns)), metadata: {} }
  }
  const encoder = await encoderFor(path)
  await writeTable(path, encoder, table(10, 10), io)
  const large = table(10000, 1000)
  const before = process.memoryUsage().rss
  await writeTable(path, encoder, large, io)
  console.log((process.resourceUsage().maxRSS * 1024) / before)
`

describe('the memory that writing 210 MB takes', () => {
  it.each(['npz', 'safetensors', 'arrow'])('is at most a tenth more for .%s', async (kind) => {
    const file = path(`large.${kind}`)
    const args = ['--input-type=module', '-e', program, file]
    const { stdout, stderr } = await collect(
      spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] }),
    )
    expect(stderr).toBe('')
    expect(statSync(file).size).toBeGreaterThan(200e6)
    expect(Number(stdout)).toBeLessThanOrEqual(1.1)
  })
})
