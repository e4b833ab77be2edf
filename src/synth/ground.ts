/**
 * Inverse context reconstruction: stages of tools → a golden trace, by making the calls.
 *
 * Calls are made in order on the live environment. An argument is copied from the output of an earlier call where an
 * edge says so (the nearest call first), else found in the database as it is then, else taken from the schema. Where a
 * call is refused, an update changes nothing, or a query finds nothing that a later call needs, other arguments are
 * tried, then other arguments of the calls before, within a bound.
 */
import { fail, show } from '../errors.js'
import { aCount, type Check, optional, resolveOptions } from '../options.js'
import type { JsonObject } from '../reward/call.js'
import { type Assignment, type Candidate, drawArguments } from './arguments.js'
import { drawFrom } from './draw.js'
import { indexDatabase } from './index-database.js'
import { valuesAt } from './paths.js'
import { executableBindings } from './sanitize.js'
import type { Environment, GroundedCall, ToolDefinition, ToolEdge, ToolGraph } from './types.js'
import { aPositiveCount } from './unlock.js'

export interface GroundOptions {
  readonly seed: number
  /** Sets of arguments that are tried for one call before the call before it changes. */
  readonly tries: number
  /** Calls in all, those that were taken back included. Unset: 40 for every call of the trace. */
  readonly maxCalls: number | undefined
}

export const groundDefaults: Readonly<GroundOptions> = Object.freeze({
  seed: 0,
  tries: 12,
  maxCalls: undefined,
})

const checks: { readonly [Name in keyof GroundOptions]: Check } = {
  seed: aCount,
  tries: aPositiveCount,
  maxCalls: optional(aPositiveCount),
}

export type Grounding =
  | { readonly ok: true; readonly trace: readonly (readonly GroundedCall[])[] }
  /** The tool that got furthest and failed, and what it failed of last. */
  | { readonly ok: false; readonly tool: string; readonly reason: string }

/** A call to be made, and what the edges say of it. */
interface Slot {
  readonly turn: number
  readonly call: number
  readonly tool: ToolDefinition
  /** Arguments that an earlier slot can bring, the nearest slot first. */
  readonly brings: readonly { readonly slot: number; readonly path: string; readonly argument: string }[]
  /** Paths of the output that later slots take from. */
  readonly wanted: readonly string[]
}

type Bindings = readonly (readonly [output: string, argument: string])[]

function bindingsOf(edge: ToolEdge, tools: ReadonlyMap<string, ToolDefinition>): Bindings {
  return edge.kind === 'semantic' ? [] : executableBindings(edge, tools.get(edge.from)!, tools.get(edge.to)!)
}

function slotsOf(environment: Environment, graph: ToolGraph, stages: readonly (readonly string[])[]): Slot[] {
  const tools = new Map<string, ToolDefinition>(environment.source.tools.map((tool) => [tool.name, tool]))
  const places = stages.flatMap((stage, turn) => stage.map((name, call) => ({ turn, call, name })))
  for (const { turn, call, name } of places)
    if (!tools.has(name)) fail('MISSING', `groundTrace: stages[${turn}][${call}]`, 'a tool', show(name))
  for (const [k, { from, to }] of graph.edges.entries())
    for (const name of [from, to])
      if (!tools.has(name)) fail('MISSING', `groundTrace: graph.edges[${k}]`, 'tools', show(name))
  const links = graph.edges.flatMap((edge) =>
    bindingsOf(edge, tools).map(([path, argument]) => ({ from: edge.from, to: edge.to, path, argument })),
  )
  return places.map(({ turn, call, name }) => {
    const brings = links
      .filter(({ to }) => to === name)
      .flatMap(({ from, path, argument }) =>
        places.flatMap((place, slot) =>
          place.name === from && place.turn < turn ? [{ slot, path, argument }] : [],
        ),
      )
      .sort(
        (a, b) =>
          places[b.slot]!.turn - places[a.slot]!.turn ||
          (places[a.slot]!.name < places[b.slot]!.name ? -1 : 1),
      )
    const later = new Set(places.filter((place) => place.turn > turn).map((place) => place.name))
    const wanted = links.filter(({ from, to }) => from === name && later.has(to)).map(({ path }) => path)
    return { turn, call, tool: tools.get(name)!, brings, wanted }
  })
}

function broughtTo(
  { brings }: Slot,
  slots: readonly Slot[],
  made: readonly GroundedCall[],
): Map<string, Candidate[]> {
  const brought = new Map<string, Candidate[]>()
  for (const { slot, path, argument } of brings) {
    const { turn, call } = slots[slot]!
    const values = valuesAt(made[slot]!.output, path).map(
      (found): Candidate => ({
        value: found.value,
        provenance: { from: 'edge', turn, call, path: found.path },
      }),
    )
    brought.set(argument, [...(brought.get(argument) ?? []), ...values])
  }
  return brought
}

function isEmptyList(output: JsonObject): boolean {
  return Object.values(output).some((value) => Array.isArray(value) && value.length === 0)
}

/** How a try went: not at all, or done. `lacking`: it gave nothing for a call after it. `empty`: some list was. */
type Outcome =
  | { readonly reason: string; readonly call?: undefined }
  | { readonly call: GroundedCall; readonly flaw?: 'lacking' | 'empty' }

async function tryCall(
  environment: Environment,
  slot: Slot,
  before: string,
  choice: Assignment,
): Promise<Outcome> {
  const { tool, wanted } = slot
  const result = await environment.call(tool.name, choice.arguments)
  if (!result.ok) return { reason: `${result.error.code}: ${result.error.message}` }
  const { output } = result
  if (tool.kind === 'update' && JSON.stringify(environment.snapshot().database) === before)
    return { reason: 'the update changed nothing' }
  const call = { name: tool.name, ...choice, output }
  if (wanted.some((path) => valuesAt(output, path).length === 0)) return { call, flaw: 'lacking' }
  return isEmptyList(output) ? { call, flaw: 'empty' } : { call }
}

/** What the search has so far. */
interface Progress {
  readonly made: GroundedCall[]
  /** Calls that may still be made. */
  budget: number
  /** Visits of slots: each draws numbers of its own. */
  visits: number
  /** The furthest slot that failed, and what of. */
  furthest: number
  reason: string
  /** Whether a call may give nothing for the calls after it; their arguments then come from elsewhere. */
  readonly allowsLacking: boolean
}

/** Makes the calls from slot `at` on; false, with the state as it was, where no arguments lead to the end. */
async function searchFrom(
  at: number,
  environment: Environment,
  slots: readonly Slot[],
  settings: GroundOptions,
  progress: Progress,
): Promise<boolean> {
  const slot = slots[at]
  if (slot === undefined) return true
  const { made } = progress
  const start = environment.snapshot()
  const before = JSON.stringify(start.database)
  const index = indexDatabase(start.database)
  const brought = broughtTo(slot, slots, made)
  const draw = drawFrom(settings.seed, 'ground', at, progress.visits++)
  const tried = new Set<string>()
  /** Arguments that worked, but not well: for the end. */
  const flawed: Assignment[] = []
  const note = (reason: string): void => {
    if (at < progress.furthest) return
    progress.furthest = at
    progress.reason = reason
  }
  async function follow(choice: Assignment, isLast: boolean): Promise<boolean> {
    progress.budget--
    const outcome = await tryCall(environment, slot!, before, choice)
    if (outcome.call === undefined) note(outcome.reason)
    else if (outcome.flaw === 'lacking' && !progress.allowsLacking)
      note('it gave nothing for the calls after it')
    else if (outcome.flaw !== undefined && !isLast) flawed.push(choice)
    else {
      made.push(outcome.call)
      if (await searchFrom(at + 1, environment, slots, settings, progress)) return true
      made.pop()
    }
    environment.restore(start)
    return false
  }
  for (let attempt = 0; attempt < settings.tries && progress.budget > 0; attempt++) {
    const choice = drawArguments(slot.tool, brought, index, draw, attempt)
    if ('missing' in choice) {
      note(`no value for the argument ${choice.missing}`)
      continue
    }
    const text = JSON.stringify(choice.arguments)
    if (tried.has(text)) continue
    tried.add(text)
    if (await follow(choice, false)) return true
  }
  for (const choice of flawed) if (progress.budget > 0 && (await follow(choice, true))) return true
  return false
}

/** Makes a golden trace: one call for each tool of each stage.
 *
 * The environment is left after the last call, or as it was where no trace was found.
 * @param environment - its state is where the trace starts
 * @param graph - sanitized; its edges say where arguments come from
 * @param stages - names of tools, one list a turn
 * @throws TaraError `MISSING` for a name that is no tool
 */
export async function groundTrace(
  environment: Environment,
  graph: ToolGraph,
  stages: readonly (readonly string[])[],
  options?: Partial<GroundOptions>,
): Promise<Grounding> {
  const settings = resolveOptions('groundTrace', options, groundDefaults, checks)
  const slots = slotsOf(environment, graph, stages)
  const budget = settings.maxCalls ?? 40 * slots.length
  const strictly = Math.ceil(budget / 4)
  async function search(allowsLacking: boolean, most: number): Promise<Grounding> {
    const made: GroundedCall[] = []
    const progress = { made, budget: most, visits: 0, furthest: 0, reason: 'no calls left', allowsLacking }
    const isFound = await searchFrom(0, environment, slots, settings, progress)
    if (!isFound) return { ok: false, tool: slots[progress.furthest]!.tool.name, reason: progress.reason }
    return { ok: true, trace: stages.map((_, turn) => made.filter((_, k) => slots[k]!.turn === turn)) }
  }
  // First so that every edge can be followed, with a quarter of the calls; then as it comes.
  const strict = await search(false, strictly)
  return strict.ok ? strict : search(true, Math.max(1, budget - strictly))
}
