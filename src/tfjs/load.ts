/**
 * Finds a tfjs to compute on. Nothing is imported or started before it is called.
 */
import { fail, show } from '../errors.js'
import { checkTf, type Tf } from './ops.js'

/** What tensors can be computed on. */
export type TfjsName = 'tfjs-node' | 'webgpu' | 'wasm' | 'cpu'

export interface LoadedTfjs {
  readonly tf: Tf
  readonly name: TfjsName
  /** What tfjs calls it: `tensorflow`, `webgpu`, `wasm`, `cpu`. */
  readonly backend: string
  /** Why this one, in one sentence. */
  readonly why: string
  /** What was tried before and did not do. */
  readonly skipped: readonly { readonly name: TfjsName; readonly reason: string }[]
}

export interface LoadTfjsOptions {
  /** Tried first, in this order; the others follow. Default: tfjs-node, webgpu, wasm, cpu. */
  readonly prefer?: TfjsName | readonly TfjsName[]
}

/** The ways to get at each package. Their names are kept from bundlers where the package may be missing. */
export interface Packages {
  readonly node: () => Promise<unknown>
  readonly core: () => Promise<unknown>
  readonly webgpu: () => Promise<unknown>
  readonly wasm: () => Promise<unknown>
  readonly cpu: () => Promise<unknown>
}

const optional = (name: string): Promise<unknown> => import(/* @vite-ignore */ /* webpackIgnore: true */ name)

const installed: Packages = {
  node: () => optional('@tensorflow/tfjs-node'),
  core: () => import('@tensorflow/tfjs-core'),
  webgpu: () => optional('@tensorflow/tfjs-backend-webgpu'),
  wasm: () => import('@tensorflow/tfjs-backend-wasm'),
  cpu: () => import('@tensorflow/tfjs-backend-cpu'),
}

const order: readonly TfjsName[] = ['tfjs-node', 'webgpu', 'wasm', 'cpu']

const install = 'npm install @tensorflow/tfjs-core @tensorflow/tfjs-backend-wasm'

/** What tfjs has besides ops: backends. */
type Engine = Tf & {
  setBackend(name: string): Promise<boolean>
  ready(): Promise<void>
}

/** Loads tfjs and starts a backend: the first of tfjs-node, webgpu, wasm and cpu that works, those of `prefer` first.
 *
 * A CPU backend is no faster than the core (`docs/tfjs.md`); it is there for a trainer that holds tensors anyway.
 * The wasm backend's process-wide listeners for uncaught errors are removed again.
 * @throws TaraError `MISSING` with the install command and every reason, `OPTION`
 */
export function loadTfjs(options: LoadTfjsOptions = {}): Promise<LoadedTfjs> {
  return loadFrom(installed, options)
}

/** `loadTfjs` with other ways to get at packages. */
export async function loadFrom(packages: Packages, options: LoadTfjsOptions): Promise<LoadedTfjs> {
  const wanted = preferred(options)
  const skipped: { name: TfjsName; reason: string }[] = []
  for (const name of [...wanted, ...order.filter((other) => !wanted.includes(other))]) {
    try {
      const tf = await start(packages, name)
      return { tf, name, backend: tf.getBackend(), why: whyOf(name, wanted, skipped), skipped }
    } catch (error) {
      skipped.push({ name, reason: reasonOf(error) })
    }
  }
  return fail(
    'MISSING',
    'loadTfjs',
    `tfjs and a backend (${install})`,
    skipped.map(({ name, reason }) => `${name}: ${reason}`).join('; '),
  )
}

function preferred(options: LoadTfjsOptions): TfjsName[] {
  if (typeof options !== 'object' || options === null)
    fail('OPTION', 'loadTfjs: options', 'an object', show(options))
  for (const name of Object.keys(options))
    if (name !== 'prefer') fail('OPTION', `loadTfjs: options.${name}`, 'prefer', 'an unknown option')
  const { prefer = [] } = options
  const list: readonly TfjsName[] = typeof prefer === 'string' ? [prefer] : prefer
  if (!Array.isArray(list) || !list.every((name) => order.includes(name)))
    fail('OPTION', 'loadTfjs: options.prefer', `one of ${order.join(', ')}, or a list of them`, show(prefer))
  return [...new Set(list)]
}

function whyOf(name: TfjsName, wanted: readonly TfjsName[], skipped: readonly { name: TfjsName }[]): string {
  const rank = wanted.includes(name) ? 'preferred' : 'the first that works'
  const others = skipped.map((one) => one.name).join(', ')
  return others === '' ? `${name} is ${rank}` : `${name} is ${rank}, without ${others}`
}

/** The first line of an error, without the paths of this machine that follow it. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const isMissing =
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND')
  return isMissing ? 'not installed' : text.split('\n', 1)[0]!
}

/** The namespace itself: a CommonJS package has it under `default`. */
function namespaceOf(module: unknown): Engine {
  const has = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'setBackend' in value
  const inner = module as { readonly default?: unknown }
  const tf = (has(module) ? module : inner.default) as Engine
  checkTf('loadTfjs', tf)
  return tf
}

async function start(packages: Packages, name: TfjsName): Promise<Tf> {
  if (name === 'tfjs-node') return use(namespaceOf(await packages.node()), 'tensorflow')
  if (name === 'webgpu' && !(await hasGpu())) throw new Error('no WebGPU adapter here')
  const tf = namespaceOf(await packages.core())
  await packages[name]()
  return use(tf, name)
}

async function use(tf: Engine, backend: string): Promise<Tf> {
  const begin = async (): Promise<boolean> => {
    const isSet = await tf.setBackend(backend)
    await tf.ready()
    return isSet
  }
  const isStarted = backend === 'wasm' ? await keepingListeners(begin) : await begin()
  if (!isStarted) throw new Error(`the backend ${backend} does not start`)
  return tf
}

async function hasGpu(): Promise<boolean> {
  const scope: { navigator?: { gpu?: { requestAdapter(): Promise<unknown> } } } = globalThis as object
  const adapter = await scope.navigator?.gpu?.requestAdapter()
  return adapter !== undefined && adapter !== null
}

/** The part of Node's `process` that is put back. */
interface Emitter {
  listeners(event: string): ((...args: never[]) => void)[]
  off(event: string, listener: (...args: never[]) => void): void
}

const events = ['uncaughtException', 'unhandledRejection'] as const

/** A listener that does nothing but throw what it is given, as wasm adds them. */
const onlyThrows = (listener: (...args: never[]) => void): boolean => {
  const text = String(listener)
  return text.length < 300 && /\bthrow \w+/.test(text)
}

/** Runs a task and removes the listeners for uncaught errors that wasm adds to the process: they throw again what they are
 * given, so that a program's own handling of uncaught errors would end. Others that come in the meantime stay.
 */
async function keepingListeners<Value>(task: () => Promise<Value>): Promise<Value> {
  const scope: { process?: Partial<Emitter> } = globalThis as object
  const emitter = scope.process
  if (typeof emitter?.listeners !== 'function' || typeof emitter.off !== 'function') return task()
  const process = emitter as Emitter
  const before = events.map((event) => process.listeners(event))
  try {
    return await task()
  } finally {
    events.forEach((event, e) => {
      for (const listener of process.listeners(event))
        if (!before[e]!.includes(listener) && onlyThrows(listener)) process.off(event, listener)
    })
  }
}
