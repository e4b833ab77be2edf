/**
 * `tara demo`: the shipped example, from its records to advantages, as files and as a table.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { taraParts } from '../../advantage/tara.js'
import { grpo } from '../../baselines/grpo.js'
import { rolloutLog } from '../../formats/log.js'
import { conversationReader } from '../../report/conversation.js'
import { reportHtml } from '../../report/html.js'
import { reportModel } from '../../report/model.js'
import { tokenSpans } from '../../tokens/spans.js'
import { demoRecords } from '../demo-data.js'
import { fileError } from '../failure.js'
import type { Given } from '../flag.js'
import type { Io } from '../io.js'
import { writeOutput } from '../output.js'
import { writeRows } from '../rows.js'
import { signed, table } from '../table.js'

const FOLDER = 'tara-demo'

export function demoCommand(io: Io): Command {
  return new Command('demo')
    .description('Runs the shipped example: four rollouts of one task, TARA beside GRPO.')
    .option('-o, --output <folder>', `folder for the example's files (default: ${FOLDER})`)
    .addHelpText('after', '\nExample:\n  $ tara demo -o my-demo')
    .action((given: Given) => demo((given.output as string | undefined) ?? FOLDER, io))
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    throw fileError('write', folder, error)
  }
}

async function demo(folder: string, io: Io): Promise<void> {
  const records = demoRecords()
  const reader = rolloutLog('demo', { tokens: true, keep: () => true })
  const said = conversationReader(() => true)
  for (const record of records) {
    reader.addRecord(record)
    said.addRecord(record)
  }
  const log = reader.finish()
  const parts = taraParts(log.batch)
  const plain = grpo(log.batch)

  await makeFolder(folder)
  const input = join(folder, 'rollouts.jsonl')
  const output = join(folder, 'advantages.jsonl')
  await writeOutput(input, io, (write) =>
    write(records.map((record) => `${JSON.stringify(record)}\n`).join('')),
  )
  await writeOutput(output, io, (write) =>
    writeRows(log, parts, tokenSpans(log.batch, log.tokens ?? []), write),
  )
  const page = join(folder, 'report.html')
  const model = reportModel({
    source: 'rollouts.jsonl',
    log,
    kept: log.kept,
    conversations: said.conversations,
  })
  await writeOutput(page, io, (write) => write(reportHtml(model)))

  const { turnPtr, reward } = log.batch
  const turnsOf = (i: number): number[] =>
    Array.from({ length: turnPtr[i + 1]! - turnPtr[i]! }, (_, t) => turnPtr[i]! + t)
  const head = ['rollout', 'rewards', ...turnsOf(0).map((_, t) => `TARA turn ${t}`), 'GRPO, every turn']
  const rows = log.keys.map(({ rollout }, i) => [
    String(rollout),
    turnsOf(i)
      .map((j) => reward[j])
      .join(' '),
    ...turnsOf(i).map((j) => signed(parts.advantage[j]!)),
    signed(plain[turnPtr[i]!]!),
  ])
  await io.out(
    `One task of three turns, four rollouts.\n\n${table([head, ...rows])}\n` +
      'Rollout 1 fails only turn 1: TARA blames turn 1 and keeps turn 0 and 2 positive; GRPO blames all three.\n' +
      `Rollout 2 fails turn 0 and recovers: nothing later pays for turn 0.\n\nWrote ${input} and ${output}.\n` +
      `Open ${page} in a browser to see them.\n` +
      `Next: tara explain ${input} --group trip-to-oslo --rollout 1 --turn 0\n`,
  )
}
