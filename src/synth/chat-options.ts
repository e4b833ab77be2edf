/**
 * Options of a chat endpoint: given, or from the environment.
 */
import { fail } from '../errors.js'
import { type Check, optional, resolveOptions } from '../options.js'

/** Keeps replies, so that the same question is asked once. */
export interface ReplyCache {
  get(question: string): Promise<string | undefined>
  set(question: string, reply: string): Promise<void>
}

export interface ChatOptions {
  /** `http://127.0.0.1:8000/v1`; `/chat/completions` is put behind it. */
  readonly baseUrl: string | undefined
  readonly model: string | undefined
  /** Sent as a bearer token. Never shown. */
  readonly key: string | undefined
  /** Milliseconds for one attempt. */
  readonly timeout: number
  /** Attempts after the first. */
  readonly retries: number
  /** Milliseconds before the second attempt; each wait after it is twice as long. */
  readonly wait: number
  /** Longest wait in milliseconds; an endpoint that asks for a longer one is given up. */
  readonly maxWait: number
  readonly cache: ReplyCache | undefined
}

export const chatDefaults: Readonly<ChatOptions> = Object.freeze({
  baseUrl: undefined,
  model: undefined,
  key: undefined,
  timeout: 60_000,
  retries: 4,
  wait: 500,
  maxWait: 60_000,
  cache: undefined,
})

const milliseconds: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) < 2 ** 31
    ? undefined
    : 'a whole number of milliseconds, 1 or more'

const aText: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a text that is not empty'

const anAddress: Check = (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return 'an address like http://127.0.0.1:8000/v1'
  const { protocol, username, password } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return 'an address that starts with http: or https:'
  return username + password === '' ? undefined : 'an address without user and password (key is for that)'
}

/** Names of the variables that stand for `baseUrl`, `model` and `key`. */
const variables = { baseUrl: 'TARA_CHAT_URL', model: 'TARA_CHAT_MODEL', key: 'TARA_CHAT_KEY' } as const

/** Fills in what is not given from the environment, and checks it.
 * @throws TaraError `OPTION`
 */
export function resolveChatOptions(
  given: Partial<ChatOptions>,
  environment: Readonly<Record<string, string | undefined>>,
): ChatOptions & { baseUrl: string; model: string } {
  const named = { ...given }
  for (const name of ['baseUrl', 'model', 'key'] as const) {
    const value = given[name] ?? (environment[variables[name]] || undefined)
    if (value !== undefined) Object.assign(named, { [name]: value })
  }
  const { key } = named
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    fail('OPTION', 'chatEndpoint: options.key', 'a key of plain characters', 'one with others')
  const options = resolveOptions<ChatOptions>('chatEndpoint', named, chatDefaults, {
    baseUrl: optional(anAddress),
    model: optional(aText),
    key: () => undefined,
    timeout: milliseconds,
    retries: (value) =>
      Number.isInteger(value) && (value as number) >= 0 ? undefined : 'a whole number, 0 or more',
    wait: milliseconds,
    maxWait: milliseconds,
    cache: () => undefined,
  })
  const { baseUrl, model } = options
  if (baseUrl === undefined)
    return fail(
      'OPTION',
      'chatEndpoint: options.baseUrl',
      `an address, here or in ${variables.baseUrl}`,
      'none',
    )
  if (model === undefined)
    return fail('OPTION', 'chatEndpoint: options.model', `a name, here or in ${variables.model}`, 'none')
  return { ...options, baseUrl, model }
}
