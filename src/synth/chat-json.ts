/**
 * A reply that is JSON of a schema.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import type { ChatEndpoint, ChatRequest, Reading } from './chat-endpoint.js'
import type { ChatMessage } from './chat-message.js'
import { faultOf } from './chat-reply.js'
import type { JsonSchema } from './types.js'

const ajv = new Ajv({ allowUnionTypes: true, strict: false })

/** The text inside a fence, where the whole reply is fenced: models like to do that. */
const unfenced = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text

/** Asks for JSON.
 * @param name - what the reply is called in the request: letters, digits, `_` and `-`
 * @param schema - what the reply must conform to; it is sent as `response_format` too
 * @param check - what else must hold: undefined, or what is wrong
 * @throws TaraError as `ChatEndpoint.ask`
 */
export async function askJson<Value>(
  endpoint: ChatEndpoint,
  name: string,
  request: ChatRequest,
  schema: JsonSchema,
  check: (value: Value) => string | undefined = () => undefined,
): Promise<Value> {
  const validate: ValidateFunction<Value> = ajv.compile<Value>(schema)
  const read = ({ content }: ChatMessage): Reading<Value> => {
    let value: unknown
    try {
      value = JSON.parse(unfenced(content ?? ''))
    } catch {
      return { ok: false, problem: 'the text is not JSON' }
    }
    if (!validate(value)) return { ok: false, problem: faultOf(validate) }
    const problem = check(value)
    return problem === undefined ? { ok: true, value } : { ok: false, problem }
  }
  const format = { type: 'json_schema', json_schema: { name, schema } }
  return endpoint.ask({ ...request, response_format: format }, read)
}
