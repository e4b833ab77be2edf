/**
 * The code blocks of the README and of docs/, and what the docs promise of them.
 *
 * - `ts`: a program. A block without an import continues the block before it. `// => text` is a printed line.
 * - `sh`: run in a folder that holds the files of examples/. `# => text` is a line on stdout; a text that ends in ` …`
 *   is the beginning of the line. A block without any promises only that it ends with exit code 0.
 * - `jsonc`: one or more logs of rollouts, a blank line between two. `jsonc tasks` is a file of golden traces.
 *   `// => rewards 1 0` after the records are the rewards of all their turns, another text is the error that they are
 *   refused with.
 * - `text`: not run.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

export interface Block {
  /** `docs/theory.md`. */
  readonly page: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
  /** What stands behind the fence: `ts`, `jsonc tasks`. */
  readonly info: string
  readonly text: string
}

/** The pages whose blocks are run. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(`${root}docs`)
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

export function textOf(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = []
  let open: { line: number; info: string; lines: string[] } | undefined
  textOf(page)
    .split('\n')
    .forEach((text, k) => {
      if (!text.startsWith('```')) open?.lines.push(text)
      else if (open === undefined) open = { line: k + 1, info: text.slice(3).trim(), lines: [] }
      else {
        blocks.push({ page, line: open.line, info: open.info, text: open.lines.join('\n') })
        open = undefined
      }
    })
  if (open !== undefined) throw new Error(`${page}:${open.line}: a block that is not closed`)
  return blocks
}

export const blocks: readonly Block[] = pages.flatMap(blocksOf)

/** The lines that a text promises behind a mark: `// =>` or `# =>`. */
export function promised(text: string, mark: '//' | '#'): string[] {
  return text.split('\n').flatMap((line) => {
    const at = line.indexOf(`${mark} =>`)
    return at < 0
      ? []
      : [
          line
            .slice(at + mark.length + 3)
            .replace(/^ /, '')
            .trimEnd(),
        ]
  })
}
