/**
 * `--metrics FILE.json`: the diagnosis of a run as one flat JSON object, written whole or not at all.
 */
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Diagnosis } from '../diagnose/diagnose.js'
import type { Filtered } from '../diagnose/filter.js'
import { filterMetrics, metrics } from '../diagnose/metrics.js'
import { UsageError } from './failure.js'
import type { Io } from './io.js'
import { targetOf, writeOutput } from './output.js'

const isStdout = (path: string | undefined): boolean => path === undefined || path === '-'

/** Device and inode of a regular file, else the path itself; undefined for what may be written twice, as /dev/null. */
async function identityOf(path: string): Promise<string | undefined> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined)
  if (facts !== undefined) return facts.isFile() ? `${facts.dev}:${facts.ino}` : undefined
  const target = resolve(await targetOf(path))
  return join(await realpath(dirname(target)).catch(() => dirname(target)), basename(target))
}

/** Checks that the metrics and the rows do not go to one place.
 * @throws UsageError
 */
export async function checkApart(metricsPath: string, output: string | undefined): Promise<void> {
  const isSame =
    isStdout(metricsPath) || isStdout(output)
      ? isStdout(metricsPath) && isStdout(output)
      : await identityOf(metricsPath).then(
          async (identity) => identity !== undefined && identity === (await identityOf(output!)),
        )
  if (isSame)
    throw new UsageError(
      `cannot write ${metricsPath}: the advantages go there; --metrics needs a place of its own`,
    )
}

/** Writes the metrics, one a line.
 * @throws as `writeOutput`
 */
export function writeMetrics(
  path: string,
  diagnosis: Diagnosis,
  filtered: Filtered | undefined,
  io: Io,
): Promise<void> {
  const all = { ...metrics(diagnosis), ...(filtered && filterMetrics(filtered.counts)) }
  return writeOutput(path, io, (write) => write(`${JSON.stringify(all, null, 2)}\n`))
}
