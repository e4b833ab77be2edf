/**
 * `--states FILE`: what only some estimators ask for, the state that each turn started from and the score of the state
 * after it, one rollout a line: `{"group":…,"rollout":…,"states":["lobby","cart"],"state_scores":[0.2,null]}`.
 */
import { fail, show, TaraError, within } from '../errors.js'
import { refuse } from '../formats/line.js'
import type { RolloutLog } from '../formats/log.js'
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
  if (value === null || value === undefined) return Number.NaN
  if (typeof value === 'number' && Number.isFinite(value)) return value
  return fail('TYPE', place, 'a number or null', show(value))
}

/** Makes an empty reader. */
export function turnData(): TurnDataReader {
  const entries = new Map<string, Entry>()

  function read(text: string, place: string): void {
    const parsed = parseJson(text)
    if (!parsed.ok) refuse(parsed)
    const { group, rollout, role, states, state_scores: scores } = asRecord(parsed.value)
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
      const { turnPtr, reached, reward } = log.batch
      const states: (string | number)[] = new Array(reward.length).fill('')
      const scores = new Float64Array(reward.length).fill(Number.NaN)
      const all = [...entries.values()]
      log.keys.forEach(({ group, rollout, role }, i) => {
        const entry = entries.get(keyOf(group, rollout, role))
        if (entry === undefined) {
          if (log.batch.valid[i] === 0) return
          fail('MISSING', log.placeOf(i), 'an entry for the rollout in the file of states', 'none')
        }
        for (let j = turnPtr[i]!; j < turnPtr[i + 1]!; j++) {
          if (reached[j] === 0) continue
          const t = j - turnPtr[i]!
          if (entry.states !== undefined) states[j] = asState(`${entry.place}: states[${t}]`, entry.states[t])
          if (entry.scores !== undefined)
            scores[j] = asScore(`${entry.place}: state_scores[${t}]`, entry.scores[t])
        }
      })
      return {
        ...(all.some((entry) => entry.states !== undefined) && { states }),
        ...(all.some((entry) => entry.scores !== undefined) && { stateScores: scores }),
      }
    },
  }
}
