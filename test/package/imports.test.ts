/**
 * Imports go one way, and what a browser gets needs nothing from outside.
 *
 * Imports of types count like others: a type known in both directions is one idea in two files.
 */
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { entries, graph, importsOf, isRelative, reachedFrom, root, sources } from './sources.js'

/** From the bottom up: a part may import itself and the layers below its own. */
const layers: readonly (readonly string[])[] = [
  ['errors'],
  ['options'],
  ['batch'],
  ['reward', 'advantage', 'baselines'],
  ['tokens'],
  ['formats', 'diagnose', 'tfjs', 'synth'],
  ['trainers'],
  ['report'],
  ['cli'],
]

/** Inside a layer: GRPO normalizes with the kernel and the options of TARA. */
const siblings: readonly string[] = ['baselines → advantage']

/** Parts that src/index.ts leaves to entries of their own. */
const elsewhere: readonly string[] = ['formats', 'trainers', 'tfjs', 'synth', 'report', 'cli']

/** `batch` of `src/batch/build.ts`, `errors` of `src/errors.ts`. */
const partOf = (path: string): string => path.split('/')[1]!.replace(/\.ts$/, '')

const layerOf = (part: string): number => layers.findIndex((layer) => layer.includes(part))

function mayImport(from: string, to: string): boolean {
  if (from === 'index') return !elsewhere.includes(to) && layerOf(to) >= 0
  return from === to || siblings.includes(`${from} → ${to}`) || layerOf(from) > layerOf(to)
}

function wrongWays(files: ReadonlyMap<string, readonly string[]>): string[] {
  return [...files].flatMap(([path, targets]) =>
    targets
      .filter((target) => !mayImport(partOf(path), partOf(target)))
      .map((target) => `${path} → ${target}`),
  )
}

/** Every way back to a file that is still being looked at: `a → b → a`. */
function cycles(files: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const trail: string[] = []
  function follow(path: string): void {
    const at = trail.indexOf(path)
    if (at >= 0) found.push([...trail.slice(at), path].join(' → '))
    if (at >= 0 || done.has(path)) return
    trail.push(path)
    for (const target of files.get(path) ?? []) follow(target)
    trail.pop()
    done.add(path)
  }
  for (const path of files.keys()) follow(path)
  return found
}

describe('imports of src/', () => {
  it('are found however they are written', () => {
    const text = `
      import { a } from './1.js'
      import type { B } from './2.js'
      export * from './3.js'
      export type { C } from './4.js'
      import './5.js'
      const d: import('./6.js').D = await import('./7.js')
      import e = require('./8.js')
      require('./9.js')
      import(a)
      // import './10.js'
    `
    const names = Array.from({ length: 9 }, (_, k) => `./${k + 1}.js`)
    expect(importsOf('example.ts', text).sort()).toEqual([...names, 'a'])
  })

  it('lead to files that exist', () => {
    expect(sources.length).toBeGreaterThan(40)
    const lost = [...graph].flatMap(([path, targets]) =>
      targets.filter((target) => !sources.includes(target)).map((target) => `${path} → ${target}`),
    )
    expect(lost).toEqual([])
  })

  it('know every part: a new folder has its place in the layers', () => {
    expect(sources.map(partOf).filter((part) => part !== 'index' && layerOf(part) < 0)).toEqual([])
  })

  it('go one way', () => {
    expect(wrongWays(graph)).toEqual([])
  })

  it('make no cycle', () => {
    expect(cycles(graph)).toEqual([])
  })

  it('would be noticed going back, across, around, or out of the core', () => {
    const back = new Map([['src/batch/a.ts', ['src/tokens/b.ts', 'src/errors.ts']]])
    const across = new Map([['src/reward/a.ts', ['src/advantage/b.ts', 'src/reward/c.ts']]])
    const core = new Map([['src/index.ts', ['src/formats/index.ts', 'src/batch/a.ts']]])
    expect([back, across, core].flatMap(wrongWays)).toEqual([
      'src/batch/a.ts → src/tokens/b.ts',
      'src/reward/a.ts → src/advantage/b.ts',
      'src/index.ts → src/formats/index.ts',
    ])
    const around = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['b', 'd']],
      ['d', []],
    ])
    expect(cycles(around)).toEqual(['b → c → b'])
  })
})

/** Entries that are for Node, or for a program that has brought its own packages. */
const notForBrowsers: readonly string[] = ['src/tfjs/index.ts', 'src/synth/index.ts']

/** Packages that are loaded by name when they are first used. */
const loadedLate: readonly string[] = ['src/formats/peers.ts → name']

describe('what runs in a browser', () => {
  for (const entry of entries.filter((path) => !notForBrowsers.includes(path))) {
    it(`${entry} reaches no package and nothing of Node`, () => {
      const outside = reachedFrom(entry).flatMap((path) =>
        importsOf(path)
          .filter((name) => !isRelative(name))
          .map((name) => `${path} → ${name}`)
          .filter((way) => !loadedLate.includes(way)),
      )
      expect(outside).toEqual([])
    })

    it(`${entry} is well typed where only the globals of a browser are known`, () => {
      const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
      const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
      const program = ts.createProgram([`${root}${entry}`], {
        ...options,
        types: [],
        lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
      })
      const faults = ts.getPreEmitDiagnostics(program)
      expect(faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([])
    })
  }
})
