/**
 * Options of the exports.
 */
import { aCount, type Check, oneOf, optional } from '../options.js'
import { aDivisor, type LossReduction, lossReduction } from '../tokens/weights.js'

export interface ExportOptions {
  /** Adds a column of loss weights. Default: none. */
  readonly lossWeights: LossReduction | undefined
  /** c > 0, with `lossWeights: 'constant'`. */
  readonly constant: number | undefined
  /** Of advantages, weights and log-probabilities. */
  readonly dtype: 'float32' | 'float64'
}

export const exportDefaults: Readonly<ExportOptions> = Object.freeze({
  lossWeights: undefined,
  constant: undefined,
  dtype: 'float32',
})

export const exportChecks: { readonly [Name in keyof ExportOptions]-?: Check } = {
  lossWeights: optional(lossReduction),
  constant: optional(aDivisor),
  dtype: oneOf('float32', 'float64'),
}

/** Options of the exports whose rows are padded to one width. */
export interface PaddedOptions extends ExportOptions {
  /** Where the padding of the response is. The prompt is padded on the left. */
  readonly side: 'right' | 'left'
  /** Entries of a response. Default: those of the longest. */
  readonly width: number | undefined
  /** Entries of a prompt, where token ids are known. Default: those of the longest. */
  readonly promptWidth: number | undefined
  /** The token id of padding. */
  readonly padId: number
}

export const paddedDefaults: Readonly<PaddedOptions> = Object.freeze({
  ...exportDefaults,
  side: 'right',
  width: undefined,
  promptWidth: undefined,
  padId: 0,
})

export const paddedChecks: { readonly [Name in keyof PaddedOptions]-?: Check } = {
  ...exportChecks,
  side: oneOf('right', 'left'),
  width: optional(aCount),
  promptWidth: optional(aCount),
  padId: (value) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0x7fffffff
      ? undefined
      : 'a token id',
}
