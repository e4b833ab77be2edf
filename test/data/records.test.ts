/**
 * The real logs as lines and as records that are parsed already.
 */
import { describe, expect, it } from 'vitest'
import { rolloutLog } from '../../src/formats/log.js'
import { reachedOf, readLog, rewardsOf } from '../formats/records.js'
import { schemaFault } from '../formats/schema.js'
import { hasData, logLines, logNames, shuffled } from './logs.js'

describe.skipIf(!hasData)('the shared logs (skipped where they are missing)', () => {
  for (const name of logNames) {
    const lines = hasData ? logLines(name) : []

    it(`give the same as lines and as records: ${name}`, () => {
      const asLines = readLog(lines)
      const reader = rolloutLog('in')
      for (const line of lines) reader.addRecord(JSON.parse(line))
      const asRecords = reader.finish()
      expect(rewardsOf(asRecords)).toEqual(rewardsOf(asLines))
      expect(reachedOf(asRecords)).toEqual(reachedOf(asLines))
      expect(asRecords.counts).toEqual(asLines.counts)
    })

    it(`validate against the schema: ${name}`, () => {
      for (const k of shuffled(lines.length, 1).slice(0, 60))
        expect(schemaFault(JSON.parse(lines[k]!)), `${k}`).toBe('none')
    })
  }
})
