/**
 * One conversation, written as each message format and each document format writes it.
 */
import type { DocumentFormatName, MessageFormatName } from '../../src/formats/formats.js'
import type { JsonObject, JsonValue } from '../../src/reward/call.js'
import { parseJson } from '../../src/reward/json.js'
import type { Fields } from './records.js'

export interface NeutralCall {
  readonly name: string
  /** JSON text of an object. */
  readonly args: string
}

/** One message of the assistant with its calls; a result follows each call. */
export interface Step {
  readonly text: string
  readonly calls: readonly NeutralCall[]
}

export interface Conversation {
  /** Steps before the first user message. */
  readonly before: readonly Step[]
  readonly turns: readonly { readonly user: string; readonly steps: readonly Step[] }[]
}

export interface Written {
  readonly messages: readonly Fields[]
  /** The user turn of each message. */
  readonly turn: readonly (number | null)[]
}

type Push = (message: Fields) => void

interface Writer {
  readonly name: MessageFormatName
  readonly shape: string
  readonly user: (text: string, push: Push) => void
  /** The steps between two user messages. */
  readonly steps: (steps: readonly Step[], push: Push) => void
}

const OPEN = '\u0001'

/** JSON text in the place of a value, unparsed: see `jsonOf`. */
const raw = (text: string): string => `${OPEN}${text}${OPEN}`

/** JSON of a value with the texts that `raw` put into it. */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value).replace(
    /"\\u0001((?:[^"\\]|\\.)*?)\\u0001"/g,
    (_, text: string) => JSON.parse(`"${text}"`) as string,
  )
}

const chatUser = (text: string, push: Push): void => push({ role: 'user', content: text })

/** A writer that writes step by step; calls are numbered through the steps. */
const stepwise =
  (write: (step: Step, ids: readonly string[], push: Push) => void): Writer['steps'] =>
  (steps, push) => {
    steps.forEach((step, s) => {
      write(
        step,
        step.calls.map((_, c) => `call_${s}_${c}`),
        push,
      )
    })
  }

const openai = (shape: string, asArguments: (args: string) => string): Writer => ({
  name: 'openai',
  shape,
  user: chatUser,
  steps: stepwise(({ text, calls }, ids, push) => {
    push({
      role: 'assistant',
      content: text,
      ...(calls.length > 0 && {
        tool_calls: calls.map(({ name, args }, c) => ({
          id: ids[c],
          type: 'function',
          function: { name, arguments: asArguments(args) },
        })),
      }),
    })
    for (const id of ids) push({ role: 'tool', tool_call_id: id, content: 'ok' })
  }),
})

const responses: Writer = {
  name: 'responses',
  shape: 'items',
  user: (text, push) => push({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }),
  steps: stepwise(({ text, calls }, ids, push) => {
    push({ type: 'reasoning', id: 'rs', summary: [] })
    push({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text, annotations: [] }] })
    calls.forEach(({ name, args }, c) => {
      push({ type: 'function_call', call_id: ids[c], name, arguments: args })
    })
    for (const id of ids) push({ type: 'function_call_output', call_id: id, output: 'ok' })
  }),
}

const anthropic: Writer = {
  name: 'anthropic',
  shape: 'blocks',
  user: chatUser,
  steps: stepwise(({ text, calls }, ids, push) => {
    push({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text },
        ...calls.map(({ name, args }, c) => ({ type: 'tool_use', id: ids[c], name, input: raw(args) })),
      ],
    })
    if (ids.length > 0)
      push({
        role: 'user',
        content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
      })
  }),
}

const hermes: Writer = {
  name: 'hermes',
  shape: 'text',
  user: chatUser,
  steps: stepwise(({ text, calls }, ids, push) => {
    const tags = calls.map(
      ({ name, args }) =>
        `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n</tool_call>`,
    )
    push({ role: 'assistant', content: [text, ...tags].join('\n') })
    for (const _ of ids) push({ role: 'tool', content: 'ok' })
  }),
}

const mcp: Writer = {
  name: 'mcp',
  shape: 'JSON-RPC and chat messages',
  user: chatUser,
  steps: stepwise(({ text, calls }, ids, push) => {
    push({ role: 'assistant', content: { type: 'text', text } })
    calls.forEach(({ name, args }, c) => {
      push({ jsonrpc: '2.0', id: ids[c], method: 'tools/call', params: { name, arguments: raw(args) } })
      push({ jsonrpc: '2.0', method: 'notifications/progress', params: {} })
    })
    for (const id of ids)
      push({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'ok' }], isError: false } })
  }),
}

const modelMessages = (shape: string, field: 'input' | 'args'): Writer => ({
  name: 'ai-sdk',
  shape,
  user: chatUser,
  steps: stepwise(({ text, calls }, ids, push) => {
    push({
      role: 'assistant',
      content: [
        { type: 'text', text },
        ...calls.map(({ name, args }, c) => ({
          type: 'tool-call',
          toolCallId: ids[c],
          toolName: name,
          [field]: raw(args),
        })),
      ],
    })
    if (ids.length > 0)
      push({
        role: 'tool',
        content: ids.map((id, c) => ({
          type: 'tool-result',
          toolCallId: id,
          toolName: calls[c]!.name,
          output: { type: 'text', value: 'ok' },
        })),
      })
  }),
})

/** All steps between two user messages are parts of one message. */
const uiMessages = (shape: string, toolPart: (name: string) => Fields): Writer => ({
  name: 'ai-sdk',
  shape,
  user: (text, push) => push({ id: 'u', role: 'user', parts: [{ type: 'text', text }] }),
  steps(steps, push) {
    if (steps.length === 0) return
    const parts = steps.flatMap(({ text, calls }, s) => [
      { type: 'step-start' },
      { type: 'text', text, state: 'done' },
      ...calls.map(({ name, args }, c) => ({
        ...toolPart(name),
        toolCallId: `call_${s}_${c}`,
        state: 'output-available',
        input: raw(args),
        output: 'ok',
      })),
    ])
    push({ id: 'a', role: 'assistant', parts: [...parts, { type: 'data-usage', data: 1 }] })
  },
})

export const writers: readonly Writer[] = [
  openai('arguments as text', (args) => args),
  openai('arguments as objects', raw),
  responses,
  anthropic,
  hermes,
  mcp,
  modelMessages('model messages', 'input'),
  modelMessages('model messages with args', 'args'),
  uiMessages('UI messages', (name) => ({ type: `tool-${name}` })),
  uiMessages('UI messages with dynamic tools', (toolName) => ({ type: 'dynamic-tool', toolName })),
]

/** The messages of a conversation. */
export function write({ user, steps }: Writer, { before, turns }: Conversation): Written {
  const messages: Fields[] = []
  const turn: (number | null)[] = []
  const pushTo =
    (t: number | null): Push =>
    (message) => {
      messages.push(message)
      turn.push(t)
    }
  steps(before, pushTo(null))
  turns.forEach((one, t) => {
    user(one.user, pushTo(t))
    steps(one.steps, pushTo(t))
  })
  return { messages, turn }
}

export interface DocumentWriter {
  readonly name: DocumentFormatName
  /** Whether calls before the first user message can be said. */
  readonly hasBefore: boolean
  /** One rollout, with the calls of its turns as golden trace. */
  readonly write: (conversation: Conversation, rollout: number) => unknown
}

/** A JSON value as Python writes it. */
function python(value: JsonValue): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return `${value}`
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, one]) => `${JSON.stringify(key)}: ${python(one)}`)
    .join(', ')}}`
}

function pythonCall({ name, args }: NeutralCall): string {
  const parsed = parseJson(args)
  const members = parsed.ok ? Object.entries(parsed.value as JsonObject) : []
  return `${name}(${members.map(([key, value]) => `${key}=${python(value)}`).join(', ')})`
}

const turnCalls = ({ turns }: Conversation): NeutralCall[][] =>
  turns.map(({ steps }) => steps.flatMap(({ calls }) => [...calls]))

const tauBench: DocumentWriter = {
  name: 'tau-bench',
  hasBefore: true,
  write: (conversation, trial) => ({
    task_id: 0,
    trial,
    reward: 1,
    info: {
      task: {
        actions: turnCalls(conversation)
          .flat()
          .map(({ name, args }) => ({ name, kwargs: raw(args) })),
      },
    },
    traj: write(writers[0]!, conversation).messages,
  }),
}

const tau2Bench: DocumentWriter = {
  name: 'tau2-bench',
  hasBefore: true,
  write(conversation, trial) {
    const messages: Fields[] = []
    const say = ({ text, calls }: Step): void => {
      const tool_calls = calls.map(({ name, args }, c) => ({
        id: `${c}`,
        name,
        arguments: raw(args),
        requestor: 'assistant',
      }))
      messages.push({ role: 'assistant', content: text, tool_calls: calls.length > 0 ? tool_calls : null })
      for (const { id } of tool_calls)
        messages.push({ id, role: 'tool', content: 'ok', requestor: 'assistant', error: false })
    }
    conversation.before.forEach(say)
    for (const { user, steps } of conversation.turns) {
      messages.push({ role: 'user', content: user, tool_calls: null })
      steps.forEach(say)
    }
    const actions = turnCalls(conversation)
      .flat()
      .map(({ name, args }, a) => ({ action_id: `${a}`, requestor: 'assistant', name, arguments: raw(args) }))
    return {
      tasks: [{ id: 'a', user_scenario: {}, evaluation_criteria: { actions } }],
      simulations: [
        {
          id: `s${trial}`,
          task_id: 'a',
          trial,
          messages,
          termination_reason: 'user_stop',
          reward_info: { reward: 1 },
        },
      ],
    }
  },
}

const atif: DocumentWriter = {
  name: 'atif',
  hasBefore: true,
  write(conversation, rollout) {
    const steps: Fields[] = []
    const say = ({ text, calls }: Step): void => {
      steps.push({
        step_id: steps.length + 1,
        source: 'agent',
        message: text,
        tool_calls: calls.map(({ name, args }, c) => ({
          tool_call_id: `${c}`,
          function_name: name,
          arguments: raw(args),
        })),
        observation: { results: calls.map((_, c) => ({ source_call_id: `${c}`, content: 'ok' })) },
      })
    }
    conversation.before.forEach(say)
    for (const turn of conversation.turns) {
      steps.push({ step_id: steps.length + 1, source: 'user', message: turn.user })
      turn.steps.forEach(say)
    }
    const golden = turnCalls(conversation).map((calls) =>
      calls.map(({ name, args }) => ({ name, arguments: raw(args) })),
    )
    return {
      record: { group: 'g', rollout, golden },
      trajectory: {
        schema_version: 'ATIF-v1.7',
        session_id: 's',
        agent: { name: 'a', version: '1' },
        steps,
      },
    }
  },
}

const bfcl: DocumentWriter = {
  name: 'bfcl',
  hasBefore: false,
  write: (conversation, rollout) => ({
    id: 'multi_turn_base_0',
    rollout,
    ground_truth: turnCalls(conversation).map((calls) => calls.map(pythonCall)),
    result: conversation.turns.map(({ steps }) =>
      steps.map(({ text, calls }) =>
        calls.length === 0
          ? text
          : calls.map((call, c) => (c % 2 === 0 ? pythonCall(call) : { [call.name]: call.args })),
      ),
    ),
  }),
}

export const documentWriters: readonly DocumentWriter[] = [tauBench, tau2Bench, atif, bfcl]
