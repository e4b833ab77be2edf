/**
 * Reads a log of rollouts in pieces, as it would come from a network, and prints what each turn is worth.
 */
import { readFileSync } from 'node:fs'
import { tara } from 'tara-rl'
import { lineSplitter, MAX_LINE, rolloutLog } from 'tara-rl/formats'

const bytes = readFileSync(new URL('rollouts.jsonl', import.meta.url))

const reader = rolloutLog('rollouts.jsonl')
const lines = lineSplitter('rollouts.jsonl', MAX_LINE, reader.addBytes)
for (let start = 0; start < bytes.length; start += 1000) lines.push(bytes.subarray(start, start + 1000))
lines.end()

const { batch, keys, counts } = reader.finish()
const advantage = tara(batch)
keys.forEach(({ group, rollout }, i) => {
  const turns = advantage.subarray(batch.turnPtr[i], batch.turnPtr[i + 1])
  console.log(group, rollout, Array.from(turns, (value) => value.toFixed(3)).join(' '))
})
// => pay-ana 0 1.443 1.000
// => pay-ana 1 0.289 -1.000
// => pay-ana 2 -2.021 1.000
// => pay-ana 3 0.289 -1.000
console.log(`${counts.malformedCalls} malformed call, ${counts.extraCalls} extra calls`)
// => 1 malformed call, 3 extra calls
