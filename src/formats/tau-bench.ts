/**
 * Result files of τ-bench: a JSON list of `{ task_id, trial, reward, traj, info }`.
 *
 * `info.task.actions` are the golden calls, `traj` holds OpenAI messages, `reward` is the outcome. User turns do not
 * align between trials, so the scope is `rollout`: each golden action is one golden turn, tested against all calls.
 * Actions that only read are golden like those that write. A trial that ended in an error of the harness is aborted.
 */
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

/** What τ-bench calls an answer to the user; it is no tool. */
const RESPOND = 'respond'

const isResult = (value: unknown): boolean =>
  isFields(value) && 'task_id' in value && 'trial' in value && Array.isArray(value.traj)

/** The golden trace of a task: one turn an action; one empty turn where nothing is to be done. */
function goldenOf(place: string, actions: unknown): readonly (readonly Fields[])[] {
  const golden: Fields[][] = []
  for (const [a, action] of asList(place, actions, 'a list of actions').entries()) {
    const { name, kwargs } = asFields(`${place}[${a}]`, action, 'an action with name and kwargs')
    if (typeof name !== 'string') fail('TYPE', `${place}[${a}].name`, 'the name of a tool', show(name))
    if (name === RESPOND) continue
    const given = asFields(`${place}[${a}].kwargs`, kwargs, 'an object of arguments')
    golden.push([{ name, arguments: given }])
  }
  return golden.length === 0 ? [[]] : golden
}

interface Entry {
  readonly path: string
  readonly fields: Fields
  readonly group: string | number
  readonly golden: unknown
  /** The harness failed. */
  readonly hasError: boolean
}

function entryOf(path: string, value: unknown): Entry {
  const fields = asFields(path, value, 'a result with task_id, trial, reward, info and traj')
  const group = asId(under(path, 'task_id'), fields.task_id)
  const info = asFields(under(path, 'info'), fields.info ?? {}, 'an object')
  const task = info.task === undefined || info.task === null ? undefined : info.task
  const actions =
    task === undefined ? undefined : asFields(under(path, 'info.task'), task, 'a task with actions').actions
  return {
    path,
    fields,
    group,
    golden: actions === undefined ? undefined : goldenOf(under(path, 'info.task.actions'), actions),
    hasError: info.error !== undefined && info.error !== null,
  }
}

/** The entries of a file, or the one that a line of JSONL holds. */
function entriesOf(value: unknown): Entry[] {
  if (!Array.isArray(value)) return [entryOf('', value)]
  return value.map((one: unknown, e) => entryOf(`[${e}]`, one))
}

/** The golden trace of each task that has one; a trial that failed does not tell it. */
function tasksIn(entries: readonly Entry[]): Map<string | number, Entry> {
  const tasks = new Map<string | number, Entry>()
  for (const entry of entries)
    if (entry.golden !== undefined && !tasks.has(entry.group)) tasks.set(entry.group, entry)
  return tasks
}

export const tauBench: DocumentFormat = {
  name: 'tau-bench',
  title: 'τ-bench results',
  isOne: (value) => isResult(Array.isArray(value) ? value[0] : value),
  *recordsOf(value): Iterable<DocumentRecord> {
    const entries = entriesOf(value)
    const tasks = tasksIn(entries)
    for (const { path, fields, group, golden, hasError } of entries) {
      const messages = asList(under(path, 'traj'), fields.traj, 'a list of messages')
      const reward = asReward(under(path, 'reward'), fields.reward)
      yield {
        fields: {
          group,
          rollout: asId(under(path, 'trial'), fields.trial),
          scope: 'rollout',
          messages,
          golden: golden ?? tasks.get(group)?.golden,
          status: hasError ? 'aborted' : 'complete',
          outcome: hasError ? null : reward,
        },
        path: under(path, 'traj'),
        format: openai,
      }
    }
  },
  *tasksOf(value): Iterable<DocumentTask> {
    for (const [group, { path, golden }] of tasksIn(entriesOf(value)))
      yield { fields: { group, golden, scope: 'rollout' }, path }
  },
}
