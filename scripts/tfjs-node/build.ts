/**
 * Builds tfjs-node from registries alone: its own install downloads the TensorFlow library from a storage bucket, which
 * is out of reach where only npm and PyPI are. The same library with its C interface lies in the wheel of `tensorflow-cpu`.
 *
 *     npm    @tensorflow/tfjs-node (without its install script), node-api-headers
 *     PyPI   tensorflow-cpu: libtensorflow_cc, libtensorflow_framework, headers
 *     c++    the two files of tfjs-node's binding, linked to them
 *
 * All of it goes into the user's cache, never into the repository; what is there already is used again.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

const TFJS = '4.22.0'
/** tfjs-node 4.22.0 was made for 2.9; the C interface has only grown since. */
const TENSORFLOW = '2.15.1'
const HEADERS = '1.5.0'
/** Newest Node-API version that tfjs-node looks for. */
const NAPI = 8

const MINUTES = 60_000

/** A step that did not work: the command and the end of what it said. */
export class BuildError extends Error {}

/** Runs a command. */
function run(folder: string, command: string, args: readonly string[]): string {
  try {
    return execFileSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 10 * MINUTES,
      maxBuffer: 1 << 26,
    })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    const text = (stderr.trim() || message).split('\n').slice(-8).join('\n')
    throw new BuildError(`${command} ${args.join(' ')}\n${text}`)
  }
}

export function cacheFolder(): string {
  const root = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(
    root,
    'tara-rl',
    `tfjs-node-${TFJS}-tensorflow-${TENSORFLOW}-${process.platform}-${process.arch}`,
  )
}

/** Takes the libraries and headers out of the wheel, nothing else. */
const unpack = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    for name in wheel.namelist():
        if name.startswith(('tensorflow/include/', 'tensorflow/libtensorflow_')):
            wheel.extract(name, sys.argv[2])
`

function fetchTensorflow(folder: string): string {
  const wheels = join(folder, 'wheel')
  run(folder, 'python3', [
    ...['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', wheels],
    ...['--implementation', 'cp', '--python-version', '3.11', '--platform', 'manylinux2014_x86_64'],
    `tensorflow-cpu==${TENSORFLOW}`,
  ])
  const [wheel] = readdirSync(wheels)
  run(folder, 'python3', ['-c', unpack, join(wheels, wheel!), folder])
  return join(folder, 'tensorflow')
}

function compile(folder: string, tensorflow: string): void {
  const tfjs = join(folder, 'node_modules/@tensorflow/tfjs-node')
  const library = join(tfjs, 'deps/lib')
  mkdirSync(library, { recursive: true })
  const names = readdirSync(tensorflow).filter((name) => /^libtensorflow_(cc|framework)\.so/.test(name))
  for (const name of names) renameSync(join(tensorflow, name), join(library, name))
  const target = join(tfjs, `lib/napi-v${NAPI}`)
  mkdirSync(target, { recursive: true })
  run(tfjs, process.env.CXX || 'c++', [
    ...['-std=c++17', '-O2', '-fPIC', '-shared', `-DNAPI_VERSION=${NAPI}`],
    ...[
      '-I',
      join(folder, 'node_modules/node-api-headers/include'),
      '-I',
      join(tensorflow, 'include'),
      '-I',
      '.',
    ],
    ...['binding/tfjs_backend.cc', 'binding/tfjs_binding.cc'],
    ...names.map((name) => join(library, name)),
    '-Wl,-rpath,$ORIGIN/../../deps/lib',
    ...['-o', join(target, 'tfjs_binding.node')],
  ])
}

const smoke = `
const tf = require('@tensorflow/tfjs-node')
const x = tf.tensor([[1, 2], [3, 4]])
if (tf.getBackend() !== 'tensorflow' || String(tf.matMul(x, x).dataSync()) !== '7,10,15,22') throw new Error('wrong answer')
`

/** Builds tfjs-node unless the cache has it.
 * @returns a folder whose node_modules hold it
 * @throws BuildError with the command that did not work
 */
export function buildTfjsNode(say: (line: string) => void): string {
  const folder = cacheFolder()
  if (existsSync(join(folder, 'done'))) return folder
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new BuildError(`the wheel is for linux x64, this is ${process.platform} ${process.arch}`)
  mkdirSync(dirname(folder), { recursive: true })
  const work = mkdtempSync(`${folder}-`)
  try {
    say('npm: tfjs-node without its install script')
    writeFileSync(join(work, 'package.json'), '{ "private": true }\n')
    run(work, 'npm', [
      ...['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
      `@tensorflow/tfjs-node@${TFJS}`,
      `node-api-headers@${HEADERS}`,
    ])
    say(`PyPI: tensorflow-cpu ${TENSORFLOW}`)
    const tensorflow = fetchTensorflow(work)
    say('c++: the binding')
    compile(work, tensorflow)
    rmSync(tensorflow, { recursive: true })
    rmSync(join(work, 'wheel'), { recursive: true })
    run(work, process.execPath, ['-e', smoke])
    writeFileSync(join(work, 'done'), `${new Date().toISOString()}\n`)
    if (existsSync(folder)) rmSync(folder, { recursive: true }) // half of one, from elsewhere
    renameSync(work, folder)
    return folder
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
