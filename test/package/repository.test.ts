/**
 * What is committed: nothing of the machine it was written on, no chance and no clock in the library, no script that
 * nobody runs.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { placeOf, root, sources, textOf, treeOf, walk } from './sources.js'

const isCheckout = existsSync(`${root}.git`)

/** Files that are committed or would be. */
function committed(): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0')
  return listed.filter((path) => path !== '' && lstatSync(root + path, { throwIfNoEntry: false })?.isFile())
}

/** Lines of a text that hold one of some words or match one of some patterns, as `file:line: text`. */
function linesWith(path: string, text: string, signs: readonly (string | RegExp)[]): string[] {
  return text.split('\n').flatMap((line, k) => {
    const isFound = signs.some((sign) => (typeof sign === 'string' ? line.includes(sign) : sign.test(line)))
    return isFound ? [`${path}:${k + 1}: ${line.trim().slice(0, 120)}`] : []
  })
}

/** Host names of the registry that npm asks here, unless it is the public one. */
function registryHosts(): string[] {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim()
  if (!URL.canParse(registry)) return []
  const { host } = new URL(registry)
  return host === 'registry.npmjs.org' || host === '' ? [] : [host]
}

/** The folders that a checkout lies in here, but for those that are nobody's. */
function foldersHere(): string[] {
  const here = [root, `${dirname(root)}/`, `${homedir()}/`]
  return here.filter((path) => path !== '/' && path !== `${tmpdir()}/`)
}

/** An absolute path into a folder of this machine, or into one where people's files lie on others. */
function absolutePath(): RegExp {
  const people = ['/home/', '/Users/', '/root/', 'C:\\Users\\']
  const names = [...foldersHere(), ...people].map((path) => path.replaceAll(/[^\w/]/g, '\\$&'))
  return new RegExp(`(^|[^\\w.*~-])(${names.join('|')})\\w`)
}

describe.skipIf(!isCheckout)('the repository', () => {
  it('names no folder of a machine', () => {
    const files = committed()
    expect(files.length).toBeGreaterThan(100)
    expect(files.flatMap((path) => linesWith(path, textOf(path), [absolutePath()]))).toEqual([])
  })

  it('would notice one', () => {
    const people = ['', 'home', 'someone', 'project'].join('/')
    const text = `cd '${people}'\nsee docs${people}\n${root}x\nfile://${root}x\n../..${root}x`
    const places = linesWith('a', text, [absolutePath()]).map((line) => line.split(': ')[0])
    expect(places).toEqual(['a:1', 'a:3', 'a:4'])
  })

  it('names no registry', () => {
    const hosts = registryHosts()
    expect(committed().flatMap((path) => linesWith(path, textOf(path), hosts))).toEqual([])
  })

  it('locks packages by their hash, not by where they were downloaded', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { resolved?: string; integrity?: string }>
    }
    const locked = Object.keys(packages).filter((path) => path !== '')
    expect(locked.length).toBeGreaterThan(50)
    expect(locked.filter((path) => packages[path]!.resolved !== undefined)).toEqual([])
    expect(locked.filter((path) => packages[path]!.integrity === undefined)).toEqual([])
  })

  it('holds no file that a build makes', () => {
    expect(
      committed().filter((path) => /^(dist|node_modules|coverage|\.cache|tara-demo)\/|\.tgz$/.test(path)),
    ).toEqual([])
  })
})

/** Globals that would make a result depend on chance, on time, or on where it is computed, or that print or exit. */
const forbidden: ReadonlySet<string> = new Set([
  'console',
  'process',
  'Date',
  'performance',
  'crypto',
  'globalThis',
  'setTimeout',
  'setInterval',
  'eval',
  'Function',
])

/** Files whose work is outside, and what they need for it. */
const outsiders: Readonly<Record<string, readonly string[]>> = {
  'src/reward/bytes.ts': ['globalThis'], // looks for Node's faster way; the result is the same
  'src/synth/chat-endpoint.ts': ['setTimeout', 'globalThis'], // waits, and asks over a network
  'src/synth/disk-cache.ts': ['process'], // names a temporary file
  'src/synth/environment.ts': ['setTimeout'], // gives up on a tool that hangs
  'src/synth/folder.ts': ['setTimeout'], // gives up on a module that never loads
  'src/synth/mcp-server.ts': ['process'], // serves on stdin and stdout
  'src/tfjs/load.ts': ['globalThis', 'process'], // looks for backends
}

/** Whether a `Date` only reckons with a time that it is given. */
const isReckoning = (node: ts.Identifier): boolean =>
  (ts.isNewExpression(node.parent) && (node.parent.arguments?.length ?? 0) > 0) ||
  (ts.isPropertyAccessExpression(node.parent) && ['parse', 'UTC'].includes(node.parent.name.text))

/** Uses of `Math.random` and of forbidden globals. A member or a key of such a name is none, nor is a type. */
function impurities(tree: ts.SourceFile): string[] {
  const found: string[] = []
  walk(tree, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random')
      found.push(`${placeOf(node)} Math.random`)
    if (!ts.isIdentifier(node) || !forbidden.has(node.text) || ts.isTypeReferenceNode(node.parent)) return
    const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    const isKey =
      (ts.isPropertyAssignment(node.parent) || ts.isPropertySignature(node.parent)) &&
      node.parent.name === node
    if (node.text === 'Date' && isReckoning(node)) return
    if (outsiders[tree.fileName]?.includes(node.text)) return
    if (!isMember && !isKey) found.push(`${placeOf(node)} ${node.text}`)
  })
  return found
}

describe('the sources outside the command line', () => {
  it('take no chance, read no clock, print nothing and end nothing', () => {
    const library = sources.filter((path) => !path.startsWith('src/cli/'))
    expect(library.flatMap((path) => impurities(treeOf(path)))).toEqual([])
  })

  it('would be noticed doing so', () => {
    const text = `
      // Math.random() in a comment is none
      const a = Math.random() + Date.now()
      console.log(a, 'process.exit', { Date: 1 }.Date)
      process.exit(new Date().getTime() + Date.parse('2026') > performance.now() ? 1 : 0)
    `
    const found = impurities(treeOf('a.ts', text)).map((place) => place.split(' ')[1])
    expect(found.sort()).toEqual(['Date', 'Date', 'Math.random', 'console', 'performance', 'process'])
  })
})

describe('the command line', () => {
  it('ends and prints in main.ts only', () => {
    const others = sources.filter((path) => path.startsWith('src/cli/') && path !== 'src/cli/main.ts')
    const ways = [/\bconsole\.\w/, /\bprocess\.(exit|stdout|stderr|abort|kill)\b/]
    expect(others.flatMap((path) => linesWith(path, textOf(path), ways))).toEqual([])
  })
})

describe('every npm script', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
  /** npm runs these itself. */
  const implied = ['prepare']

  it('is run by .ci/run, or by a script that is', () => {
    const text = [readFileSync(`${root}.ci/run`, 'utf8'), ...Object.values(scripts)].join('\n')
    const isRun = (name: string): boolean =>
      new RegExp(`\\bnpm (run )?${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w:-])`).test(text)
    expect(Object.keys(scripts).filter((name) => !implied.includes(name) && !isRun(name))).toEqual([])
  })

  it('calls scripts that exist', () => {
    const called = [textOf('.ci/run'), ...Object.values(scripts)].flatMap((text) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name!),
    )
    expect(called.length).toBeGreaterThan(5)
    expect(called.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })
})
