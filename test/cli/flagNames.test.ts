/**
 * Faults of options are told in the words of the command line.
 */
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { inFlags } from '../../src/cli/flag-names.js'
import { TaraError } from '../../src/errors.js'

const command = new Command()
  .option('--gamma <number>')
  .option('--max-extra-calls <number>')
  .option('--weights <x>')

it.each([
  ['taraParts: options.gamma', '--gamma'],
  ['estimator grpo: grpo: options.gamma', 'estimator grpo: --gamma'],
  ['log.jsonl:1: options.maxExtraCalls', 'log.jsonl:1: --max-extra-calls'],
  ['rolloutLog: options.policy: options.maxExtraCalls', '--max-extra-calls'],
  ['rolloutLog: rolloutLog: options.policy: options.gamma', '--gamma'],
  ['gdpo: options.weights.format', '--weights.format'],
  ['opo: options.turnTokens', 'opo: options.turnTokens'],
  ['options.jsonl:1: rewards[0]', 'options.jsonl:1: rewards[0]'],
])('%s is %s where the command has the flag', (path, shown) => {
  const error = inFlags(new TaraError('OPTION', path, 'expected x'), command)
  expect([error.path, error.code, error.detail]).toEqual([shown, 'OPTION', 'expected x'])
})
