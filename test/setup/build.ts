import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Builds `dist/` once a run: the command-line tests start the real program. */
export default function build(): void {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  })
}
