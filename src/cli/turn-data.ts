/**
 * `--states FILE`: what only some estimators ask for, the state that each turn started from and the score of the state
 * after it, one rollout a line: `{"group":…,"rollout":…,"states":["lobby","cart"],"state_scores":[0.2,null]}`.
 */
import { fail, show, TaraError, within } from '../errors.js'
import { refuse } from '../formats/line.js'
import type { RolloutLog } from '../formats/log-types.js'
import { asId, asRecord, type Id } from '../formats/record.js'
import { parseJson } from '../reward/json.js'
import type { TurnData } from './estimators.js'

interface Entry {
  readonly states: readonly unknown[] | undefined
  readonly scores: readonly unknown[] | undefined
  readonly place: string
}

export interface TurnDataReader {
  /** @throws TaraError with the line's place */
  addLine(text: string, place: string): void
  /** Lays the data out as the log's batch is.
   * @throws TaraError `MISSING` for a rollout without an entry, `LENGTH`, `TYPE`
   */
  finish(log: RolloutLog): TurnData
}

const keyOf = (group: Id, rollout: Id, role: string | undefined): string =>
  JSON.stringify([group, rollout, role ?? null])

function asList(name: string, value: unknown): readonly unknown[] | undefined {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value)) fail('TYPE', name, 'a list with one entry a turn', show(value))
  return value
}

function asState(place: string, value: unknown): string | number {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return value
  return fail('TYPE', place, 'text or a number', show(value))
}

function asScore(place: string, value: unknown): number {
  if (value === null) return Number.NaN
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return fail('TYPE', place, 'a number or null', show(value))
}

const fieldOf = { states: 'states', scores: 'state_scores' } as const

/** Passes on the value of each turn that was reached; every rollout has one for each.
 * @throws TaraError `MISSING`, `LENGTH`
 */
function eachTurn(
  entry: Entry,
  name: keyof typeof fieldOf,
  reached: Uint8Array,
  onTurn: (t: number, place: string, value: unknown) => void,
): void {
  const values = entry[name]
  const place = `${entry.place}: ${fieldOf[name]}`
  if (values === undefined) fail('MISSING', place, 'a list, as in other lines of the file', 'none')
  const needed = reached.lastIndexOf(1) + 1
  if (values.length < needed || values.length > reached.length)
    fail('LENGTH', place, `${needed} to ${reached.length} entries, one a turn`, `${values.length}`)
  for (let t = 0; t < needed; t++) if (reached[t] === 1) onTurn(t, `${place}[${t}]`, values[t])
}

/** Makes an empty reader. */
export function turnData(): TurnDataReader {
  const entries = new Map<string, Entry>()

  const hasAny = (name: keyof typeof fieldOf): boolean =>
    [...entries.values()].some((entry) => entry[name] !== undefined)

  function read(text: string, place: string): void {
    const parsed = parseJson(text)
    if (!parsed.ok) refuse(parsed)
    const { group, rollout, role, states, state_scores: scores, ...others } = asRecord(parsed.value)
    for (const name of Object.keys(others))
      fail('UNKNOWN_FIELD', name, 'group, rollout, role, states or state_scores', 'a field nobody reads')
    if (role !== undefined && role !== null && typeof role !== 'string')
      fail('TYPE', 'role', 'text', show(role))
    const key = keyOf(asId('group', group), asId('rollout', rollout), role ?? undefined)
    const earlier = entries.get(key)
    if (earlier !== undefined)
      fail('DUPLICATE', 'rollout', 'each rollout once', `${show(rollout)} again, first at ${earlier.place}`)
    entries.set(key, { states: asList('states', states), scores: asList('state_scores', scores), place })
  }

  return {
    addLine(text, place) {
      try {
        read(text, place)
      } catch (error) {
        throw error instanceof TaraError ? within(place, error) : error
      }
    },
    finish(log) {
      const { turnPtr, reward, valid } = log.batch
      const states: (string | number)[] = new Array(reward.length).fill('')
      const scores = new Float64Array(reward.length).fill(Number.NaN)
      const has = { states: hasAny('states'), scores: hasAny('scores') }
      log.keys.forEach(({ group, rollout, role }, i) => {
        if (valid[i] === 0) return
        const entry = entries.get(keyOf(group, rollout, role))
        if (entry === undefined)
          fail('MISSING', log.placeOf(i), 'an entry for the rollout in the file of states', 'none')
        const reached = log.batch.reached.subarray(turnPtr[i]!, turnPtr[i + 1]!)
        if (has.states)
          eachTurn(entry, 'states', reached, (t, place, state) => {
            states[turnPtr[i]! + t] = asState(place, state)
          })
        if (has.scores)
          eachTurn(entry, 'scores', reached, (t, place, score) => {
            scores[turnPtr[i]! + t] = asScore(place, score)
          })
      })
      return { ...(has.states && { states }), ...(has.scores && { stateScores: scores }) }
    },
  }
}
