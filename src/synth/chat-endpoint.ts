/**
 * A language model behind an OpenAI-compatible chat endpoint: one question, one reply that was checked.
 *
 * Waits double from `wait`, or are what `Retry-After` says. A refusal that will not go away (4xx) is not asked again.
 * A reply of the wrong form is asked for again, with what was wrong about it.
 */
import { fail, show } from '../errors.js'
import type { ChatMessage } from './chat-message.js'
import { type ChatOptions, resolveChatOptions } from './chat-options.js'
import { faultOf, isReply, messageOf } from './chat-reply.js'

/** What is sent beside the model's name: messages, tools, seed, temperature, whatever the endpoint takes. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[]
  readonly [field: string]: unknown
}

/** A reply as it was asked for, or what is wrong with it: `expected …, got …`. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: string }

export interface ChatEndpoint {
  readonly model: string
  /** Asks until the reply can be read.
   * @param read - takes the reply or says what is wrong with it, which the model is told
   * @throws TaraError `MISSING` where nobody answers in time, `OPTION` where the question is refused, `MISMATCH` where
   *   the answers are not what was asked for; the path is the endpoint's address
   */
  ask<Value>(request: ChatRequest, read: (message: ChatMessage) => Reading<Value>): Promise<Value>
}

/** Why an attempt failed. */
interface Fault {
  readonly code: 'MISSING' | 'OPTION' | 'MISMATCH'
  readonly wish: string
  readonly fact: string
  /** Milliseconds that the endpoint wants to be left alone. */
  readonly after?: number | undefined
  readonly isFinal?: boolean
  /** What the model wrote, where that was the fault. */
  readonly wrong?: ChatMessage
}

/** Milliseconds that `Retry-After` asks for; a date counts from the date of the answer. */
export function retryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Math.ceil(Number(text) * 1000)
  const wait = Date.parse(text) - Date.parse(headers.get('date') ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** What the system says about a connection that failed: `ECONNREFUSED`. */
function reasonOf(error: unknown): string {
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown; message?: unknown } | undefined) : undefined
  if (typeof cause?.code === 'string') return cause.code
  if (typeof cause?.message === 'string') return cause.message
  return error instanceof Error ? error.message : show(error)
}

/** Opens an endpoint; nothing is sent before the first question.
 * @param given - see `ChatOptions`; `baseUrl`, `model` and `key` may stand in the environment instead, as
 *   `TARA_CHAT_URL`, `TARA_CHAT_MODEL` and `TARA_CHAT_KEY`
 * @param environment - variables; by default those of the process
 * @throws TaraError `OPTION`
 */
export function chatEndpoint(
  given: Partial<ChatOptions> = {},
  environment: Readonly<Record<string, string | undefined>> = globalThis.process?.env ?? {},
): ChatEndpoint {
  const { baseUrl, model, key, timeout, retries, wait, maxWait, cache } = resolveChatOptions(
    given,
    environment,
  )
  const url = `${baseUrl.replace(/\/+$/, '')}/chat/completions`
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  }
  /** The beginning of an answer, without the key, on one line. */
  const quoted = (text: string): string =>
    show((key === undefined ? text : text.replaceAll(key, '***')).replace(/\s+/g, ' ').trim())

  async function once(body: object): Promise<{ readonly message: ChatMessage } | { readonly fault: Fault }> {
    let status: number
    let answer: Headers
    let text: string
    try {
      const init = { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' } as const
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeout) })
      status = response.status
      answer = response.headers
      text = await response.text()
    } catch (error) {
      const isSlow = error instanceof Error && error.name === 'TimeoutError'
      return {
        fault: isSlow
          ? { code: 'MISSING', wish: `an answer within ${timeout} ms`, fact: 'none' }
          : { code: 'MISSING', wish: 'an endpoint that answers', fact: reasonOf(error) },
      }
    }
    if (status !== 200) {
      const mayPass = status === 408 || status === 429 || status >= 500
      const fact = `status ${status}: ${quoted(text)}`
      const after = retryAfter(answer)
      if (mayPass) return { fault: { code: 'MISSING', wish: 'an answer', fact, after } }
      return { fault: { code: 'OPTION', wish: 'a question that is taken', fact, isFinal: true } }
    }
    let reply: unknown
    try {
      reply = JSON.parse(text)
    } catch {
      return { fault: { code: 'MISMATCH', wish: 'a JSON reply', fact: quoted(text) } }
    }
    if (isReply(reply)) return { message: messageOf(reply) }
    return {
      fault: { code: 'MISMATCH', wish: 'a chat completion', fact: `a reply in which ${faultOf(isReply)}` },
    }
  }

  async function ask<Value>(
    request: ChatRequest,
    read: (message: ChatMessage) => Reading<Value>,
  ): Promise<Value> {
    const question = JSON.stringify({ url, model, ...request })
    const kept = await cache?.get(question)
    if (kept !== undefined) {
      const reading = read(JSON.parse(kept) as ChatMessage)
      if (reading.ok) return reading.value
    }
    let { messages } = request
    for (let attempt = 0; ; attempt++) {
      const outcome = await once({ model, ...request, messages })
      let fault: Fault
      if ('fault' in outcome) fault = outcome.fault
      else {
        const reading = read(outcome.message)
        if (reading.ok) {
          await cache?.set(question, JSON.stringify(outcome.message))
          return reading.value
        }
        const [wish, fact] = ['a reply of the form asked for', `one in which ${reading.problem}`]
        fault = { code: 'MISMATCH', wish, fact, wrong: outcome.message }
      }
      const pause = fault.after ?? Math.min(maxWait, wait * 2 ** attempt)
      if (fault.isFinal === true || attempt >= retries || pause > maxWait) {
        const tries = attempt === 0 ? '' : ` in ${attempt + 1} attempts`
        const longer = pause > maxWait ? `; it asks to wait ${pause} ms, longer than ${maxWait} ms` : ''
        return fail(fault.code, url, fault.wish, `${fault.fact}${tries}${longer}`)
      }
      if (fault.wrong !== undefined)
        messages = [
          ...request.messages,
          { role: 'assistant', content: fault.wrong.content ?? '' },
          {
            role: 'user',
            content: `That cannot be used: ${fault.fact}. Reply again, in the form asked for.`,
          },
        ]
      await sleep(fault.wrong === undefined ? pause : 0)
    }
  }

  return { model, ask }
}
