import { describe, expect, it } from 'vitest'
import { gatedReturn, standardReturn } from '../../src/advantage/values.js'
import { turnBatch } from '../../src/batch/build.js'

const batch = turnBatch([
  {
    rewards: [
      [1, 1, 1],
      [1, 0, 1],
      [0, 1, 1],
    ],
  },
])

describe('standardReturn', () => {
  it('is r[t] + γ·r[t+1] + γ²·r[t+2]', () => {
    expect([...standardReturn(batch)]).toEqual([1.75, 1.5, 1, 1.25, 0.5, 1, 0.75, 1.5, 1])
    expect([...standardReturn(batch, { gamma: 0 })]).toEqual([...batch.reward])
    expect([...standardReturn(batch, { gamma: 1 })]).toEqual([3, 2, 1, 2, 1, 1, 2, 2, 1])
  })
})

describe('gatedReturn', () => {
  it('is r[t] + λ·δ·(γ·r[t+1] + γ²·r[t+2]), 0 after a failure', () => {
    expect([...gatedReturn(batch)]).toEqual([1.375, 1.25, 1, 1.125, 0, 1, 0, 1.25, 1])
  })

  it('without the gate and at λ = 1 is the standard return', () => {
    expect(gatedReturn(batch, { gate: 'none', lambda: 1 })).toEqual(standardReturn(batch))
  })

  it('starts one power of γ earlier with Eq. 3', () => {
    expect([...gatedReturn(batch, { futureIndex: 'eq3' })]).toEqual([1.75, 1.5, 1, 1.25, 0, 1, 0, 1.5, 1])
  })

  it('takes options of its own only', () => {
    expect(() => gatedReturn(batch, { epsilon: 1 } as object)).toThrow('gatedReturn: options.epsilon')
    expect(() => gatedReturn(batch, { lambda: 2 })).toThrow('gatedReturn: options.lambda')
    expect(() => standardReturn(batch, { lambda: 1 } as object)).toThrow('standardReturn: options.lambda')
  })
})

describe('both', () => {
  it('skip masked turns and invalid rollouts', () => {
    const some = turnBatch([
      {
        rewards: [
          [1, 1, 1],
          [1, 1, 1],
        ],
        valid: [true, false],
        masked: [false, true, false],
      },
    ])
    expect([...standardReturn(some)]).toEqual([1.5, 0, 1, 0, 0, 0])
    expect([...gatedReturn(some)]).toEqual([1.25, 0, 1, 0, 0, 0])
  })
})
