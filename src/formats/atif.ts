/**
 * Trajectories of ATIF, Harbor's Agent Trajectory Interchange Format, version 1.
 *
 * A user step opens a user turn, an agent step is a step, its `tool_calls` are its calls. An agent step that no model
 * made (`llm_call_count` 0) is none, and its calls are not the model's. Where every agent step has the token ids of its
 * prompt and completion, they are the record's `tokens`. Trajectories of sub-agents are not read.
 *
 * ATIF has no place for the task, the golden trace or the reward: `{ record, trajectory }` puts the other fields of a
 * record beside the trajectory.
 */
import { fail, show } from '../errors.js'
import type { JsonValue } from '../reward/call.js'
import { asList, type DocumentFormat, type DocumentRecord, under } from './document.js'
import { type Fields, isFields } from './fields.js'
import type { MessageFormat } from './message-format.js'
import { asId } from './record.js'
import { asFields } from './structure.js'

const VERSION = /^ATIF-v1(?:\.[0-9]{1,3})?$/

const isTrajectory = (value: unknown): value is Fields =>
  isFields(value) && typeof value.schema_version === 'string' && value.schema_version.startsWith('ATIF-')

/** Whether a trajectory has the fields of a record beside it. */
const isPair = (value: unknown): value is Fields => isFields(value) && isTrajectory(value.trajectory)

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** Whether a model made the step. */
const isWritten = (step: Fields): boolean => step.source === 'agent' && step.llm_call_count !== 0

/** Reads steps that `asStep` has checked. */
const atifSteps: MessageFormat = {
  name: 'atif',
  kindOf(step) {
    if (step.source === 'user') return 'user'
    return isWritten(step) ? 'step' : 'other'
  },
  pushCalls(step, _, into) {
    if (!isWritten(step) || !isGiven(step.tool_calls)) return
    for (const call of step.tool_calls as readonly Fields[])
      into.push({ name: call.function_name as string, arguments: call.arguments as JsonValue | undefined })
  },
}

/** Checks what is read of a step. */
function asStep(place: string, value: unknown): Fields {
  const step = asFields(place, value, 'a step')
  const { source, tool_calls: calls } = step
  if (source !== 'user' && source !== 'agent' && source !== 'system')
    fail('RANGE', `${place}.source`, '"user", "agent" or "system"', show(source))
  if (!isGiven(calls)) return step
  for (const [c, one] of asList(`${place}.tool_calls`, calls, 'a list of calls or null').entries()) {
    const call = asFields(`${place}.tool_calls[${c}]`, one, 'a call')
    if (typeof call.function_name !== 'string')
      fail('TYPE', `${place}.tool_calls[${c}].function_name`, 'a string', show(call.function_name))
    if (source !== 'agent')
      fail('MISMATCH', `${place}.tool_calls`, 'calls of agent steps only', `"${source}"`)
  }
  return step
}

/** The sampler's calls: what each step's prompt and completion were; undefined where not all of them are told.
 *
 * A prompt that does not go on from the ids so far begins another sequence: the sampler saw it as it is.
 */
function tokensOf(path: string, steps: readonly Fields[]): Fields | undefined {
  const sampled: Fields[] = []
  let soFar: readonly unknown[] = []
  for (const [m, step] of steps.entries()) {
    if (!isWritten(step)) continue
    const metrics = isFields(step.metrics) ? step.metrics : {}
    const { prompt_token_ids: prompt, completion_token_ids: completion, logprobs } = metrics
    if (!isGiven(prompt) || !isGiven(completion) || step.is_copied_context === true) return undefined
    const place = `${under(path, 'steps')}[${m}].metrics`
    const ids = asList(`${place}.prompt_token_ids`, prompt, 'a list of token ids or null')
    const own = asList(`${place}.completion_token_ids`, completion, 'a list of token ids or null')
    const goesOn = soFar.every((id, k) => id === ids[k])
    sampled.push({
      prompt: ids,
      completion: own,
      ...(isGiven(logprobs) && { logprobs }),
      ...(!goesOn && { newSequence: true }),
    })
    soFar = [...ids, ...own]
  }
  return sampled.length === 0 ? undefined : { steps: sampled }
}

/** The steps of a trajectory and their tokens, as fields of a record. */
function trajectoryFields(path: string, trajectory: Fields): Fields {
  const { schema_version: version } = trajectory
  if (typeof version !== 'string' || !VERSION.test(version))
    fail('RANGE', under(path, 'schema_version'), '"ATIF-v1.0" or a later version 1', show(version))
  const place = under(path, 'steps')
  const steps = asList(place, trajectory.steps, 'a list of steps').map((step, m) =>
    asStep(`${place}[${m}]`, step),
  )
  const tokens = tokensOf(path, steps)
  return { messages: steps, ...(tokens !== undefined && { tokens }) }
}

function recordOf(path: string, value: unknown): DocumentRecord {
  if (isPair(value)) {
    const place = under(path, 'record')
    const beside = asFields(place, value.record, 'the fields of a record: group, rollout, golden, …')
    for (const field of ['messages', 'rewards'])
      if (isGiven(beside[field])) fail('MISMATCH', under(place, field), `a trajectory or ${field}`, 'both')
    const fields = trajectoryFields(under(path, 'trajectory'), value.trajectory as Fields)
    const tokens = beside.tokens ?? fields.tokens
    return { fields: { ...beside, ...fields, ...(isGiven(tokens) && { tokens }) }, path, format: atifSteps }
  }
  const trajectory = asFields(path, value, 'a trajectory, or one with a record beside it')
  const fields = trajectoryFields(path, trajectory)
  const { session_id: session, trajectory_id: own } = trajectory
  return {
    fields: {
      ...fields,
      group: asId(under(path, 'session_id'), session ?? own ?? undefined),
      rollout: asId(under(path, 'trajectory_id'), own ?? session ?? undefined),
    },
    path,
    format: atifSteps,
  }
}

const isOne = (value: unknown): boolean => isTrajectory(value) || isPair(value)

export const atif: DocumentFormat = {
  name: 'atif',
  title: 'ATIF trajectories',
  isOne: (value) => isOne(Array.isArray(value) ? value[0] : value),
  *recordsOf(value): Iterable<DocumentRecord> {
    if (!Array.isArray(value)) yield recordOf('', value)
    else for (const [n, one] of value.entries()) yield recordOf(`[${n}]`, one)
  },
}
