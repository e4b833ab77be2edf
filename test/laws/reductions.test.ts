import { describe } from 'vitest'
import * as laws from './reductions.js'
import { testLaws } from './support.js'

describe('laws of reduction', () => {
  testLaws(laws)
})
