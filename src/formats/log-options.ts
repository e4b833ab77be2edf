/**
 * Options of a log's reader, their defaults and their checks.
 */
import { aBoolean, aFunction, type Check, oneOf, optional } from '../options.js'
import type { CoveragePolicy } from '../reward/policy.js'
import type { RolloutKey } from './assemble.js'
import type { FunctionDoc } from './document.js'
import { type FormatName, formatNames } from './formats.js'
import type { GoldenTable } from './golden-table.js'
import type { Tokenize } from './record-tokens.js'

export interface LogOptions {
  /** How golden calls are matched; see `coverageDefaults`. */
  readonly policy: Partial<CoveragePolicy>
  /** Partial credit in place of Eq. 1: the share of golden calls covered, or F1; see `PartialCoverage`. The batch then has real
   * rewards. `f1` needs scope `turn`. */
  readonly partial: 'share' | 'f1' | undefined
  /** Partial credit counts equal calls only. */
  readonly exactOnly: boolean
  /** The unit of turns of records that name none. Default `user`. */
  readonly turns: 'user' | 'step'
  /** The format of the log: of its messages, or of documents that hold rollouts. Default: the first record that shows
   * one decides, and `warnings` tells the guess. Plain text fits every format. */
  readonly from: FormatName | undefined
  /** Function docs that name positional arguments, for `bfcl`. */
  readonly functions: readonly FunctionDoc[] | undefined
  /** Golden traces by group, for records without. */
  readonly golden: GoldenTable | undefined
  /** Allows rewards other than 0 and 1. */
  readonly realRewards: boolean
  /** Takes a scored rollout with a reward of null, NaN or ±Infinity as aborted instead of refusing it. */
  readonly allowInvalid: boolean
  /** Allows two or more groups that all have one rollout. */
  readonly allowSingletons: boolean
  /** Refuses fields that nobody reads. */
  readonly strict: boolean
  /** Keeps token spans; every rollout that is not aborted must have them. */
  readonly tokens: boolean
  /** Renders and encodes records that tell no spans, where tokens are kept: `(one) => tokenize(tokenizer, one)`. */
  readonly tokenize: Tokenize | undefined
  /** Chooses records whose calls are kept, with their golden trace: for explaining. */
  readonly keep: ((key: RolloutKey) => boolean) | undefined
  /** Looks for the calls of missed golden turns in the turn before and after, and counts them. Changes no reward. */
  readonly shifted: boolean
}

export const logDefaults: Readonly<LogOptions> = Object.freeze({
  policy: Object.freeze({}),
  partial: undefined,
  exactOnly: false,
  turns: 'user',
  from: undefined,
  functions: undefined,
  golden: undefined,
  realRewards: false,
  allowInvalid: false,
  allowSingletons: false,
  strict: false,
  tokens: false,
  tokenize: undefined,
  keep: undefined,
  shifted: false,
})

const anObject: Check = (value) => (typeof value === 'object' && value !== null ? undefined : 'an object')
const aList: Check = (value) => (Array.isArray(value) ? undefined : 'a list')

export const logChecks: { readonly [Name in keyof LogOptions]-?: Check } = {
  policy: anObject,
  partial: optional(oneOf('share', 'f1')),
  exactOnly: aBoolean,
  turns: oneOf('user', 'step'),
  from: optional(oneOf(...formatNames)),
  functions: optional(aList),
  golden: optional(anObject),
  realRewards: aBoolean,
  allowInvalid: aBoolean,
  allowSingletons: aBoolean,
  strict: aBoolean,
  tokens: aBoolean,
  tokenize: optional(aFunction),
  keep: optional(aFunction),
  shifted: aBoolean,
}
