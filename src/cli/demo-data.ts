/**
 * The example of `tara demo`: one task of three turns, four rollouts. Their rewards are 111, 101, 011 and 110.
 */
import type { JsonObject, ToolCall } from '../reward/call.js'

interface DemoTurn {
  readonly user: string
  readonly right: ToolCall
  readonly wrong: ToolCall
  readonly reply: string
}

const call = (name: string, args: JsonObject): ToolCall => ({ name, arguments: args })

const turns: readonly DemoTurn[] = [
  {
    user: 'Find me a flight from Lisbon to Oslo on 3 May.',
    right: call('search_flights', { from: 'LIS', to: 'OSL', date: '2026-05-03' }),
    wrong: call('search_flights', { from: 'LIS', to: 'OSL', date: '2026-03-05' }),
    reply: 'I found TP 762 at 09:40.',
  },
  {
    user: 'Book it for two, with one bag each.',
    right: call('book_flight', { flight: 'TP762', passengers: 2, bags: 2 }),
    wrong: call('book_flight', { flight: 'TP762', passengers: 2, bags: 1 }),
    reply: 'Booked.',
  },
  {
    user: 'And send the receipt to my office.',
    right: call('send_receipt', { booking: 'B-1', to: 'office@example.com' }),
    wrong: call('send_receipt', { booking: 'B-1', to: 'home@example.com' }),
    reply: 'Sent.',
  },
]

/** Which turns each rollout gets right. */
const plays: readonly (readonly number[])[] = [
  [1, 1, 1],
  [1, 0, 1],
  [0, 1, 1],
  [1, 1, 0],
]

/** Tokens of a text in this example: its words. */
const tokensOf = (text: string): number => text.split(/\s+/).length

function record(rollout: number, play: readonly number[]): object {
  const messages: object[] = []
  const spans: [number, number][][] = []
  let length = 0
  const add = (message: object, text: string): [number, number] => {
    messages.push(message)
    const start = length
    length += tokensOf(text)
    return [start, length]
  }
  turns.forEach((turn, t) => {
    const { name, arguments: args } = play[t] === 1 ? turn.right : turn.wrong
    const id = `call_${t}`
    const text = JSON.stringify(args)
    add({ role: 'user', content: turn.user }, turn.user)
    const made = add(
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id, type: 'function', function: { name, arguments: text } }],
      },
      `${name} ${text.replaceAll(',', ', ')}`,
    )
    add({ role: 'tool', tool_call_id: id, content: '{"ok":true}' }, 'ok')
    const said = add({ role: 'assistant', content: turn.reply }, turn.reply)
    spans.push([made, said])
  })
  return {
    schema: 'tara.rollout/1',
    group: 'trip-to-oslo',
    rollout,
    messages,
    golden: turns.map(({ right }) => [right]),
    tokens: { length, turns: spans },
  }
}

/** The example as records, ready to be written as JSONL. */
export function demoRecords(): object[] {
  return plays.map((play, rollout) => record(rollout, play))
}
