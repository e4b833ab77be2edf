/**
 * The tests of one tool: valid calls, the same call again, invalid calls, and each argument by itself.
 */
import type { JsonObject } from '../reward/call.js'
import { callFrom, equal, note, type Seen, shown, type Trial } from './check-trial.js'
import { candidates, type Known, knownOf, someArguments, wrongArguments } from './check-values.js'
import { type Draw, sample } from './draw.js'
import { inputsOf, propertiesOf } from './schema.js'
import type { Environment, Snapshot, Tool } from './types.js'

/** Accepted calls that an argument is varied in. */
const ARGUMENT_BASES = 60

/** Calls a tool with valid arguments from a state. Returns the states that it led to. */
export async function tryValid(
  environment: Environment,
  state: Snapshot,
  trial: Trial,
  known: Known,
  draw: Draw,
  calls: number,
  seen: Seen,
): Promise<Snapshot[]> {
  const { tool, compiled } = trial
  const next: Snapshot[] = []
  const tried = new Set<string>()
  for (let k = 0; k < calls && !trial.hangs; k++) {
    const args = someArguments(tool, known, draw, k)
    const key = JSON.stringify(args)
    if (tried.has(key) || compiled.input(args) !== undefined) continue
    tried.add(key)
    const result = await callFrom(environment, state, trial, args, seen)
    if (!result.ok) continue
    trial.accepted.push({ state, args, output: result.output })
    const after = environment.snapshot()
    const changed = !equal(after.database, state.database)
    if (changed && tool.kind === 'query')
      note(trial, 'state', 'writes', `${shown(tool.name, args)} is a query and changes the database`)
    if (changed) next.push(after)
    trial.changes ||= changed
  }
  return next
}

export async function checkRepeats(environment: Environment, trial: Trial, seen: Seen): Promise<void> {
  for (const { state, args, output } of trial.accepted.slice(0, 5)) {
    const again = await callFrom(environment, state, trial, args, seen)
    if (!again.ok || !equal(again.output, output))
      note(
        trial,
        'state',
        'repeat',
        `${shown(trial.tool.name, args)} gives another output when it is repeated from the same state`,
      )
  }
}

/** Makes wrong calls. The error must name the argument. */
export async function checkInvalid(
  environment: Environment,
  trial: Trial,
  draw: Draw,
  known: Known,
): Promise<void> {
  const { tool, compiled } = trial
  const base = trial.accepted[0]?.args ?? someArguments(tool, known, draw, 0)
  const refusing = new Set<string>()
  for (const { args, wrong } of wrongArguments(tool, base)) {
    if (typeof args === 'object' && !Array.isArray(args) && compiled.input(args) === undefined) continue
    trial.invalid++
    refusing.add(wrong)
    const before = environment.snapshot().database
    const result = await environment.call(tool.name, args)
    const call = shown(tool.name, args)
    if (result.ok || result.error.code !== 'invalid-arguments')
      note(trial, 'invalid calls', wrong, `${call} is not refused as invalid`)
    else if (!result.error.message.includes(wrong))
      note(
        trial,
        'invalid calls',
        wrong,
        `${call} is refused without naming ${wrong}: ${result.error.message}`,
      )
    if (!equal(environment.snapshot().database, before))
      note(trial, 'invalid calls', `${wrong} state`, `${call} changes the database`)
  }
  for (const { name } of inputsOf(tool))
    if (!refusing.has(name))
      note(trial, 'invalid calls', name, `argument ${name} takes any value: declare its type`)
}

/** What a call did: its result and the database after it. */
async function outcome(
  environment: Environment,
  state: Snapshot,
  trial: Trial,
  args: JsonObject,
  seen: Seen,
): Promise<string> {
  const result = await callFrom(environment, state, trial, args, seen)
  return JSON.stringify([result, environment.snapshot().database])
}

/** Arguments that differ in one place from those of an accepted call. */
function variations(tool: Tool, name: string, args: JsonObject, known: Known, draw: Draw): JsonObject[] {
  const schema = propertiesOf(tool.inputSchema, tool.inputSchema).get(name)
  const { [name]: _, ...without } = args
  const values = sample(draw, candidates(tool.inputSchema, schema, name, known, draw))
  return [without, ...values.slice(0, 12).map((value) => ({ ...args, [name]: value }))]
}

export async function checkArgument(
  environment: Environment,
  trial: Trial,
  name: string,
  draw: Draw,
  seen: Seen,
): Promise<void> {
  const { tool, compiled, accepted } = trial
  let tried = 0
  let difference: string | undefined
  for (const base of sample(draw, accepted).slice(0, ARGUMENT_BASES)) {
    const expected = await outcome(environment, base.state, trial, base.args, seen)
    for (const args of variations(tool, name, base.args, knownOf([base.state.database]), draw)) {
      if (trial.hangs) return
      if (equal(args, base.args) || compiled.input(args) !== undefined) continue
      tried++
      if ((await outcome(environment, base.state, trial, args, seen)) === expected) continue
      difference = shown(tool.name, args)
      break
    }
    if (difference !== undefined) break
  }
  const isInert = tool.inert?.includes(name) === true
  if (difference !== undefined && isInert)
    note(
      trial,
      'arguments',
      name,
      `argument ${name} is declared inert, but ${difference} does something else`,
    )
  if (difference === undefined && !isInert && tried > 0)
    note(trial, 'arguments', name, `argument ${name} changes nothing: use it, or declare it inert`)
}

/** What can be said when all calls are made. */
export function conclude(trial: Trial): void {
  const { tool, accepted, refused, lastRefusal, problems } = trial
  if (accepted.length > 0) {
    if (tool.kind === 'update' && !trial.changes)
      note(trial, 'state', 'idle', 'is an update, and no call of it changes the database')
    return
  }
  if (problems.size > 0) return
  const why =
    refused === 0
      ? 'no arguments could be made that the input schema takes: give it examples'
      : `none of ${refused} calls was accepted; the last was refused with: ${lastRefusal}`
  note(trial, 'valid calls', 'none', why)
}
