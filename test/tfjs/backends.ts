/**
 * The backends that the kernel is tested on: cpu and wasm, or the tfjs-node whose folder `TARA_TFJS_NODE` names
 * (`npm run test:tfjs-node`).
 */
import { createRequire } from 'node:module'
import { beforeAll, describe, expect } from 'vitest'
import { loadTfjs } from '../../src/tfjs/load.js'
import type { Tensor, Tf } from '../../src/tfjs/ops.js'

/** What the tests need besides the kernel's ops. */
export type TestTf = Tf & {
  grad(f: (x: Tensor) => Tensor): (x: Tensor) => Tensor
  memory(): { numTensors: number }
  setBackend(name: string): Promise<boolean>
}

const nodeFolder = process.env.TARA_TFJS_NODE

async function loaded(name: string): Promise<TestTf> {
  if (name !== 'tfjs-node') {
    const { tf } = await loadTfjs({ prefer: name === 'wasm' ? 'wasm' : 'cpu' })
    await (tf as TestTf).setBackend(name)
    return tf as TestTf
  }
  return createRequire(`${nodeFolder}/package.json`)('@tensorflow/tfjs-node') as TestTf
}

export const backends: readonly string[] = nodeFolder === undefined ? ['cpu', 'wasm'] : ['tfjs-node']

/** The same tests on every backend; `tf()` inside them is tfjs. */
export function onEveryBackend(title: string, tests: (tf: () => TestTf, name: string) => void): void {
  describe.each(backends)(`${title} on %s`, (name) => {
    let tf: TestTf | undefined
    beforeAll(async () => {
      tf = await loaded(name)
      expect(tf.getBackend()).toBe(name === 'tfjs-node' ? 'tensorflow' : name)
    }, 120_000)
    tests(() => tf!, name)
  })
}

/** Runs a test body and checks that it leaves as many tensors as it found, besides `kept`. */
export async function leakFree<Value>(
  tf: TestTf,
  body: () => Value | Promise<Value>,
  kept = 0,
): Promise<Value> {
  const before = tf.memory().numTensors
  const value = await body()
  expect(tf.memory().numTensors - before, 'tensors left').toBe(kept)
  return value
}
