/**
 * A writer of requests: what the user says so that a golden trace is the thing to do.
 */
import type { GroundedCall, ToolDefinition } from './types.js'

export interface RequestWriter {
  /** What a report calls it: `template`. */
  readonly name: string
  /** Writes one request a turn.
   * @param trace - the golden trace with outputs and provenance, one list of calls a turn
   * @param tools - definitions of at least the tools of the trace
   */
  write(
    trace: readonly (readonly GroundedCall[])[],
    tools: readonly ToolDefinition[],
  ): Promise<readonly string[]>
}
