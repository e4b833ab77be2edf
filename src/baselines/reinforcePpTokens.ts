/**
 * REINFORCE++, token by token: the return of each token, whitened over all trained tokens.
 *
 *     G[k] = r[k] + γ·G[k+1],  A = whiten(G)
 *
 * A token that the policy did not generate (a tool result between two turns) is no time step: the running return passes it
 * without γ, and its output is 0. A return that starts again there would keep the reward from all earlier turns. What stands
 * at such a token would count for nothing, so a reward there is an error.
 */
import { asOffsets, checkLength, MAX_REWARD } from '../batch/check.js'
import { fail, show } from '../errors.js'
import { between, type Check, oneOf, resolveOptions } from '../options.js'
import { type WhiteningName, whiten, whitenings } from './whiten.js'

export type TokenWhitening = Exclude<WhiteningName, 'rllm'>

export interface ReinforcePpTokensOptions {
  /** γ per trained token, 0 … 1. */
  readonly gamma: number
  /** Whose last step; `none` leaves the returns. */
  readonly whiten: TokenWhitening | 'none'
  /** `[numSequences+1]` where each sequence starts. `undefined`: one sequence. */
  readonly tokenPtr: ArrayLike<number> | undefined
}

export const reinforcePpTokensDefaults: Readonly<ReinforcePpTokensOptions> = Object.freeze({
  gamma: 1,
  whiten: 'verl',
  tokenPtr: undefined,
})

const anything: Check = () => undefined // `asOffsets` looks at it

/** Computes the return of each token, and whitens it. arXiv 2501.03262.
 * @param tokenReward - `[numTokens]` finite; an outcome stands at a rollout's last trained token, a KL penalty at each;
 *   0 where masked
 * @param mask - `[numTokens]` 1 where the token is trained
 * @param options - see `reinforcePpTokensDefaults`
 * @param out - `[numTokens]`, dimensionless, reward units with `whiten: 'none'`; may be `tokenReward`
 * @returns 0 where masked
 * @throws TaraError `OPTION`, `TYPE`, `LENGTH`, `RANGE` for a reward or a return that is not finite, `MISMATCH` for a reward at a
 *   masked token
 */
export function reinforcePpTokens(
  tokenReward: Float64Array,
  mask: Uint8Array,
  options?: Partial<ReinforcePpTokensOptions>,
  out?: Float64Array,
): Float64Array {
  const place = 'reinforcePpTokens'
  const resolved = resolveOptions(place, options, reinforcePpTokensDefaults, {
    gamma: between(0, 1),
    whiten: oneOf('verl', 'openrlhf', 'nemo', 'none'),
    tokenPtr: anything,
  })
  if (!(tokenReward instanceof Float64Array))
    fail('TYPE', `${place}: tokenReward`, 'a Float64Array', show(tokenReward))
  if (!(mask instanceof Uint8Array)) fail('TYPE', `${place}: mask`, 'a Uint8Array', show(mask))
  const length = tokenReward.length
  checkLength(`${place}: mask`, mask, length, 'token')
  if (out !== undefined && !(out instanceof Float64Array))
    fail('TYPE', `${place}: out`, 'a Float64Array', show(out))
  if (out !== undefined) checkLength(`${place}: out`, out, length, 'token')
  const tokenPtr = asOffsets(`${place}: options.tokenPtr`, resolved.tokenPtr ?? [0, length], length)

  const returns = new Float64Array(length)
  for (let s = 0; s + 1 < tokenPtr.length; s++) {
    let G = 0
    for (let k = tokenPtr[s + 1]! - 1; k >= tokenPtr[s]!; k--) {
      const r = tokenReward[k]!
      if (mask[k]! > 1) fail('RANGE', `${place}: mask[${k}]`, '0 or 1', show(mask[k]))
      if (mask[k] === 0 && r !== 0)
        fail('MISMATCH', `${place}: tokenReward[${k}]`, '0, as the token is masked', show(r))
      if (mask[k] === 0) continue
      G = r + resolved.gamma * G + 0
      if (!(Math.abs(G) <= MAX_REWARD))
        fail(
          'RANGE',
          `${place}: tokenReward[${k}]`,
          `a finite number, and sums of at most ${MAX_REWARD} in size`,
          show(r),
        )
      returns[k] = G
    }
  }
  if (resolved.whiten !== 'none') whiten(returns, mask, whitenings[resolved.whiten])
  const advantage = out ?? returns
  for (let k = 0; k < length; k++) advantage[k] = mask[k] === 1 ? returns[k]! : 0
  return advantage
}
