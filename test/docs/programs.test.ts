import { beforeAll, describe, expect, it } from 'vitest'
import { compile, docPrograms, examplePrograms, run } from './programs.js'

const programs = [...docPrograms(), ...examplePrograms()]
let faults: string

beforeAll(() => {
  faults = compile(programs)
})

describe('programs of the docs and the examples', () => {
  it('are well typed', () => {
    expect(faults).toBe('')
  })

  for (const program of programs)
    it(`${program.place} prints what it says`, () => {
      expect(program.prints.length).toBeGreaterThan(0)
      expect(run(program)).toEqual(program.prints)
    })
})
