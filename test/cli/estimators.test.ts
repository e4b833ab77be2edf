/**
 * `tara estimators`.
 */
import { describe, expect, it } from 'vitest'
import { estimators } from '../../src/baselines/estimators.js'
import { estimators as offered } from '../../src/cli/estimators.js'
import { run } from './run.js'

describe('tara estimators', () => {
  it('has a line and the formula of every estimator, TARA first', async () => {
    const { code, stdout, stderr } = await run(['estimators'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n').slice(0, -1)
    expect(lines).toHaveLength(2 * (1 + estimators.length))
    expect(lines[0]).toBe('tara: turn-aware relative advantage, Eq. 2–5')
    estimators.forEach(({ name, formula, source, needs, accumulatesNormalized }, e) => {
      const line = lines[2 + 2 * e]!
      expect(line.startsWith(`${name}: ${source}`)).toBe(true)
      expect(line.includes('; needs ')).toBe(needs.length > 0)
      for (const need of needs) expect(line).toContain(need)
      expect(line.includes('; biased where the policy decides')).toBe(accumulatesNormalized)
      for (const other of Object.keys(offered).filter((one) => one.startsWith(`${name}:`)))
        expect(line).toContain(other)
      expect(lines[3 + 2 * e]).toBe(`  ${formula}`)
    })
  })

  it('writes the same as JSON', async () => {
    const { stdout } = await run(['estimators', '--json'])
    const list = JSON.parse(stdout) as { name: string }[]
    expect(list[0]).toMatchObject({ name: 'tara', needs: [], accumulatesNormalized: false })
    expect(list.slice(1)).toEqual(estimators)
  })

  it('lists every estimator that the command line offers', async () => {
    const names = (JSON.parse((await run(['estimators', '--json'])).stdout) as { name: string }[]).map(
      ({ name }) => name,
    )
    expect(Object.keys(offered).filter((name) => !names.includes(name.split(':')[0]!))).toEqual([])
  })
})
