/**
 * Tokens told message by message, as the sampler returned them: the ids that the assistant sampled are its list, what
 * the template and the environment put around them are the lists of the other messages.
 *
 *     {"messageIds": [[1, 2, 3], [10, 11, 9], [4, 5], [12, 9]]}
 *
 * The sequence is the lists one after the other. Everything in the list of a message that the assistant wrote is
 * trained, so the header before it belongs to the message before.
 */
import { fail, show } from '../errors.js'
import { checkOneTurn, type MessageTurns } from './message-turns.js'
import type { RolloutTokens } from './read.js'
import { asLogprobs, asTokenIds, sequenceList } from './sequence-list.js'

/** Reads the tokens of a rollout from ids message by message.
 * @param place - of the form, for errors: `tokens`
 * @param value - `[numMessages]` the ids of each message
 * @param logprobs - `[numMessages]` log-probabilities of each, null where the assistant did not write it; or undefined
 * @throws TaraError `TYPE`, `RANGE`, `LENGTH`; `MISSING` for a message of the assistant without log-probabilities;
 *   `MISMATCH` for a message that holds several turns
 */
export function readMessageIds(
  place: string,
  value: unknown,
  logprobs: unknown,
  messages: MessageTurns,
): RolloutTokens {
  const numMessages = messages.turn.length
  if (!Array.isArray(value))
    fail('TYPE', `${place}.messageIds`, 'a list with the ids of each message', show(value))
  if (value.length !== numMessages)
    fail('LENGTH', `${place}.messageIds`, `${numMessages} lists, one a message`, `${value.length}`)
  if (logprobs !== undefined && !(Array.isArray(logprobs) && logprobs.length === numMessages))
    fail('TYPE', `${place}.logprobs`, `${numMessages} lists or nulls, one a message`, show(logprobs))
  const list = sequenceList(logprobs !== undefined)
  value.forEach((one: unknown, m) => {
    const ids = asTokenIds(`${place}.messageIds[${m}]`, one)
    if (!messages.isWritten[m]) {
      list.addGiven(ids)
      return
    }
    checkOneTurn(`${place}.messageIds[${m}]`, 'messageIds', messages, m)
    const own: unknown = logprobs?.[m]
    if (logprobs !== undefined && (own === null || own === undefined))
      fail('MISSING', `${place}.logprobs[${m}]`, 'a list, as the assistant wrote the message', show(own))
    list.addWritten(
      ids,
      messages.turn[m]!,
      own === undefined ? undefined : asLogprobs(`${place}.logprobs[${m}]`, own, ids.length),
    )
  })
  return list.finish(messages.numTurns)
}
