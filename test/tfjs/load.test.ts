/**
 * `loadTfjs`: what it picks, why, and that it leaves the process as it was.
 */
import { describe, expect, it } from 'vitest'
import { loadFrom, loadTfjs, type Packages } from '../../src/tfjs/load.js'

const missing = (name: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' }))

const nothing: Packages = {
  node: missing('@tensorflow/tfjs-node'),
  core: missing('@tensorflow/tfjs-core'),
  webgpu: missing('@tensorflow/tfjs-backend-webgpu'),
  wasm: missing('@tensorflow/tfjs-backend-wasm'),
  cpu: missing('@tensorflow/tfjs-backend-cpu'),
}

/** As much of tfjs as loading needs; its backends start or do not. */
function fakeTfjs(starts: readonly string[]): object {
  let backend = ''
  return {
    tidy: () => undefined,
    customGrad: () => undefined,
    setBackend: async (name: string) => starts.includes(name) && (backend = name) !== '',
    ready: async () => undefined,
    getBackend: () => backend,
  }
}

describe('loadTfjs', () => {
  it('leaves the listeners for uncaught errors as they were when wasm starts', async () => {
    const mine = (): void => undefined
    process.on('unhandledRejection', mine)
    const listeners = (): unknown[] => [
      process.listeners('uncaughtException'),
      process.listeners('unhandledRejection'),
    ]
    const before = listeners()
    await loadTfjs({ prefer: 'wasm' }) // the first start in this file: later ones add nothing
    expect(listeners()).toEqual(before)
    process.off('unhandledRejection', mine)
  })

  it('starts the backend that is preferred, and says which and why', async () => {
    const cpu = await loadTfjs({ prefer: 'cpu' })
    expect(cpu).toMatchObject({ name: 'cpu', backend: 'cpu', why: 'cpu is preferred', skipped: [] })
    const wasm = await loadTfjs({ prefer: ['wasm', 'cpu'] })
    expect(wasm).toMatchObject({ name: 'wasm', backend: 'wasm', why: 'wasm is preferred', skipped: [] })
  })

  it('takes the first that works: tfjs-node, webgpu, wasm, cpu', async () => {
    const node = await loadFrom({ ...nothing, node: async () => ({ default: fakeTfjs(['tensorflow']) }) }, {})
    expect(node).toMatchObject({
      name: 'tfjs-node',
      backend: 'tensorflow',
      why: 'tfjs-node is the first that works',
    })
    const core = fakeTfjs(['cpu'])
    const some = { ...nothing, core: async () => core, wasm: async () => ({}), cpu: async () => ({}) }
    const cpu = await loadFrom(some, { prefer: 'wasm' })
    expect(cpu.why).toBe('cpu is the first that works, without wasm, tfjs-node, webgpu')
    expect(cpu.skipped).toEqual([
      { name: 'wasm', reason: 'the backend wasm does not start' },
      { name: 'tfjs-node', reason: 'not installed' },
      { name: 'webgpu', reason: 'no WebGPU adapter here' },
    ])
  })

  it('says what to install where there is nothing', async () => {
    await expect(loadFrom(nothing, {})).rejects.toMatchObject({
      code: 'MISSING',
      message:
        'loadTfjs: expected tfjs and a backend (npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-wasm), ' +
        'got tfjs-node: not installed; webgpu: no WebGPU adapter here; wasm: not installed; cpu: not installed',
    })
  })

  it('refuses names it does not know', async () => {
    await expect(loadTfjs({ prefer: 'gpu' as never })).rejects.toThrow(
      'loadTfjs: options.prefer: expected one of tfjs-node, webgpu, wasm, cpu, or a list of them, got "gpu"',
    )
    await expect(loadTfjs({ backend: 'cpu' } as never)).rejects.toThrow(
      'loadTfjs: options.backend: expected prefer',
    )
  })
})
