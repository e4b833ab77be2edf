/**
 * Messages of the Vercel AI SDK → tool calls.
 *
 * Model messages hold `content` with parts `tool-call` (`input`, in older versions `args`). UI messages hold `parts`:
 * `tool-NAME`, `dynamic-tool`, in older versions `tool-invocation`. A UI message may hold several steps, each begun by a
 * `step-start`.
 */
import { fail, show } from '../errors.js'
import type { ToolCall } from '../reward/call.js'
import type { Fields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asCall, asFields, asPart, partsOf, roleOf, sideOf } from './structure.js'

type Part = Fields & { readonly type: string }

/** Parts that show something and belong to no step. */
const ASIDES: ReadonlySet<string> = new Set(['source', 'source-url', 'source-document'])

const isAside = (type: string): boolean => ASIDES.has(type) || type.startsWith('data-')

const UI_TOOL = 'tool-'

/** The parts of a message and where they stand; none where the content is text. */
function partsIn(message: Fields, m: number): { readonly parts: readonly unknown[]; readonly place: string } {
  if (message.parts !== undefined) {
    const place = `messages[${m}].parts`
    if (!Array.isArray(message.parts)) fail('TYPE', place, 'a list of parts', show(message.parts))
    return { parts: message.parts, place }
  }
  const place = `messages[${m}].content`
  return { parts: partsOf(place, message.content, 'text or a list of parts') ?? [], place }
}

/** Arguments of a call; of one that the SDK could not read, what the model wrote. */
function inputOf({ input, rawInput, args }: Fields): unknown {
  return input !== undefined ? input : rawInput !== undefined ? rawInput : args
}

/** The call of an older version, wrapped in what became of it. */
function invocation(place: string, value: unknown, side: 'user' | undefined): ToolCall {
  const { toolName, args } = asFields(place, value, 'an object with toolName and args')
  return asCall(place, 'toolName', toolName, args, side)
}

/** The call that a part makes, if it does. */
function callIn(part: Part, place: string, isUi: boolean, side: 'user' | undefined): ToolCall | undefined {
  const { type } = part
  if (isUi ? type === 'dynamic-tool' : type === 'tool-call')
    return asCall(place, 'toolName', part.toolName, inputOf(part), side)
  if (!isUi || !type.startsWith(UI_TOOL)) return undefined
  if (type === 'tool-invocation' && part.toolInvocation !== undefined)
    return invocation(`${place}.toolInvocation`, part.toolInvocation, side)
  return asCall(place, 'type', type.slice(UI_TOOL.length), inputOf(part), side)
}

/** The calls of a message, step by step. Parts before the first `step-start` are a step if there are any. */
function stepsIn(message: Fields, m: number): ToolCall[][] {
  const { parts, place } = partsIn(message, m)
  const isUi = message.parts !== undefined
  const side = sideOf(message.role)
  const steps: ToolCall[][] = []
  let step: ToolCall[] | undefined
  for (let k = 0; k < parts.length; k++) {
    const part = parts[k] as Part
    if (part.type === 'step-start') step = undefined
    else if (!isAside(part.type)) {
      if (step === undefined) steps.push((step = []))
      const call = callIn(part, `${place}[${k}]`, isUi, side)
      if (call !== undefined) step.push(call)
    }
  }
  const oldest = isUi ? undefined : message.toolInvocations
  if (Array.isArray(oldest))
    steps.push(oldest.map((one, k) => invocation(`messages[${m}].toolInvocations[${k}]`, one, side)))
  return steps.length === 0 ? [[]] : steps
}

export const aiSdk: MessageFormat = {
  name: 'ai-sdk',
  kindOf(message, m) {
    const role = roleOf(message, m)
    const { parts, place } = partsIn(message, m)
    for (let k = 0; k < parts.length; k++) asPart(`${place}[${k}]`, parts[k])
    if (role === 'assistant') return 'step'
    return role === 'user' && stepsIn(message, m).every((calls) => calls.length === 0) ? 'user' : 'other'
  },
  pushCalls(message, m, into) {
    if (message.role !== 'assistant' && message.role !== 'user') return
    for (const calls of stepsIn(message, m)) for (const call of calls) into.push(call)
  },
  stepsOf: stepsIn,
}
