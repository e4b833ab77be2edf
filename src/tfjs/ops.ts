/**
 * The part of tfjs that the kernel needs: plain ops that cpu, wasm, webgpu and tfjs-node all have.
 *
 * Every function takes `tf` as its first argument and imports no package. Ops are called as functions (`tf.add(x, y)`):
 * with tfjs-core alone `x.add(y)` does not exist.
 */
import type * as core from '@tensorflow/tfjs-core'
import { fail, show } from '../errors.js'

export type Tensor = core.Tensor
export type Scalar = core.Scalar

/** `@tensorflow/tfjs-core`, `@tensorflow/tfjs` or `@tensorflow/tfjs-node`, with a backend that is ready. */
export type Tf = Pick<
  typeof core,
  | 'add'
  | 'cast'
  | 'clipByValue'
  | 'concat'
  | 'customGrad'
  | 'dispose'
  | 'div'
  | 'equal'
  | 'exp'
  | 'gather'
  | 'getBackend'
  | 'greaterEqual'
  | 'less'
  | 'lessEqual'
  | 'logicalAnd'
  | 'logicalNot'
  | 'logicalOr'
  | 'matMul'
  | 'max'
  | 'maximum'
  | 'min'
  | 'minimum'
  | 'mul'
  | 'range'
  | 'reshape'
  | 'scalar'
  | 'slice'
  | 'sqrt'
  | 'square'
  | 'sub'
  | 'sum'
  | 'tensor'
  | 'tidy'
  | 'transpose'
  | 'where'
  | 'zeros'
  | 'zerosLike'
>

/** Refuses what is not tfjs.
 * @throws TaraError `TYPE`
 */
export function checkTf(place: string, tf: Tf): void {
  if (typeof tf?.tidy !== 'function' || typeof tf.customGrad !== 'function')
    fail('TYPE', `${place}: tf`, 'the tfjs namespace, as loadTfjs returns it', show(tf))
}

/** Whether a value is a tensor, of any copy of tfjs. */
export function isTensor(value: unknown): value is Tensor {
  return typeof value === 'object' && value !== null && 'dataId' in value && 'shape' in value
}

/** Refuses what is no tensor of the shape; returns it.
 * @param shape - `undefined` for any size
 * @throws TaraError `TYPE`, `LENGTH`
 */
export function asShape(place: string, value: unknown, shape: readonly (number | undefined)[]): Tensor {
  const wish = `a tensor of shape [${shape.map((size) => size ?? 'any').join(', ')}]`
  if (!isTensor(value)) return fail('TYPE', place, wish, show(value))
  const fits =
    value.shape.length === shape.length && shape.every((n, d) => n === undefined || n === value.shape[d])
  if (!fits) fail('LENGTH', place, wish, `[${value.shape.join(', ')}]`)
  return value
}
