/**
 * Result files of τ²-bench: `{ tasks, simulations }`; a list of tasks or one simulation is read too.
 *
 * `evaluation_criteria.actions` of a task are the golden calls of both sides (`requestor`), each a golden turn under
 * scope `rollout`; `compare_args` becomes `compare` of the golden call. `reward_info.reward` is the outcome and
 * `termination_reason` the status. Messages are OpenAI messages with flat calls.
 */

import type { Status } from '../batch/layout.js'
import { fail, show } from '../errors.js'
import {
  asList,
  asReward,
  type DocumentFormat,
  type DocumentRecord,
  type DocumentTask,
  under,
} from './document.js'
import { type Fields, isFields } from './fields.js'
import { openai } from './openai.js'
import { asId } from './record.js'
import { asFields } from './structure.js'

/** How a simulation ended. The agent's own fault is part of the rollout; that of the simulated user or of the machines
 * is an outside cause. */
const statusOf: ReadonlyMap<unknown, Status> = new Map<unknown, Status>([
  ['user_stop', 'complete'],
  ['agent_stop', 'complete'],
  ['agent_error', 'complete'],
  ['max_steps', 'truncated'],
  ['timeout', 'truncated'],
  ['too_many_errors', 'truncated'],
  ['context_window_exceeded', 'truncated'],
  ['user_error', 'aborted'],
  ['infrastructure_error', 'aborted'],
  ['unexpected_error', 'aborted'],
])

const isTask = (value: unknown): boolean =>
  isFields(value) && 'evaluation_criteria' in value && 'user_scenario' in value

const isSimulation = (value: unknown): boolean =>
  isFields(value) && 'task_id' in value && 'termination_reason' in value

function goldenCall(place: string, value: unknown): Fields {
  const action = asFields(place, value, 'an action with name and arguments')
  const { name, requestor, compare_args: compare } = action
  if (typeof name !== 'string') fail('TYPE', `${place}.name`, 'the name of a tool', show(name))
  if (requestor !== undefined && requestor !== null && typeof requestor !== 'string')
    fail('TYPE', `${place}.requestor`, '"assistant" or "user"', show(requestor))
  if (compare !== undefined && compare !== null && !Array.isArray(compare))
    fail('TYPE', `${place}.compare_args`, 'a list of argument names or null', show(compare))
  const given = asFields(`${place}.arguments`, action.arguments ?? {}, 'an object of arguments')
  return { name, arguments: given, requestor: requestor ?? 'assistant', compare: compare ?? null }
}

/** The golden trace of a task: one turn an action; one empty turn where nothing is to be done. */
function goldenOf(path: string, task: Fields): readonly (readonly Fields[])[] {
  const place = under(path, 'evaluation_criteria')
  const { actions } = asFields(place, task.evaluation_criteria ?? {}, 'an object or null')
  const list = asList(`${place}.actions`, actions ?? [], 'a list of actions or null')
  if (list.length === 0) return [[]]
  return list.map((action, a) => [goldenCall(`${place}.actions[${a}]`, action)])
}

function taskOf(path: string, value: unknown): DocumentTask & { readonly group: string | number } {
  const task = asFields(path, value, 'a task')
  const group = asId(under(path, 'id'), task.id)
  return { group, fields: { group, golden: goldenOf(path, task), scope: 'rollout' }, path }
}

/** The tasks of a list, by id. */
function tasksIn(place: string, tasks: unknown): Map<string | number, DocumentTask> {
  const byId = new Map<string | number, DocumentTask>()
  for (const [k, value] of asList(place, tasks, 'a list of tasks').entries()) {
    const { group, fields, path } = taskOf(`${place}[${k}]`, value)
    if (byId.has(group)) fail('DUPLICATE', `${path}.id`, 'each task once', `${show(group)} again`)
    byId.set(group, { fields, path })
  }
  return byId
}

function asStatus(place: string, reason: unknown): Status {
  const status = reason === undefined || reason === null ? 'complete' : statusOf.get(reason)
  if (status === undefined) fail('RANGE', place, `one of ${[...statusOf.keys()].join(', ')}`, show(reason))
  return status
}

/** The record of a simulation.
 * @param tasks - of the document, where it has them
 */
function recordOf(
  path: string,
  value: unknown,
  tasks: ReadonlyMap<string | number, DocumentTask> | undefined,
): DocumentRecord {
  const simulation = asFields(path, value, 'a simulation')
  const group = asId(under(path, 'task_id'), simulation.task_id)
  const task = tasks?.get(group)
  if (tasks !== undefined && task === undefined)
    fail('MISSING', under(path, 'task_id'), 'a task of the document', show(group))
  const status = asStatus(under(path, 'termination_reason'), simulation.termination_reason)
  const given = simulation.messages ?? (status === 'aborted' ? [] : undefined)
  const messages = asList(
    under(path, 'messages'),
    given,
    'a list of messages (ticks of voice runs are not read)',
  )
  const info = asFields(under(path, 'reward_info'), simulation.reward_info ?? {}, 'an object or null')
  const reward = asReward(under(path, 'reward_info.reward'), info.reward)
  const { trial } = simulation
  const rollout =
    trial === undefined || trial === null
      ? asId(under(path, 'id'), simulation.id)
      : asId(under(path, 'trial'), trial)
  return {
    fields: {
      group,
      rollout,
      scope: 'rollout',
      messages,
      golden: task?.fields.golden,
      status,
      outcome: status === 'aborted' ? null : reward,
    },
    path,
    format: openai,
  }
}

const isResults = (value: unknown): value is Fields =>
  isFields(value) && Array.isArray(value.simulations) && Array.isArray(value.tasks)

const isOne = (value: unknown): boolean =>
  Array.isArray(value) ? isTask(value[0]) : isResults(value) || isSimulation(value) || isTask(value)

export const tau2Bench: DocumentFormat = {
  name: 'tau2-bench',
  title: 'τ²-bench results',
  isOne,
  *recordsOf(value): Iterable<DocumentRecord> {
    if (isResults(value)) {
      const tasks = tasksIn('tasks', value.tasks)
      for (const [s, one] of (value.simulations as readonly unknown[]).entries())
        yield recordOf(`simulations[${s}]`, one, tasks)
    } else if (isSimulation(value)) yield recordOf('', value, undefined)
    else if (!isOne(value))
      fail('TYPE', '', 'results with tasks and simulations, a simulation or tasks', show(value))
  },
  *tasksOf(value): Iterable<DocumentTask> {
    if (Array.isArray(value)) yield* tasksIn('', value).values()
    else if (isResults(value)) yield* tasksIn('tasks', value.tasks).values()
    else if (isTask(value)) {
      const { fields, path } = taskOf('', value)
      yield { fields, path }
    }
  },
}
