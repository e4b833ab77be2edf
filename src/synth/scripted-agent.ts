/**
 * An agent with a skill level: it knows the golden trace, and gets each turn right with a fixed probability.
 *
 * A stand-in for a model, to try a chain with. A turn that it gets wrong has reward 0 under Eq. 1, by one of the
 * mistakes that models make: a wrong argument, a call left out, another tool's call in place of one, the calls of another turn.
 */
import { fail, show } from '../errors.js'
import type { JsonObject, JsonValue, ToolCall } from '../reward/call.js'
import type { Agent } from './agent.js'
import { type ChatToolCall, resultText } from './chat-message.js'
import { type Draw, drawFrom } from './draw.js'
import { traceRewards } from './pass-at-k.js'
import type { JsonSchema, Task, Tool } from './types.js'

type Calls = Task['golden'][number]

/** Gives the calls of a turn gone wrong; undefined where this mistake cannot be made here. */
type Mistake = (task: Task, t: number, tools: readonly Tool[], draw: Draw) => Calls | undefined

const pick = <Item>(items: readonly Item[], draw: Draw): Item | undefined =>
  items.length === 0 ? undefined : items[draw.below(items.length)]

const replaced = (calls: Calls, c: number, ...by: Calls): Calls => [
  ...calls.slice(0, c),
  ...by,
  ...calls.slice(c + 1),
]

/** Another value of the same type: an argument as a model gets it wrong. */
function altered(value: JsonValue, schema: JsonSchema | undefined, draw: Draw): JsonValue {
  const choices = Array.isArray(schema?.enum)
    ? (schema.enum as JsonValue[]).filter((one) => one !== value)
    : []
  if (choices.length > 0) return pick(choices, draw)!
  switch (typeof value) {
    case 'boolean':
      return !value
    case 'number':
      return Number.isInteger(value) ? value + 1 : value * 2 + 1
    case 'string':
      return /\d$/.test(value) ? `${value.slice(0, -1)}${(Number(value.at(-1)) + 1) % 10}` : `${value}s`
    default:
      if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.slice(1)
      return null
  }
}

const wrongArgument: Mistake = ({ golden }, t, tools, draw) => {
  const calls = golden[t]!
  const c = draw.below(calls.length)
  const { name, arguments: args } = calls[c]!
  const key = pick(Object.keys(args), draw)
  if (key === undefined) return undefined
  const schemas = tools.find((tool) => tool.name === name)?.inputSchema.properties
  const schema = (schemas as Record<string, JsonSchema> | undefined)?.[key]
  const changed: JsonObject = { ...args, [key]: altered(args[key]!, schema, draw) }
  return replaced(calls, c, { name, arguments: changed })
}

const missingCall: Mistake = ({ golden }, t, _tools, draw) =>
  replaced(golden[t]!, draw.below(golden[t]!.length))

const otherTool: Mistake = ({ golden }, t, tools, draw) => {
  const calls = golden[t]!
  const c = draw.below(calls.length)
  const others = tools.filter(({ name }) => calls.every((call) => call.name !== name))
  const other = pick(others, draw)
  return other && replaced(calls, c, { name: other.name, arguments: calls[c]!.arguments })
}

const extraCall: Mistake = (task, t, tools, draw) => {
  const queries = tools.filter(({ kind }) => kind === 'query')
  const extra = pick(queries, draw)
  const changed = wrongArgument(task, t, tools, draw)
  return extra && changed && [...changed, { name: extra.name, arguments: task.golden[t]![0]!.arguments }]
}

const otherTurn: Mistake = ({ golden }, t, _tools, draw) => {
  const others = golden.filter((calls, other) => other !== t && calls.length > 0)
  return pick(others, draw)
}

const mistakes: readonly Mistake[] = [wrongArgument, missingCall, otherTool, extraCall, otherTurn]

/** The calls of a turn gone wrong. What would be right after all (the calls of a turn like this one) is not taken. */
function wrongTurn(task: Task, t: number, tools: readonly Tool[], draw: Draw): Calls {
  const made = pick(mistakes, draw)!(task, t, tools, draw)
  const isWrong = made !== undefined && traceRewards([task.golden[t]!], [made])[0] === 0
  return isWrong ? made : missingCall(task, t, tools, draw)!
}

const chatCall = ({ name, arguments: args }: Calls[number], id: string): ChatToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

/** An agent that makes each golden turn right with probability `skill`, independently; 1 is always right. A golden turn
 * without calls is always right.
 * @param skill - in [0, 1]
 * @param seed - another seed, other mistakes; with it, task and attempt decide every call
 * @throws TaraError `OPTION`
 */
export function scriptedAgent(skill: number, seed: number = 0): Agent {
  if (!(typeof skill === 'number' && skill >= 0 && skill <= 1))
    fail('OPTION', 'scriptedAgent: skill', 'a number in [0, 1]', show(skill))
  if (!Number.isSafeInteger(seed)) fail('OPTION', 'scriptedAgent: seed', 'a whole number', show(seed))

  return {
    name: `scripted:${skill}`,
    async solve(task, environment, attempt, onMessage = () => {}) {
      const draw = drawFrom(seed, 'scripted', task.group, attempt)
      const turns: ToolCall[][] = []
      for (const [t, golden] of task.golden.entries()) {
        onMessage({ role: 'user', content: task.requests[t] ?? '' })
        const isRight = draw.unit() < skill || golden.length === 0
        const calls = isRight ? golden : wrongTurn(task, t, environment.source.tools, draw)
        turns.push([...calls])
        const made = calls.map((call, c) => chatCall(call, `call_${t}_${c}`))
        if (made.length > 0) onMessage({ role: 'assistant', content: null, tool_calls: made })
        for (const [c, { name, arguments: args }] of calls.entries()) {
          const content = resultText(await environment.call(name, args))
          onMessage({ role: 'tool', tool_call_id: made[c]!.id, content })
        }
        onMessage({ role: 'assistant', content: 'Done.' })
      }
      return turns
    },
  }
}
