/**
 * Runs the tests of `tara-rl/tfjs` on tfjs-node: an installed one, or one that `build.ts` builds.
 *
 *     npm run test:tfjs-node                 where it can be neither found nor built: says so, and ends with code 0
 *     npm run test:tfjs-node -- --must       then ends with code 1
 *
 * Other arguments go to vitest.
 */
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BuildError, buildTfjsNode } from './build.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Whether the repository has a tfjs-node of its own that starts. */
function isInstalled(): boolean {
  try {
    createRequire(`${root}package.json`).resolve('@tensorflow/tfjs-node')
  } catch {
    return false
  }
  const started = spawnSync(process.execPath, ['-e', "require('@tensorflow/tfjs-node')"], { cwd: root })
  return started.status === 0
}

function folderOf(): string | undefined {
  if (isInstalled()) return root
  try {
    return buildTfjsNode((line) => console.error(`tfjs-node: ${line}`))
  } catch (error) {
    if (!(error instanceof BuildError)) throw error
    console.log(`tfjs-node: skipped: it could not be built. ${error.message}`)
    return undefined
  }
}

const args = process.argv.slice(2)
const folder = folderOf()
if (folder === undefined) process.exitCode = args.includes('--must') ? 1 : 0
else {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', 'test/tfjs', ...args.filter((arg) => arg !== '--must')],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, TARA_TFJS_NODE: folder, TF_CPP_MIN_LOG_LEVEL: '2' },
    },
  )
  process.exitCode = status ?? 1
}
