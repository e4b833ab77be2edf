/**
 * Flags that the commands of `tara synth` share, and what they stand for: an agent, a chat endpoint.
 */
import { InvalidArgumentError } from 'commander'
import type { Agent } from '../synth/agent.js'
import { chatAgent } from '../synth/chat-agent.js'
import { type ChatEndpoint, chatEndpoint } from '../synth/chat-endpoint.js'
import { type ChatOptions, chatDefaults } from '../synth/chat-options.js'
import { diskCache } from '../synth/disk-cache.js'
import { scriptedAgent } from '../synth/scripted-agent.js'
import { type Flag, type Given, pick } from './flag.js'
import { aNumber } from './flag-values.js'

/** The language model behind `chat`. The key is taken from the environment only: command lines are seen by others. */
export const endpointFlags: readonly Flag[] = [
  {
    name: 'baseUrl',
    value: '<address>',
    text: 'OpenAI-compatible endpoint, as http://127.0.0.1:8000/v1; else TARA_CHAT_URL. The key is TARA_CHAT_KEY',
  },
  { name: 'model', value: '<name>', text: 'name of the model; else TARA_CHAT_MODEL' },
  { name: 'cache', value: '<folder>', text: 'folder that keeps replies, so that no question is asked twice' },
  {
    name: 'timeout',
    value: '<ms>',
    text: 'how long one attempt may take',
    shown: chatDefaults.timeout,
    parse: aNumber,
  },
  {
    name: 'retries',
    value: '<number>',
    text: 'attempts after the first, where the endpoint is down, slow, busy or answers something else',
    shown: chatDefaults.retries,
    parse: aNumber,
  },
]

/** The endpoint of the flags, opened when it is first needed, and once. */
export function endpointOf(given: Given): () => ChatEndpoint {
  let opened: ChatEndpoint | undefined
  return () => {
    const { cache, ...options } = pick(given, endpointFlags)
    opened ??= chatEndpoint({
      ...(options as Partial<ChatOptions>),
      ...(cache !== undefined && { cache: diskCache(cache as string) }),
    })
    return opened
  }
}

export function aCountFromOne(raw: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(raw))
    throw new InvalidArgumentError('expected a whole number, 1 to 999999999')
  return Number(raw)
}

function isAgent(raw: string): boolean {
  const skill = /^scripted(?::(.*))?$/.exec(raw)
  return raw === 'chat' || (skill !== null && /^(?:[01]|0?\.\d+|1\.0+)$/.test(skill[1] ?? '1'))
}

/** `scripted:0.8` or `chat`; `scripted` alone is always right. */
export function anAgent(raw: string): string {
  if (!isAgent(raw))
    throw new InvalidArgumentError('expected scripted:SKILL with a skill from 0 to 1, or chat')
  return raw
}

/** The same, or `none`. */
export function anAgentOrNone(raw: string): string {
  if (raw !== 'none' && !isAgent(raw))
    throw new InvalidArgumentError('expected scripted:SKILL with a skill from 0 to 1, chat or none')
  return raw
}

/** The agent of a name that `anAgent` took. */
export function agentOf(name: string, seed: number, endpoint: () => ChatEndpoint): Agent {
  if (name === 'chat') return chatAgent(endpoint())
  return scriptedAgent(Number(name.split(':')[1] ?? 1), seed)
}
