/**
 * The built package, bundled for a browser: nothing is imported from outside, and it computes where Node is not.
 */
import vm from 'node:vm'
import { build, type Rollup } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'
import { root, textOf } from './sources.js'

interface Bundle {
  readonly code: string
  /** Imports of anything but a file next to the importer. */
  readonly outside: readonly string[]
}

/** The file that a name of the package leads to: `dist/index.js`. */
function builtFile(subpath: string): string {
  const { exports } = JSON.parse(textOf('package.json')) as { exports: Record<string, { default: string }> }
  return exports[subpath]!.default
}

/** Bundles a file into one script that sets the variable `tara`. */
async function bundle(entry: string): Promise<Bundle> {
  const outside: string[] = []
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'imports-from-outside',
        enforce: 'pre',
        resolveId(name, importer) {
          if (importer !== undefined && !/^\.\.?\//.test(name)) outside.push(name)
        },
      },
    ],
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      lib: { entry, formats: ['iife'], name: 'tara' },
    },
  })
  const { output } = (built as Rollup.RollupOutput[])[0]!
  expect(output.length).toBe(1)
  return { code: output[0].code, outside }
}

/** Runs scripts where JavaScript itself and a browser's text decoder are the only globals; the last one's value as JSON. */
function runBare(...scripts: string[]): unknown {
  const context = vm.createContext({ TextDecoder })
  const values = scripts.map((script) => vm.runInContext(script, context))
  return JSON.parse(JSON.stringify(values.at(-1)))
}

describe('the bundle for a browser', () => {
  let core: Bundle
  let formats: Bundle

  beforeAll(async () => {
    core = await bundle(builtFile('.'))
    formats = await bundle(builtFile('./formats'))
  })

  it('imports nothing from outside', () => {
    expect(core.outside).toEqual([])
    expect(formats.outside).toEqual([])
  })

  it('would show an import from outside', async () => {
    const { outside } = await bundle('dist/cli/commands/estimators.js')
    expect(outside).toEqual(expect.arrayContaining(['commander']))
  })

  it('computes advantages of turns and of tokens', () => {
    const script = `
      const batch = tara.turnBatch([{ rewards: [[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]] }])
      const turnAdvantage = tara.tara(batch)
      const spans = tara.tokenSpans(batch, [0, 1, 2, 3].map(() => ({ length: 4, turns: [[[0, 1]], [[1, 2]], [[3, 4]]] })))
      const tokenAdvantage = tara.broadcast(turnAdvantage, spans)
      const shown = (values) => Array.from(values, (value) => value.toFixed(2))
      const result = [shown(turnAdvantage.subarray(3, 6)), shown(tokenAdvantage.subarray(4, 8))]
      result
    `
    expect(runBare(core.code, script)).toEqual([
      ['0.35', '-2.23', '0.58'],
      ['0.35', '-2.23', '0.00', '0.58'],
    ])
  })

  it('scores calls, and refuses what it refuses elsewhere', () => {
    const script = `
      const calls = (seats) => ({ turns: [[{ name: 'book', arguments: '{"seats":' + seats + '}' }]] })
      const golden = [[{ name: 'book', arguments: { seats: 2 } }]]
      const { batch } = tara.scoreGroups([{ golden, rollouts: [calls('2.0'), calls('3')] }])
      let message
      try {
        tara.tara(batch, { lambda: 2 })
      } catch (error) {
        message = [error instanceof tara.TaraError, error.message.split(':')[0]]
      }
      const result = [Array.from(batch.reward), message]
      result
    `
    expect(runBare(core.code, script)).toEqual([
      [1, 0],
      [true, 'tara'],
    ])
  })

  it('reads a log from bytes', () => {
    const lines = [0, 1].map((rollout) => JSON.stringify({ group: 'ä', rollout, rewards: [1, rollout] }))
    const bytes = [...new TextEncoder().encode(lines.join('\n'))]
    const script = `
      const log = tara.rolloutLog('rollouts.jsonl')
      const splitter = tara.lineSplitter('rollouts.jsonl', tara.MAX_LINE, log.addBytes)
      splitter.push(Uint8Array.from(${JSON.stringify(bytes)}))
      splitter.end()
      const result = Array.from(log.finish().batch.reward)
      result
    `
    expect(runBare(formats.code, script)).toEqual([1, 0, 1, 1])
  })

  it('would fail where it needs a global of Node', () => {
    expect(() => runBare('process.version')).toThrow('process is not defined')
  })
})
