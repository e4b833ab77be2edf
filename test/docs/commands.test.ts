/**
 * The shell blocks of the docs, run against the built command line in a folder of their own.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blocks, promised, root, textOf } from './blocks.js'

let folder: string

/** A folder with `tara` and an `npx` that runs what is on the path. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tara-docs-'))
  const script = (name: string, body: string): void =>
    writeFileSync(join(folder, name), `#!/bin/sh\nexec ${body} "$@"\n`, { mode: 0o755 })
  script('tara', `"${process.execPath}" "${root}dist/cli/main.js"`)
  script('npx', '')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function runShell(text: string, name: string): { status: number | null; lines: string[]; stderr: string } {
  const cwd = join(folder, name)
  for (const file of readdirSync(`${root}examples`))
    if (/\.(jsonl|json)$/.test(file)) cpSync(`${root}examples/${file}`, join(cwd, file))
  const env = { ...process.env, PATH: `${folder}:${process.env.PATH}`, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', text], { cwd, env, encoding: 'utf8' })
  return { status, lines: stdout.split('\n').slice(0, -1), stderr }
}

/** Each line as it is promised, cut where the promise is. */
function cutAs(lines: readonly string[], promises: readonly string[]): string[] {
  return lines.map((line, k) => {
    const promise = promises[k]
    return promise?.endsWith(' …') && line.startsWith(promise.slice(0, -2)) ? promise : line.trimEnd()
  })
}

const shell = blocks.filter(({ info }) => info === 'sh')

describe('commands in the docs', () => {
  for (const { page, line, text } of shell.filter((block) => /\btara\b/.test(block.text)))
    it(`${page}:${line} does what it says`, () => {
      const promises = promised(text, '#')
      const { status, lines, stderr } = runShell(text, `${page.replace(/\W/g, '-')}-${line}`)
      if (promises.length > 0) expect(cutAs(lines, promises)).toEqual(promises)
      expect(status, stderr).toBe(0)
    })

  it('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const named = shell.flatMap(({ text }) =>
      [...text.matchAll(/\bnpm (?:run )?([\w:-]+)/g)].map(([, name]) => name!),
    )
    expect(named.length).toBeGreaterThan(0)
    expect(
      named.filter((name) => name !== 'ci' && name !== 'install' && !Object.hasOwn(scripts, name)),
    ).toEqual([])
  })
})
