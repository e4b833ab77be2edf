/**
 * A writer without a language model: requests from the tools' descriptions, the same for the same trace.
 *
 * A value that the user has to give (from the database, or a default) is in the request. One that an earlier call
 * returned is not: the request says which call's result holds it, and where there are several its number, from 1.
 */
import type { JsonValue } from '../reward/call.js'
import { valuesAt, wordsOf } from './paths.js'
import type { GroundedCall, ToolDefinition } from './types.js'
import type { RequestWriter } from './writer.js'

const words = (name: string): string => wordsOf(name).join(' ')

/** The first sentence of a description as the user's wish, without its full stop. */
function wish(name: string, definition: ToolDefinition | undefined): string {
  const sentence = /^\s*(.+?)(?:[.!?](?:\s|$)|\n|$)/s.exec(definition?.description ?? '')?.[1]?.trim() ?? ''
  if (sentence === '') return words(name)
  const isWord = /^[A-Z][a-z]/.test(sentence)
  return isWord ? sentence[0]!.toLowerCase() + sentence.slice(1) : sentence
}

/** A value as a user would write it; text in quotes, so that it can be told from the words around it. */
const said = (value: JsonValue): string =>
  typeof value === 'bigint' ? value.toString() : JSON.stringify(value)

/** Where a value is among several of its kind: ` number 2`; nothing where it is the only one. */
function numberOf({ output }: GroundedCall, path: string): string {
  if (valuesAt(output, path.replace(/\[\d+\]/g, '[]')).length < 2) return ''
  const places = Array.from(path.matchAll(/\[(\d+)\]/g), ([, index]) => Number(index) + 1)
  return ` number ${places.join('.')}`
}

type Trace = readonly (readonly GroundedCall[])[]

function details({ arguments: args, provenance }: GroundedCall, trace: Trace): string[] {
  return Object.entries(args).map(([name, value]) => {
    const from = provenance[name]
    if (from?.from !== 'edge') return `${words(name)} ${said(value)}`
    const source = trace[from.turn]![from.call]!
    return `the ${words(name)}${numberOf(source, from.path)} from "${words(source.name)}" before`
  })
}

/** Writes requests by template. */
export const templateWriter: RequestWriter = Object.freeze({
  name: 'template',
  async write(trace: Trace, tools: readonly ToolDefinition[]): Promise<readonly string[]> {
    const definitions = new Map(tools.map((tool) => [tool.name, tool]))
    return trace.map((calls, t) => {
      const last = t > 0 && t === trace.length - 1
      const sentences = calls.map((call, c) => {
        const opening = c > 0 ? 'Also' : t === 0 ? 'Please' : last ? 'Finally' : 'Then'
        const given = details(call, trace)
        const what = `${opening} ${wish(call.name, definitions.get(call.name))}`
        return given.length === 0 ? `${what}.` : `${what}: ${given.join(', ')}.`
      })
      return sentences.length === 0 ? 'That is all for now.' : sentences.join(' ')
    })
  },
})
