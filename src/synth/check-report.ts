/**
 * What the tests of an environment found, and how it reads.
 */

/** What a tool is tested for. */
export type CheckedFor = 'valid calls' | 'invalid calls' | 'state' | 'arguments'

export interface CheckProblem {
  readonly test: CheckedFor
  /** What is wrong, and with which call. */
  readonly message: string
}

export interface ToolReport {
  readonly name: string
  readonly kind: 'query' | 'update'
  /** Valid calls that were accepted. */
  readonly accepted: number
  /** Valid calls that the tool refused, such as those with an identifier that does not exist. */
  readonly refused: number
  /** Invalid calls, all of which must be refused. */
  readonly invalid: number
  readonly problems: readonly CheckProblem[]
}

export interface EnvironmentReport {
  readonly name: string
  readonly tools: readonly ToolReport[]
  /** 5 to 20 tools, and no problem with any of them. */
  readonly isFit: boolean
  /** What is wrong with the environment as a whole. */
  readonly problems: readonly string[]
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Writes a report in words: a line on the environment, then one on each problem. Never throws.
 *
 *     travel-booking: fit, 12 tools, 1180 calls
 *     ledger: not fit, 6 tools, 402 calls
 *       post (update), state: is an update, and no call of it changes the database
 */
export function reportText({ name, tools, isFit, problems }: EnvironmentReport): string {
  const calls = tools.reduce((sum, { accepted, refused, invalid }) => sum + accepted + refused + invalid, 0)
  const head = `${name}: ${isFit ? 'fit' : 'not fit'}, ${plural(tools.length, 'tool')}, ${plural(calls, 'call')}\n`
  const lines = tools.flatMap((tool) =>
    tool.problems.map(({ test, message }) => `  ${tool.name} (${tool.kind}), ${test}: ${message}\n`),
  )
  return head + problems.map((problem) => `  ${problem}\n`).join('') + lines.join('')
}
