/**
 * Lets Node run the benches: TypeScript loses its types, all else stays as it is. What a faster tool does beside that
 * (names kept by wrapping every function) would be timed too, in the library as well.
 *
 *     node --import ./bench/typescript.mjs bench/run.ts
 */
import { existsSync, readFileSync } from 'node:fs'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/** `./a.js` is `./a.ts` where that is what there is. */
export function resolve(name, context, next) {
  if (/^\.{1,2}\/.*\.js$/.test(name) && context.parentURL?.endsWith('.ts')) {
    const url = new URL(name.replace(/js$/, 'ts'), context.parentURL)
    if (existsSync(url)) return { url: url.href, shortCircuit: true }
  }
  return next(name, context)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { default: ts } = await import('typescript')
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}

if (isMainThread) register(import.meta.url)
