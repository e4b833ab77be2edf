/**
 * The package as a user gets it: packed, installed into an empty project, imported, type-checked and run.
 *
 * Its dependencies come from the registry. Where none is reachable they are packed from this checkout instead.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root, sources, textOf } from './sources.js'

const { version, dependencies } = JSON.parse(textOf('package.json')) as {
  version: string
  dependencies: Record<string, string>
}

const noNetwork =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

let folder: string
let project: string
let files: readonly string[]

/** Packs a folder as it stands; the tarball and the files in it. */
function pack(source: string): { tarball: string; files: string[] } {
  const args = ['pack', source, '--ignore-scripts', '--json', '--pack-destination', folder]
  const output = execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })
  // a list, or an object by package
  const [packed] = Object.values(JSON.parse(output)) as [{ filename: string; files: { path: string }[] }]
  return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path).sort() }
}

function install(...tarballs: string[]): { status: number | null; output: string } {
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--fetch-retries=1',
    '--fetch-timeout=30000',
    ...tarballs,
  ]
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: project, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Runs a program in the project; what it prints. */
function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: project,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  expect(status, stdout + stderr).toBe(0)
  return stdout
}

function write(name: string, text: string): void {
  writeFileSync(join(project, name), text)
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-package-'))
  project = join(folder, 'project')
  mkdirSync(project)
  write('package.json', '{ "private": true, "type": "module" }')
  const packed = pack(root)
  files = packed.files
  let { status, output } = install(packed.tarball)
  if (status !== 0 && noNetwork.test(output)) {
    console.warn('no registry within reach: the dependencies are packed from node_modules')
    const packages = Object.keys(dependencies).map((name) => pack(`${root}node_modules/${name}`).tarball)
    ;({ status, output } = install('--offline', packed.tarball, ...packages))
  }
  if (status !== 0) throw new Error(`npm install: ${output}`)
}, 300_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the compiler makes of a source file. */
const builtOf = (source: string): string[] => {
  const base = source.replace(/^src\//, 'dist/').replace(/\.ts$/, '')
  return ['.d.ts', '.d.ts.map', '.js', '.js.map'].map((ending) => base + ending)
}

describe('the tarball', () => {
  it('holds sources, what is built from them, the schema, and four files of text', () => {
    const text = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']
    const expected = [...sources.flatMap(builtOf), ...sources, 'schema/rollout.schema.json', ...text]
    // a file of dist/ too many: its source is gone, and `npm run build` clears it away
    expect(files).toEqual(expected.sort())
  })

  it('has the source of every map', () => {
    const maps = files.filter((path) => path.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(80)
    const lost = maps.flatMap((path) => {
      const map = JSON.parse(textOf(path)) as { sources: string[] }
      return map.sources
        .map((source) => posix.join(posix.dirname(path), source))
        .filter((source) => !files.includes(source))
    })
    expect(lost).toEqual([])
  })
})

describe('an empty project with the package', () => {
  it('has its dependencies and no other package', () => {
    const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))
    const ofAjv = ['fast-deep-equal', 'fast-uri', 'json-schema-traverse', 'require-from-string']
    expect(Object.keys(dependencies).sort()).toEqual(['ajv', 'commander', 'pure-rand'])
    expect(installed.sort()).toEqual([...Object.keys(dependencies), ...ofAjv, 'tara-rl'].sort())
  })

  it('runs a JavaScript module that imports all that is exported', () => {
    write(
      'program.mjs',
      `
      import { readFileSync } from 'node:fs'
      import { fileURLToPath } from 'node:url'
      import { tara, turnBatch } from 'tara-rl'
      import { rolloutLog } from 'tara-rl/formats'

      const log = rolloutLog('here')
      for (const [rollout, rewards] of [[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]].entries())
        log.addRecord({ group: 'task', rollout, rewards })
      const { batch } = log.finish()
      const same = tara(turnBatch([{ rewards: [[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 0]] }]))
      const schema = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('tara-rl/schema/rollout.json')), 'utf8'))
      const { version } = JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('tara-rl/package.json')), 'utf8'))
      const advantages = [tara(batch), same].map((all) => Array.from(all.subarray(3, 6), (value) => value.toFixed(2)))
      console.log(JSON.stringify({ advantages, schema: schema.type, version }))
      `,
    )
    const advantage = ['0.35', '-2.23', '0.58']
    expect(JSON.parse(run(process.execPath, 'program.mjs'))).toEqual({
      advantages: [advantage, advantage],
      schema: 'object',
      version,
    })
  })

  it('cannot import what is not exported', () => {
    write('deep.mjs', `import('tara-rl/dist/batch/build.js').catch((error) => console.log(error.code))`)
    expect(run(process.execPath, 'deep.mjs').trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  it('type-checks a strict TypeScript program, its mistakes too, and runs it', () => {
    write(
      'program.ts',
      `
      import { broadcast, type TaraOptions, TaraError, tara, type TokenSpans, tokenSpans, turnBatch } from 'tara-rl'
      import { type LogReader, rolloutLog } from 'tara-rl/formats'

      declare const console: { log(text: string): void }

      const options: Partial<TaraOptions> = { gamma: 0.5, gate: { threshold: 0.5 } }
      const batch = turnBatch([{ rewards: [[1, 0], [0, 1]] }])
      const advantage: Float64Array = tara(batch, options)
      const spans: TokenSpans = tokenSpans(batch, [
        { length: 3, turns: [[[0, 1]], [[2, 3]]] },
        { length: 2, turns: [[[0, 1]], [[1, 2]]] },
      ])
      const tokens = broadcast(advantage, spans)
      const log: LogReader = rolloutLog('here')
      log.addRecord({ group: 1, rollout: 1, rewards: [1] })
      const groups: number = log.finish().batch.groupPtr.length - 1

      // @ts-expect-error an option that does not exist
      const misspelled = (): Float64Array => tara(batch, { gama: 1 })
      // @ts-expect-error a batch is not made of bare rows
      const bare = (): Float64Array => tara([[1, 0]])
      try {
        misspelled()
      } catch (error) {
        if (error instanceof TaraError) console.log(\`\${error.code} \${tokens.length} \${groups} \${typeof bare}\`)
      }
      `,
    )
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      target: 'es2022',
      lib: ['es2022'],
      module: 'nodenext',
      types: [],
      rootDir: '.',
      outDir: 'out',
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['program.ts'] }))
    const tsc = `${root}node_modules/typescript/bin/tsc`
    expect(run(process.execPath, tsc, '--noEmit')).toBe('')
    run(process.execPath, tsc)
    expect(run(process.execPath, 'out/program.js').trim()).toBe('OPTION 5 1 function')
  })

  it('has the command tara, which knows its version', () => {
    expect(run('npx', '--no-install', 'tara', '--version').trim()).toBe(version)
  })

  it('runs the demo and reads what it wrote', () => {
    run('npx', '--no-install', 'tara', 'demo')
    const written = readdirSync(join(project, 'tara-demo'))
    expect(written).toContain('rollouts.jsonl')
    const rows = run('npx', '--no-install', 'tara', 'advantages', 'tara-demo/rollouts.jsonl')
      .trim()
      .split('\n')
    const records = readFileSync(join(project, 'tara-demo', 'rollouts.jsonl'), 'utf8')
      .trim()
      .split('\n')
    expect(rows.length).toBe(records.length)
  })
})
