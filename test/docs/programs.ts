/**
 * The programs of the docs and of examples/: compiled with the repository's settings against the built package, by its
 * name, as a user would.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { type Block, blocks, promised, root, textOf } from './blocks.js'

export interface Program {
  /** Where it starts: `docs/theory.md:12`. */
  readonly place: string
  /** File name without its ending. */
  readonly name: string
  readonly text: string
  readonly prints: readonly string[]
}

const folder = `${root}.cache/docs`

const hasImport = ({ text }: Block): boolean => /^import /m.test(text)

/** The `ts` blocks, those without an import put behind the one before. */
export function docPrograms(): Program[] {
  const parts: Block[][] = []
  for (const block of blocks) {
    if (block.info !== 'ts') continue
    const before = parts.at(-1)
    if (hasImport(block) || before?.[0]?.page !== block.page) parts.push([block])
    else before.push(block)
  }
  return parts.map((part) => {
    const { page, line } = part[0]!
    const text = part.map((block) => `// ${block.page}:${block.line}\n${block.text}`).join('\n')
    const name = `${page.replace(/^docs\/|\.md$/g, '')}-${line}`
    return { place: `${page}:${line}`, name, text, prints: promised(text, '//') }
  })
}

export function examplePrograms(): Program[] {
  return readdirSync(`${root}examples`)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => {
      const text = textOf(`examples/${file}`)
      return {
        place: `examples/${file}`,
        name: `example-${file.slice(0, -3)}`,
        text,
        prints: promised(text, '//'),
      }
    })
}

/** Compiles programs; what the compiler says, empty where all is well. */
export function compile(programs: readonly Program[]): string {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(`${folder}/src`, { recursive: true })
  for (const { name, text } of programs) writeFileSync(`${folder}/src/${name}.ts`, `${text}\nexport {}\n`)
  const settings = {
    extends: '../../tsconfig.json',
    compilerOptions: { noEmit: false, paths: {}, rootDir: 'src', outDir: 'out' },
    include: ['src'],
  }
  writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(settings))
  for (const file of readdirSync(`${root}examples`))
    if (file.endsWith('.jsonl')) cpSync(`${root}examples/${file}`, `${folder}/out/${file}`)
  try {
    execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], {
      encoding: 'utf8',
    })
    return ''
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error)
  }
}

/** Runs a compiled program; the lines it prints. */
export function run({ name }: Program): string[] {
  const output = execFileSync(process.execPath, [`${folder}/out/${name}.js`], {
    encoding: 'utf8',
    cwd: `${folder}/out`,
  })
  return output
    .split('\n')
    .slice(0, -1)
    .map((line) => line.trimEnd())
}
