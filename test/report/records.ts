/**
 * Records for the tests of reports.
 */
import { rolloutLog } from '../../src/formats/log.js'
import { conversationReader } from '../../src/report/conversation.js'
import { type ReportOptions, reportModel } from '../../src/report/model.js'
import type { ReportModel } from '../../src/report/model-types.js'

/** Everything that could break out of a page, or hide in it. */
export const hostile: string =
  '<script>alert(1)</script>\'"`&amp;<!--</style>]]>\u0000\u0007\u001b[31m\u202e\u2028\ud800<img src=x onerror=alert(2)>'

interface Call {
  readonly name: string
  readonly arguments: string
}

const said = (content: string | null, ...calls: Call[]): object => ({
  role: 'assistant',
  content,
  ...(calls.length > 0 && {
    tool_calls: calls.map((call, k) => ({ id: `c${k}`, type: 'function', function: call })),
  }),
})

/** A group whose every text is hostile: one rollout right, one with a wrong argument, one malformed, one that stops. */
export function hostileRecords(group: string = hostile): object[] {
  const golden = [
    [{ name: hostile, arguments: { [hostile]: hostile, n: 1 } }],
    [{ name: 'end', arguments: {} }],
  ]
  const right: Call = { name: hostile, arguments: JSON.stringify({ [hostile]: hostile, n: 1 }) }
  const wrong: Call = { name: hostile, arguments: JSON.stringify({ [hostile]: 'x', n: 1 }) }
  const broken: Call = { name: hostile, arguments: `{"${hostile}` }
  const end: Call = { name: 'end', arguments: '{}' }
  const two = (first: Call): object[] => [
    { role: 'user', content: hostile },
    said(hostile, first),
    { role: 'tool', tool_call_id: 'c0', content: hostile },
    { role: 'user', content: 'go on' },
    said(null, end, { name: 'more', arguments: '{}' }),
  ]
  return [
    { group, rollout: hostile, messages: two(right), golden },
    { group, rollout: 'wrong', messages: two(wrong), golden },
    { group, rollout: 'broken', messages: two(broken), golden },
    { group, rollout: 'short', messages: two(right).slice(0, 3), golden, outcome: 0.5 },
  ]
}

/** The model of a report on records, with their tokens where they have some. */
export function modelOf(records: readonly object[], options?: Partial<ReportOptions>): ReportModel {
  const log = rolloutLog('log.jsonl', {
    keep: () => true,
    allowSingletons: true,
    tokens: 'tokens' in records[0]!,
  })
  const reader = conversationReader(() => true)
  for (const record of records) {
    log.addRecord(record)
    reader.addRecord(record)
  }
  const { kept, ...rest } = log.finish()
  return reportModel({ source: 'log.jsonl', log: rest, kept, conversations: reader.conversations }, options)
}

/** Scored groups with ids that are short, and rewards that vary from group to group. */
export function scoredRecords(numGroups: number): object[] {
  return Array.from({ length: 4 * numGroups }, (_, n) => {
    const g = Math.floor(n / 4)
    const k = n % 4
    return { group: `task-${g}`, rollout: k, rewards: [k < g % 5 ? 1 : 0, (g + k) % 3 === 0 ? 1 : 0, 1] }
  })
}
