/**
 * The loss mask: 1 at every trained token, 0 at prompts, tool results, padding and all that is not trained.
 */
import { checkLength } from '../batch/check.js'
import { fail, show } from '../errors.js'
import { resolveOptions } from '../options.js'
import { sizeOf, type TokenArrayOptions, tokenArrayChecks, tokenArrayDefaults, writeTokens } from './array.js'
import { putUint8 } from './put.js'
import type { SpanArrays } from './spans.js'

/** Marks the tokens that are trained: entry for entry those that `broadcast` gives a turn's value.
 * @param spans - from `tokenSpans`
 * @param options - layout, side, width and align as for `broadcast`
 * @param out - as long as `tokenArraySize` says; all of it is written, so it may hold anything
 * @returns `out`, of 0 and 1
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`, `TOO_LARGE`
 */
export function lossMask(
  spans: SpanArrays,
  options?: Partial<TokenArrayOptions>,
  out?: Uint8Array,
): Uint8Array {
  const resolved = resolveOptions('lossMask', options, tokenArrayDefaults, tokenArrayChecks)
  const size = sizeOf('lossMask', spans, resolved)
  const mask = out ?? new Uint8Array(size.length)
  if (!(mask instanceof Uint8Array)) fail('TYPE', 'lossMask: out', 'a Uint8Array', show(mask))
  checkLength('lossMask: out', mask, size.length, 'token')
  writeTokens(putUint8, mask, spans, size, resolved, 0, undefined)
  return mask
}
