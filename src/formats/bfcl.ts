/**
 * Multi-turn result and answer files of BFCL, the Berkeley Function-Calling Leaderboard: one JSON object a line.
 *
 *     {"id": "multi_turn_base_0", "result": [[["cd(folder='document')"], "Done."], …]}     turns → steps → calls or text
 *     {"id": "multi_turn_base_0", "ground_truth": [["cd(folder='document')"], …]}          turns → calls
 *
 * Calls are Python expressions, or `{"cd": "{\"folder\": …}"}` of function-calling models. Positional arguments get
 * their names from the function docs. In a result what cannot be read is the model's: an entry of a list of calls is
 * then a malformed call, a step of text has no calls. In an answer it is an error.
 */
import { fail, show, TaraError } from '../errors.js'
import type { JsonObject, JsonValue, ToolCall } from '../reward/call.js'
import {
  asList,
  type DocumentFormat,
  type DocumentOptions,
  type DocumentRecord,
  type DocumentTask,
  under,
} from './document.js'
import { type Fields, isFields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { type PythonCall, parsePythonCalls } from './python-call.js'
import { asId } from './record.js'
import { asFields } from './structure.js'

/** The names of the arguments of each function, in order. */
type ArgumentNames = ReadonlyMap<string, readonly string[]>

/** A message that this reader made: its calls are read already. */
interface Step {
  readonly role: 'user' | 'assistant'
  readonly calls: readonly ToolCall[]
}

const bfclSteps: MessageFormat = {
  name: 'bfcl',
  kindOf: ({ role }) => (role === 'user' ? 'user' : 'step'),
  pushCalls({ calls }, _, into) {
    for (const call of calls as readonly ToolCall[]) into.push(call)
  },
}

/** How the result of a task reads that the model's server failed on. */
const FAILED = 'Error during inference'

function argumentNames(options: DocumentOptions | undefined): ArgumentNames {
  const names = new Map<string, readonly string[]>()
  for (const [k, one] of (options?.functions ?? []).entries()) {
    const { name, parameters } = asFields(`functions[${k}]`, one, 'a function with name and parameters')
    if (typeof name !== 'string') fail('TYPE', `functions[${k}].name`, 'a string', show(name))
    const { properties } = asFields(`functions[${k}].parameters`, parameters ?? {}, 'an object')
    const place = `functions[${k}].parameters.properties`
    names.set(name, Object.keys(asFields(place, properties ?? {}, 'an object')))
  }
  return names
}

/** The arguments of a call by name, or what is wrong with them. */
function namedArguments(
  { name, positional, keywords }: PythonCall,
  names: ArgumentNames,
): JsonObject | string {
  if (positional.length === 0) return keywords
  const known = names.get(name)
  if (known === undefined) return `a positional argument of ${name}, whose function docs are not given`
  if (known.length < positional.length)
    return `${positional.length} positional arguments of ${name}, which has ${known.length}`
  const all: Record<string, JsonValue> = Object.create(null)
  for (const [k, value] of positional.entries()) all[known[k]!] = value
  for (const key of Object.keys(keywords)) {
    if (key in all) return `${key} of ${name} by position and by name`
    all[key] = keywords[key]!
  }
  return all
}

/** The golden calls of one expression. */
function goldenCalls(place: string, text: unknown, names: ArgumentNames): ToolCall[] {
  if (typeof text !== 'string') fail('GOLDEN', place, 'a Python call as text', show(text))
  const parsed = parsePythonCalls(text)
  if (!parsed.ok)
    throw new TaraError('GOLDEN', place, `${parsed.detail} at character ${parsed.position} of ${show(text)}`)
  return parsed.calls.map((call) => {
    const given = namedArguments(call, names)
    if (typeof given === 'string') fail('GOLDEN', place, 'arguments with names', given)
    return { name: call.name, arguments: given }
  })
}

function goldenOf(place: string, truth: unknown, names: ArgumentNames): ToolCall[][] {
  return asList(place, truth, 'a list with one list of calls a turn').map((turn, t) =>
    asList(`${place}[${t}]`, turn, 'a list of calls').flatMap((text, c) =>
      goldenCalls(`${place}[${t}][${c}]`, text, names),
    ),
  )
}

/** The calls of an expression that a model wrote; undefined where it is none. */
function madeCalls(text: string, names: ArgumentNames): ToolCall[] | undefined {
  const parsed = parsePythonCalls(text)
  if (!parsed.ok) return undefined
  return parsed.calls.map((call) => {
    const given = namedArguments(call, names)
    if (typeof given !== 'string') return { name: call.name, arguments: given }
    return { name: call.name, arguments: text, problem: 'not-a-call' }
  })
}

/** Without the white space and backticks that stand around calls in text. */
function withoutTicks(text: string): string {
  const isAround = (code: number): boolean => code === 96 || code === 32 || code === 10 || code === 13
  let start = 0
  let end = text.length
  while (start < end && isAround(text.charCodeAt(start))) start++
  while (end > start && isAround(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** The calls of a step of a result. */
function stepCalls(place: string, step: unknown, names: ArgumentNames): ToolCall[] {
  if (typeof step === 'string') return madeCalls(withoutTicks(step), names) ?? []
  const entries = isFields(step) ? [step] : asList(place, step, 'text or a list of calls')
  return entries.flatMap((entry, c): ToolCall[] => {
    if (typeof entry === 'string')
      return madeCalls(entry, names) ?? [{ name: '', arguments: entry, problem: 'not-a-call' }]
    const calls = asFields(`${place}[${c}]`, entry, 'a call as text, or an object with its name')
    return Object.keys(calls).map((name) => ({ name, arguments: calls[name] as JsonValue }))
  })
}

/** The steps of all turns; each turn begins with the user. */
function stepsOf(place: string, result: unknown, names: ArgumentNames): Step[] {
  const steps: Step[] = []
  for (const [t, turn] of asList(
    place,
    result,
    'a list of turns (single-turn results are not read)',
  ).entries()) {
    steps.push({ role: 'user', calls: [] })
    for (const [s, step] of asList(`${place}[${t}]`, turn, 'a list of steps').entries())
      steps.push({ role: 'assistant', calls: stepCalls(`${place}[${t}][${s}]`, step, names) })
  }
  return steps
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

function isEntry(value: unknown): boolean {
  if (!isFields(value) || typeof value.id !== 'string') return false
  const { result, ground_truth: truth, id } = value
  return (
    Array.isArray(result) || Array.isArray(truth) || (typeof result === 'string' && id.includes('multi_turn'))
  )
}

/** The lines of a file that was read at once, or one line. */
function entriesOf(value: unknown): (readonly [path: string, entry: Fields])[] {
  const wish = 'an entry with id and result or ground_truth'
  if (!Array.isArray(value)) return [['', asFields('', value, wish)]]
  return value.map((one: unknown, n) => [`[${n}]`, asFields(`[${n}]`, one, wish)] as const)
}

export const bfcl: DocumentFormat = {
  name: 'bfcl',
  title: 'BFCL multi-turn results',
  isOne: (value) => isEntry(Array.isArray(value) ? value[0] : value),
  *recordsOf(value, options): Iterable<DocumentRecord> {
    const names = argumentNames(options)
    for (const [path, entry] of entriesOf(value)) {
      const { result, ground_truth: truth } = entry
      if (!isGiven(result)) continue
      const group = asId(under(path, 'id'), entry.id)
      const hasFailed = typeof result === 'string' && result.startsWith(FAILED)
      const rollout = entry.rollout ?? options?.nextRollout?.(group) ?? 0
      yield {
        fields: {
          group,
          rollout: asId(under(path, 'rollout'), rollout),
          messages: hasFailed ? [] : stepsOf(under(path, 'result'), result, names),
          ...(isGiven(truth) && { golden: goldenOf(under(path, 'ground_truth'), truth, names) }),
          status: hasFailed ? 'aborted' : 'complete',
        },
        path,
        format: bfclSteps,
      }
    }
  },
  *tasksOf(value, options): Iterable<DocumentTask> {
    const names = argumentNames(options)
    for (const [path, entry] of entriesOf(value)) {
      if (!isGiven(entry.ground_truth)) continue
      const group = asId(under(path, 'id'), entry.id)
      yield {
        fields: { group, golden: goldenOf(under(path, 'ground_truth'), entry.ground_truth, names) },
        path,
      }
    }
  },
}
