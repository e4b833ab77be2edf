/**
 * A file of tasks, one after the other: at no time more of them than a piece of the file holds.
 */
import { Ajv, type ValidateFunction } from 'ajv'
import { fail } from '../errors.js'
import { asText, lineSplitter, MAX_LINE } from '../formats/lines.js'
import { faultOf } from '../synth/chat-reply.js'
import type { Task } from '../synth/types.js'
import { type Input, textChunks } from './input.js'

const calls = (required: readonly string[]): object => ({
  type: 'array',
  items: {
    type: 'array',
    items: {
      type: 'object',
      required,
      properties: { name: { type: 'string' }, arguments: { type: 'object' } },
    },
  },
})

const isTask: ValidateFunction<Task> = new Ajv().compile<Task>({
  type: 'object',
  required: ['group', 'environment', 'seed', 'requests', 'golden'],
  properties: {
    group: { type: 'string' },
    environment: { type: 'string' },
    seed: { type: 'integer', minimum: 0 },
    requests: { type: 'array', items: { type: 'string' } },
    golden: calls(['name', 'arguments']),
  },
})

function asTask(place: string, text: string): Task {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return fail('JSON', place, 'a task as JSON', (error as Error).message)
  }
  if (!isTask(value))
    return fail('TYPE', place, 'a task of tara synth tasks', `one in which ${faultOf(isTask)}`)
  const { requests, golden } = value
  if (golden.length === 0) fail('EMPTY', `${place}: golden`, 'one turn or more', 'an empty list')
  if (requests.length !== golden.length)
    fail(
      'LENGTH',
      `${place}: requests`,
      `${golden.length} of them, as golden has turns`,
      `${requests.length}`,
    )
  return value
}

/** Reads tasks one by one.
 * @throws TaraError with file and line; UsageError where reading fails
 */
export async function* readTasks(
  input: Input,
): AsyncGenerator<{ readonly task: Task; readonly place: string }> {
  let found: { readonly task: Task; readonly place: string }[] = []
  const groups = new Map<string, string>()
  const onText = (text: string, line: number): void => {
    const place = `${input.name}:${line}`
    const task = asTask(place, text)
    const earlier = groups.get(task.group)
    if (earlier !== undefined)
      fail(
        'DUPLICATE',
        `${place}: group`,
        'one task a group',
        `${JSON.stringify(task.group)} again, first at ${earlier}`,
      )
    groups.set(task.group, place)
    found.push({ task, place })
  }
  const lines = lineSplitter(input.name, MAX_LINE, asText(input.name, onText))
  for await (const chunk of textChunks(input, () => {})) {
    lines.push(chunk)
    yield* found
    found = []
  }
  lines.end()
  yield* found
}
