/**
 * What an OpenAI-compatible endpoint replies, and the message in it.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import type { ChatMessage } from './chat-message.js'
import type { JsonSchema } from './types.js'

const replySchema: JsonSchema = {
  type: 'object',
  required: ['choices'],
  properties: {
    choices: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['message'],
        properties: {
          message: {
            type: 'object',
            properties: {
              content: { type: ['string', 'null'] },
              tool_calls: {
                type: ['array', 'null'],
                items: {
                  type: 'object',
                  required: ['function'],
                  properties: {
                    id: { type: ['string', 'null'] },
                    function: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, arguments: { type: ['string', 'null'] } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}

/** A reply of an endpoint, as far as it is read. */
export interface Reply {
  readonly choices: readonly [
    {
      readonly message: {
        readonly content?: string | null
        readonly tool_calls?:
          | readonly {
              readonly id?: string | null
              readonly function: { readonly name: string; readonly arguments?: string | null }
            }[]
          | null
      }
    },
  ]
}

export const isReply: ValidateFunction<Reply> = new Ajv({ allowUnionTypes: true }).compile<Reply>(replySchema)

/** What is wrong, as ajv found it: `choices[0].message: expected …`. */
export function faultOf(validate: ValidateFunction): string {
  const error = validate.errors?.[0]
  const path = (error?.instancePath ?? '')
    .slice(1)
    .split('/')
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
    )
    .join('')
    .replace(/^\./, '')
  return `${path === '' ? 'the whole' : path} ${error?.message ?? 'is not as described'}`
}

/** The assistant's message of a reply. Calls without an id get one. */
export function messageOf(reply: Reply): ChatMessage {
  const { content, tool_calls: calls } = reply.choices[0].message
  const message = { role: 'assistant' as const, content: content ?? null }
  if (!calls || calls.length === 0) return message
  return {
    ...message,
    tool_calls: calls.map(({ id, function: { name, arguments: text } }, k) => ({
      id: id || `call_${k}`,
      type: 'function',
      function: { name, arguments: text ?? '' },
    })),
  }
}
