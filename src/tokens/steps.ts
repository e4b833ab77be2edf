/**
 * Tokens told step by step, as the sampler was called: the prompt that it got and the completion that it returned.
 *
 *     {"steps": [{"prompt": [1, 2], "completion": [10, 9]}, {"prompt": [1, 2, 10, 9, 4], "completion": [12, 9]}]}
 *
 * Each prompt begins with all ids so far. Where it does not, text was encoded again and the spans would point at other
 * tokens: that is refused with the first position that differs, and nothing is aligned by guess. A step that says
 * `newSequence` begins another sequence (a compacted context, reasoning that was taken out, a sub-agent): its prompt is
 * then context only, so each sampled token is trained once.
 */
import { fail, show } from '../errors.js'
import type { MessageTurns } from './message-turns.js'
import type { RolloutTokens } from './read.js'
import { asLogprobs, asTokenIds, sequenceList } from './sequence-list.js'

/** Steps name turns below this: others would allocate that many turns. */
const MAX_TURNS = 1_000_000

type Fields = Readonly<Record<string, unknown>>

/** The first position at which a prompt is not what was sampled so far; -1 where it goes on from it. */
export function firstDifference(soFar: readonly number[], prompt: readonly number[]): number {
  for (let k = 0; k < soFar.length; k++) if (soFar[k] !== prompt[k]) return k
  return -1
}

/** The turn of each step: told by the steps themselves, or that of the assistant's step in the messages. */
function turnsOf(
  place: string,
  steps: readonly Fields[],
  messages: MessageTurns | undefined,
): readonly number[] {
  const isTold = (step: Fields): boolean => step.turn !== undefined && step.turn !== null
  if (messages !== undefined && !steps.some(isTold)) {
    const written = messages.steps ?? messages.turn.filter((_, m) => messages.isWritten[m])
    if (written.length !== steps.length)
      fail('LENGTH', place, `${written.length} steps, one a step of the assistant`, `${steps.length}`)
    return written
  }
  const limit = messages?.numTurns ?? MAX_TURNS
  return steps.map(({ turn }, n) => {
    if (turn === undefined || turn === null)
      fail('MISSING', `${place}[${n}].turn`, 'the turn that the step belongs to', show(turn))
    if (!(Number.isInteger(turn) && (turn as number) >= 0 && (turn as number) < limit))
      fail(
        'RANGE',
        `${place}[${n}].turn`,
        limit === 0 ? 'no step, as the rollout has no turn' : `a turn index from 0 to ${limit - 1}`,
        show(turn),
      )
    return turn as number
  })
}

function asStep(place: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    fail('TYPE', place, 'an object with prompt and completion', show(value))
  const { newSequence } = value as Fields
  if (newSequence !== undefined && newSequence !== null && typeof newSequence !== 'boolean')
    fail('TYPE', `${place}.newSequence`, 'true or false', show(newSequence))
  return value as Fields
}

/** Reads the tokens of a rollout from the calls of its sampler.
 * @param place - of the steps, for errors: `tokens.steps`
 * @param value - `{ prompt, completion, logprobs?, turn?, newSequence? }` each, in order
 * @param messages - the messages of the rollout; without them each step names its turn
 * @returns one sequence, or several where a step began another
 * @throws TaraError `MISMATCH` at the first id of a prompt that is not what was sampled so far; `SPAN` for a turn that
 *   descends within a sequence; `TYPE`, `RANGE`, `LENGTH`, `MISSING`
 */
export function readSteps(place: string, value: unknown, messages: MessageTurns | undefined): RolloutTokens {
  if (!Array.isArray(value)) fail('TYPE', place, 'a list of steps', show(value))
  const steps = value.map((step: unknown, n) => asStep(`${place}[${n}]`, step))
  const turns = turnsOf(place, steps, messages)
  const hasLogprobs = steps.some(({ logprobs }) => logprobs !== undefined && logprobs !== null)
  const list = sequenceList(hasLogprobs)
  let latest = -1
  steps.forEach((step, n) => {
    const here = `${place}[${n}]`
    const prompt = asTokenIds(`${here}.prompt`, step.prompt)
    const completion = asTokenIds(`${here}.completion`, step.completion)
    if (step.newSequence === true && n > 0) {
      list.begin()
      latest = -1
    }
    const soFar = list.latest()
    const differs = firstDifference(soFar, prompt)
    if (differs >= 0)
      fail(
        'MISMATCH',
        `${here}.prompt[${differs}]`,
        `${soFar[differs]}, as in the ids so far ("newSequence": true begins another sequence)`,
        differs < prompt.length ? `${prompt[differs]}` : 'the end',
      )
    list.addGiven(prompt.slice(soFar.length))
    const turn = turns[n]!
    if (turn >= 0 && turn < latest)
      fail('SPAN', `${here}.turn`, `${latest} or more, as turns follow each other`, `${turn}`)
    latest = Math.max(latest, turn)
    if (hasLogprobs && (step.logprobs === undefined || step.logprobs === null))
      fail('MISSING', `${here}.logprobs`, 'a list, as other steps have one', show(step.logprobs))
    const logprobs = hasLogprobs
      ? asLogprobs(`${here}.logprobs`, step.logprobs, completion.length)
      : undefined
    list.addWritten(completion, turn, logprobs)
  })
  return list.finish(messages?.numTurns ?? 0)
}
