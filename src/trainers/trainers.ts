/**
 * The trainers that there is an export for, as data: what a row is, which columns it has, what the trainer needs.
 */

/** A trainer's name on the command line. */
export type TrainerName = 'tinker' | 'verl' | 'trl' | 'prime-rl' | 'rllm' | 'atropos' | 'turns'

export interface TrainerInfo {
  readonly name: TrainerName
  /** What one row of the table stands for. */
  readonly row: 'sequence' | 'step' | 'rollout'
  /** Whether rows are padded to one width. */
  readonly isPadded: boolean
  /** Whether token spans are needed. */
  readonly needsTokens: boolean
  /** Whether token ids are needed. */
  readonly needsIds: boolean
  readonly text: string
}

/** In the order in which they are shown. */
export const trainers: readonly TrainerInfo[] = Object.freeze([
  {
    name: 'tinker',
    row: 'sequence',
    isPadded: false,
    needsTokens: true,
    needsIds: true,
    text: 'Tinker: the parts of a Datum, aligned with the next-token targets',
  },
  {
    name: 'verl',
    row: 'sequence',
    isPadded: true,
    needsTokens: true,
    needsIds: false,
    text: 'verl: advantages, returns and response_mask over the response',
  },
  {
    name: 'trl',
    row: 'sequence',
    isPadded: true,
    needsTokens: true,
    needsIds: false,
    text: 'TRL: advantages, completion_mask and tool_mask over the completion',
  },
  {
    name: 'prime-rl',
    row: 'sequence',
    isPadded: false,
    needsTokens: true,
    needsIds: false,
    text: 'prime-rl: lists over all tokens of a sequence',
  },
  {
    name: 'rllm',
    row: 'step',
    isPadded: false,
    needsTokens: true,
    needsIds: false,
    text: 'rLLM: lists over the tokens sampled in a step',
  },
  {
    name: 'atropos',
    row: 'sequence',
    isPadded: false,
    needsTokens: true,
    needsIds: true,
    text: 'Atropos: members of a scored group',
  },
  {
    name: 'turns',
    row: 'rollout',
    isPadded: false,
    needsTokens: false,
    needsIds: false,
    text: 'no trainer: rewards and advantages turn by turn',
  },
])
