/**
 * Turn values → token values: every token of a turn gets the turn's value, bitwise the same.
 *
 *     A[token] = A[i,t]  for token in the spans of turn t of rollout i;  fill elsewhere
 *
 * A value is selected, never multiplied by a mask: what an untrained turn holds, NaN included, is not read.
 */
import { checkLength } from '../batch/check.js'
import { fail, show } from '../errors.js'
import { resolveOptions } from '../options.js'
import { type BroadcastOptions, broadcastChecks, broadcastDefaults, sizeOf, writeTokens } from './array.js'
import { putFloat32, putFloat64 } from './put.js'
import { putFloat32OnZeros, putFloat64OnZeros } from './put-on-zeros.js'
import type { SpanArrays } from './spans.js'

/** Every value that is written is finite in the type that holds it. */
function checkValues(turnValue: Float64Array, spans: SpanArrays, dtype: BroadcastOptions['dtype']): void {
  const isFloat32 = dtype === 'float32'
  const { spanTurn } = spans
  for (let k = 0; k < spanTurn.length; k++) {
    const value = turnValue[spanTurn[k]!]!
    if (!Number.isFinite(isFloat32 ? Math.fround(value) : value))
      fail(
        'RANGE',
        `broadcast: turnValue[${spanTurn[k]}]`,
        `a finite number that ${dtype} can hold`,
        show(value),
      )
  }
}

function checkOwnMemory(out: Float32Array | Float64Array, turnValue: Float64Array): void {
  if (
    out.buffer === turnValue.buffer &&
    out.byteOffset < turnValue.byteOffset + turnValue.byteLength &&
    turnValue.byteOffset < out.byteOffset + out.byteLength
  )
    fail('MISMATCH', 'broadcast: out', 'memory of its own', 'memory that turnValue uses')
}

/** Gives every trained token the value of its turn. Sec. 3.3, Fig. 2.
 *
 * @param turnValue - `[numTurns]` one value a turn, as every estimator returns them; read only where trained
 * @param spans - from `tokenSpans` of the same batch
 * @param options - see `broadcastDefaults`; `side` and `width` shape the padded layout only
 * @param out - as long as `tokenArraySize` says, of the type `dtype` names; all of it is written, so it may hold
 *   anything. Must not share memory with `turnValue`
 * @returns `out`; no −0, NaN or infinity in it
 * @throws TaraError `RANGE` for a trained turn's value that is not finite or that float32 cannot hold; then
 *   nothing has been written. `OPTION`, `TYPE`, `LENGTH`, `TOO_LARGE`, `MISMATCH` (shared memory)
 */
export function broadcast(
  turnValue: Float64Array,
  spans: SpanArrays,
  options?: Partial<BroadcastOptions> & { readonly dtype?: 'float32' },
  out?: Float32Array,
): Float32Array
export function broadcast(
  turnValue: Float64Array,
  spans: SpanArrays,
  options: Partial<BroadcastOptions> & { readonly dtype: 'float64' },
  out?: Float64Array,
): Float64Array
export function broadcast(
  turnValue: Float64Array,
  spans: SpanArrays,
  options?: Partial<BroadcastOptions>,
  out?: Float32Array | Float64Array,
): Float32Array | Float64Array
export function broadcast(
  turnValue: Float64Array,
  spans: SpanArrays,
  options?: Partial<BroadcastOptions>,
  out?: Float32Array | Float64Array,
): Float32Array | Float64Array {
  const resolved = resolveOptions('broadcast', options, broadcastDefaults, broadcastChecks)
  const { dtype, fill } = resolved
  if (dtype === 'float32' && !Number.isFinite(Math.fround(fill)))
    fail('OPTION', 'broadcast: options.fill', 'a number that float32 can hold', show(fill))
  if (!(turnValue instanceof Float64Array))
    fail('TYPE', 'broadcast: turnValue', 'a Float64Array', show(turnValue))
  checkLength('broadcast: turnValue', turnValue, spans.numTurns, 'turn')
  const size = sizeOf('broadcast', spans, resolved)
  checkValues(turnValue, spans, dtype)
  if (out !== undefined) checkOwnMemory(out, turnValue)
  const isZero = out === undefined && fill === 0
  if (dtype === 'float64') {
    const tokens = out ?? new Float64Array(size.length)
    if (!(tokens instanceof Float64Array))
      return fail('TYPE', 'broadcast: out', 'a Float64Array', show(tokens))
    checkLength('broadcast: out', tokens, size.length, 'token')
    writeTokens(isZero ? putFloat64OnZeros : putFloat64, tokens, spans, size, resolved, fill, turnValue)
    return tokens
  }
  const tokens = out ?? new Float32Array(size.length)
  if (!(tokens instanceof Float32Array)) return fail('TYPE', 'broadcast: out', 'a Float32Array', show(tokens))
  checkLength('broadcast: out', tokens, size.length, 'token')
  writeTokens(isZero ? putFloat32OnZeros : putFloat32, tokens, spans, size, resolved, fill, turnValue)
  return tokens
}
