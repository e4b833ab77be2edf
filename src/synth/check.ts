/**
 * Tests an environment before tasks are made of it: each tool is called with arguments generated from its schema.
 *
 * Three kinds of tests a tool: valid calls are accepted and give what the output schema says; invalid calls are refused
 * with a clear error; an update changes the database and a query does not. Beside them: each declared argument matters
 * or is declared inert, and the same call from the same state gives the same output. An environment is fit that passes
 * them all and has 5 to 20 tools.
 *
 * The tests see what they try. A fault that only rare arguments show can stay unseen.
 */
import { aCount, type Check, resolveOptions } from '../options.js'
import type { EnvironmentReport, ToolReport } from './check-report.js'
import { checkArgument, checkInvalid, checkRepeats, conclude, tryValid } from './check-tests.js'
import { type Seen, type Trial, watched } from './check-trial.js'
import { knownOf } from './check-values.js'
import { drawFrom, sample } from './draw.js'
import { openEnvironment } from './environment.js'
import { inputsOf } from './schema.js'
import type { EnvironmentSource, Snapshot } from './types.js'
import { compiledTools } from './validators.js'

export interface CheckOptions {
  /** Which calls are tried follows from it. */
  readonly seed: number
  /** How long a call may take, in milliseconds. A handler that never gives control back cannot be stopped. */
  readonly timeout: number
  /** Valid calls tried of each tool in each round. */
  readonly calls: number
}

export const checkDefaults: Readonly<CheckOptions> = Object.freeze({ seed: 0, timeout: 1000, calls: 60 })

const aTimeout: Check = (value) =>
  typeof value === 'number' && value > 0 && value <= 0x7fffffff ? undefined : 'milliseconds, more than 0'

const checks = { seed: aCount, timeout: aTimeout, calls: aCount }

/** The number of tools that makes an environment fit. */
const LEAST_TOOLS = 5
const MOST_TOOLS = 20

/** Rounds of calls. Each starts from states that updates of the round before left. */
const ROUNDS = 4
const STATES = 6

/** Tests every tool of an environment with calls that are generated from the schemas.
 *
 * The same seed tries the same calls. Handlers run, on copies of the database.
 * @throws TaraError with the place for a source that cannot be opened: schemas, names, hints, database
 */
export async function checkEnvironment(
  source: EnvironmentSource,
  options?: Partial<CheckOptions>,
): Promise<EnvironmentReport> {
  const { seed, timeout, calls } = resolveOptions('checkEnvironment', options, checkDefaults, checks)
  const seen: Seen = { thrown: undefined }
  const guarded = watched(source, seen)
  const environment = openEnvironment(guarded, { seed, timeout })
  const compiled = compiledTools(guarded)
  const trials = source.tools.map(
    (tool): Trial => ({
      tool,
      compiled: compiled.get(tool.name)!,
      accepted: [],
      problems: new Map(),
      refused: 0,
      invalid: 0,
      changes: false,
      hangs: false,
      lastRefusal: undefined,
    }),
  )
  const start = environment.snapshot()
  let states = [start]
  for (let round = 0; round < ROUNDS; round++) {
    const next: Snapshot[] = []
    const outputs = trials.flatMap(({ accepted }) => accepted.slice(-5).map(({ output }) => output))
    for (const trial of trials) {
      const draw = drawFrom(seed, 'check', trial.tool.name, round)
      const state = states[draw.below(states.length)]!
      const known = knownOf(round === 0 ? [state.database] : [state.database, ...outputs])
      next.push(...(await tryValid(environment, state, trial, known, draw, calls, seen)))
    }
    states = [start, ...sample(drawFrom(seed, 'check', 'states', round), next).slice(0, STATES)]
  }
  for (const trial of trials) {
    const draw = drawFrom(seed, 'check', trial.tool.name, 'arguments')
    if (!trial.hangs) await checkRepeats(environment, trial, seen)
    environment.restore(start)
    await checkInvalid(environment, trial, draw, knownOf([start.database]))
    for (const { name } of inputsOf(trial.tool))
      if (!trial.hangs) await checkArgument(environment, trial, name, draw, seen)
    conclude(trial)
  }
  const tools = trials.map(
    ({ tool, accepted, refused, invalid, problems }): ToolReport => ({
      name: tool.name,
      kind: tool.kind,
      accepted: accepted.length,
      refused,
      invalid,
      problems: [...problems.values()],
    }),
  )
  const isCountFit = tools.length >= LEAST_TOOLS && tools.length <= MOST_TOOLS
  return {
    name: source.name,
    tools,
    isFit: isCountFit && tools.every(({ problems }) => problems.length === 0),
    problems: isCountFit ? [] : [`expected ${LEAST_TOOLS} to ${MOST_TOOLS} tools, got ${tools.length}`],
  }
}
