import { describe, expect, it } from 'vitest'
import { taraParts } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import * as laws from './batches.js'
import { testLaws } from './support.js'

describe('laws of batches', () => {
  testLaws(laws)

  it('C37: survivors of [1 1 1], [1 1 0], [1 0 0 stop] gain 1.768 together at the second turn', () => {
    const batch = turnBatch([{ rewards: [[1, 1, 1], [1, 1, 0], [1]], numTurns: 3 }])
    const { advantage } = taraParts(batch)
    expect(advantage[1]! + advantage[4]!).toBeCloseTo(1.768, 3)
    expect(advantage[7]).toBeCloseTo(-1.768, 3)
  })
})
