/**
 * Replies of a language model on disk, one file a question, named by the hash of the question.
 *
 * A file appears whole or not at all. One that cannot be read as written is taken as not there.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaraError } from '../errors.js'
import type { ReplyCache } from './chat-options.js'

function unusable(path: string, error: unknown): TaraError {
  const reason = error instanceof Error ? error.message : String(error)
  return new TaraError('OPTION', `diskCache: ${path}`, `expected a folder that can be used, got: ${reason}`)
}

/** Keeps replies in a folder, which is made where it is missing. Any number of processes may share it.
 * @throws TaraError (from `get` and `set`) `OPTION` where the folder cannot be read or written
 */
export function diskCache(folder: string): ReplyCache {
  const pathOf = (question: string): string =>
    join(folder, `${createHash('sha256').update(question).digest('hex')}.json`)
  let numWrites = 0

  return {
    async get(question) {
      let text: string
      try {
        text = await readFile(pathOf(question), 'utf8')
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw unusable(folder, error)
      }
      try {
        const kept = JSON.parse(text) as { readonly question?: unknown; readonly reply?: unknown }
        return kept.question === question && typeof kept.reply === 'string' ? kept.reply : undefined
      } catch {
        return undefined
      }
    },
    async set(question, reply) {
      const path = pathOf(question)
      const temporary = `${path}.${process.pid}.${numWrites++}.tmp`
      try {
        await mkdir(folder, { recursive: true })
        await writeFile(temporary, JSON.stringify({ question, reply }))
        await rename(temporary, path)
      } catch (error) {
        throw unusable(folder, error)
      }
    },
  }
}
