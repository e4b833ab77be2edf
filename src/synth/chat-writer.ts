/**
 * A writer that is a language model. A reply that gives a dependent value away is asked for again.
 */
import type { JsonValue } from '../reward/call.js'
import type { ChatEndpoint } from './chat-endpoint.js'
import { askJson } from './chat-json.js'
import type { GroundedCall, ToolDefinition } from './types.js'
import type { RequestWriter } from './writer.js'

type Trace = readonly (readonly GroundedCall[])[]

const instruction = [
  'You write what a user says to an assistant that has tools, one message a turn of the conversation.',
  'You are given the calls that each turn must lead to. Each message asks for all calls of its turn and for nothing else.',
  'State every value under "given" so that it can be read off exactly. Never state a value under "dependent": the',
  'assistant has it from an earlier result, so refer to it in words. Do not name the tools.',
  'Reply as JSON: {"requests": ["…", …]}, one text a turn.',
].join('\n')

/** Arguments by who knows them. */
function split(call: GroundedCall): {
  given: Record<string, JsonValue>
  dependent: Record<string, JsonValue>
} {
  const given: Record<string, JsonValue> = {}
  const dependent: Record<string, JsonValue> = {}
  for (const [name, value] of Object.entries(call.arguments))
    (call.provenance[name]?.from === 'edge' ? dependent : given)[name] = value
  return { given, dependent }
}

/** Texts and numbers of some length: those that would be noticed in a message. */
function telling(value: JsonValue): string[] {
  if (typeof value === 'string' || typeof value === 'number') return `${value}`.length < 4 ? [] : [`${value}`]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(telling) : []
}

/** The first dependent value that a request gives away, though no earlier request had to. */
function givenAway(trace: Trace, requests: readonly string[]): string | undefined {
  const known: string[] = []
  for (const [t, calls] of trace.entries()) {
    const parts = calls.map(split)
    known.push(...parts.flatMap(({ given }) => telling(given)))
    const secret = parts.flatMap(({ dependent }) => telling(dependent))
    const found = secret.find(
      (text) => requests[t]!.includes(text) && !known.some((other) => other.includes(text)),
    )
    if (found !== undefined) return `requests[${t}] states the dependent value ${JSON.stringify(found)}`
  }
  return undefined
}

/** Writes requests with a language model.
 * @throws TaraError (from `write`) as `ChatEndpoint.ask`
 */
export function chatWriter(endpoint: ChatEndpoint): RequestWriter {
  return {
    name: `chat:${endpoint.model}`,
    async write(trace: Trace, tools: readonly ToolDefinition[]): Promise<readonly string[]> {
      const used = new Set(trace.flat().map(({ name }) => name))
      const question = {
        tools: tools
          .filter(({ name }) => used.has(name))
          .map(({ name, description, inputSchema }) => ({ name, description, arguments: inputSchema })),
        turns: trace.map((calls) => calls.map((call) => ({ tool: call.name, ...split(call) }))),
      }
      const schema = {
        type: 'object',
        required: ['requests'],
        additionalProperties: false,
        properties: {
          requests: {
            type: 'array',
            minItems: trace.length,
            maxItems: trace.length,
            items: { type: 'string', minLength: 1 },
          },
        },
      }
      const { requests } = await askJson<{ readonly requests: readonly string[] }>(
        endpoint,
        'requests',
        {
          messages: [
            { role: 'system', content: instruction },
            { role: 'user', content: JSON.stringify(question) },
          ],
        },
        schema,
        (reply) => givenAway(trace, reply.requests),
      )
      return requests
    },
  }
}
