/**
 * Weights of the parts that an estimator adds.
 */
import { between, type Check } from '../options.js'

/** Largest weight by size: with rewards of at most 1e300 every sum stays finite. */
export const MAX_WEIGHT = 1e6

export const aWeight: Check = between(0, MAX_WEIGHT)
