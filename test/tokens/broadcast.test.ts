import { describe, expect, expectTypeOf, it } from 'vitest'
import { tara } from '../../src/advantage/tara.js'
import { turnBatch } from '../../src/batch/build.js'
import { type BroadcastOptions, tokenArraySize } from '../../src/tokens/array.js'
import { broadcast } from '../../src/tokens/broadcast.js'
import { tokenSpans } from '../../src/tokens/spans.js'

/** Two rollouts of lengths 6 and 4: turn 0 has [0,2) and [3,4), turn 1 has [4,6); turn 2 has [1,3), turn 3 nothing. */
const batch = turnBatch([
  {
    rewards: [
      [1, 1],
      [1, 1],
    ],
  },
])
const spans = tokenSpans(batch, [
  {
    length: 6,
    turns: [
      [
        [0, 2],
        [3, 4],
      ],
      [[4, 6]],
    ],
  },
  { length: 4, turns: [[[1, 3]], []] },
])
const values = Float64Array.of(1, 2, 3, 4)

describe('broadcast', () => {
  it('puts the sequences one after the other', () => {
    expect(broadcast(values, spans)).toEqual(Float32Array.of(1, 1, 0, 1, 2, 2, 0, 3, 3, 0))
    expect(broadcast(values, spans, { fill: -1, dtype: 'float64' })).toEqual(
      Float64Array.of(1, 1, -1, 1, 2, 2, -1, 3, 3, -1),
    )
  })

  it.each([
    [
      { layout: 'padded' },
      [
        [1, 1, 0, 1, 2, 2],
        [0, 3, 3, 0, 0, 0],
      ],
    ],
    [
      { layout: 'padded', side: 'left', fill: 9 },
      [
        [1, 1, 9, 1, 2, 2],
        [9, 9, 9, 3, 3, 9],
      ],
    ],
    [
      { layout: 'padded', width: 7 },
      [
        [1, 1, 0, 1, 2, 2, 0],
        [0, 3, 3, 0, 0, 0, 0],
      ],
    ],
    [
      { layout: 'padded', align: 'nextToken' },
      [
        [1, 0, 1, 2, 2],
        [3, 3, 0, 0, 0],
      ],
    ],
    [
      { layout: 'padded', align: 'nextToken', side: 'left', width: 6 },
      [
        [0, 1, 0, 1, 2, 2],
        [0, 0, 0, 3, 3, 0],
      ],
    ],
    [
      { align: 'nextToken' },
      [
        [1, 0, 1, 2, 2],
        [3, 3, 0],
      ],
    ],
  ] as [Partial<BroadcastOptions>, number[][]][])('lays rows out as %j says', (options, rows) => {
    expect([...broadcast(values, spans, options)]).toEqual(rows.flat())
    expect(tokenArraySize(spans, options).length).toBe(rows.flat().length)
  })

  it('gives the tokens of the worked example their values to 12 digits (D1)', () => {
    const group = turnBatch([
      {
        rewards: [
          [1, 1, 1],
          [1, 0, 1],
          [0, 1, 1],
          [1, 1, 0],
        ],
      },
    ])
    const none = { length: 0, turns: [[], [], []] }
    const tokens = broadcast(
      tara(group),
      tokenSpans(group, [
        none,
        none,
        none,
        {
          length: 34,
          turns: [
            [
              [5, 9],
              [14, 16],
            ],
            [[20, 23]],
            [[30, 31]],
          ],
        },
      ]),
      { dtype: 'float64' },
    )
    const expected = new Float64Array(34)
    for (const k of [5, 6, 7, 8, 14, 15]) expected[k] = 0.80095533361
    for (const k of [20, 21, 22]) expected[k] = 0.077349935857
    expected[30] = -1.732046807578
    expect(tokens).toHaveLength(34)
    tokens.forEach((value, k) => {
      expect(Math.abs(value - expected[k]!)).toBeLessThan(1e-12)
    })
    expect(tokens.filter((value) => Object.is(value, 0))).toHaveLength(24)
    expect(Math.abs(tokens.reduce((sum, value) => sum + value, 0) - 3.305735001653)).toBeLessThan(1e-11)
  })

  it('writes all of a reused array, whatever it held, and returns it', () => {
    const out = new Float32Array(10).fill(Number.NaN)
    expect(broadcast(values, spans, {}, out)).toBe(out)
    expect([...out]).toEqual([1, 1, 0, 1, 2, 2, 0, 3, 3, 0])
  })

  it('leaves the memory around a view alone', () => {
    const memory = new Float32Array(30).fill(7)
    broadcast(values, spans, {}, memory.subarray(10, 20))
    expect([...memory.subarray(0, 10), ...memory.subarray(20)]).toEqual(new Array(20).fill(7))
  })

  it('writes no -0, not even where Float32 rounds a small value to it', () => {
    const small = Float64Array.of(-0, -1e-50, -1e-50, -0)
    for (const dtype of ['float32', 'float64'] as const) {
      const tokens = broadcast(small, spans, { dtype, fill: -0 })
      expect([...tokens].some((value) => Object.is(value, -0))).toBe(false)
      expect(tokens[4]).toBe(dtype === 'float32' ? 0 : -1e-50)
    }
  })

  it('reads no value of a turn without trained tokens', () => {
    expect([...broadcast(Float64Array.of(1, 2, 3, Number.NaN), spans)].some(Number.isNaN)).toBe(false)
  })

  it.each([
    ['float32', 2, Number.NaN, 'NaN'],
    ['float64', 2, Number.POSITIVE_INFINITY, 'Infinity'],
    ['float32', 1, Number.NEGATIVE_INFINITY, '-Infinity'],
    ['float32', 0, 3.4028235677973366e38, '3.4028235677973366e+38'],
    ['float32', 0, -1e300, '-1e+300'],
  ] as const)('refuses a value that %s cannot hold, and writes nothing then', (dtype, turn, value, shown) => {
    const broken = values.slice()
    broken[turn] = value
    const out = dtype === 'float32' ? new Float32Array(10) : new Float64Array(10)
    expect(() => broadcast(broken, spans, { dtype }, out)).toThrow(
      expect.objectContaining({
        code: 'RANGE',
        message: `broadcast: turnValue[${turn}]: expected a finite number that ${dtype} can hold, got ${shown}`,
      }),
    )
    expect(out.every((entry) => entry === 0)).toBe(true)
  })

  it('takes the largest number that rounds into Float32', () => {
    const largest = 3.4028235677973362e38
    expect(broadcast(values.with(0, largest), spans)[0]).toBe(3.4028234663852886e38)
    expect(broadcast(values.with(0, -1e300), spans, { dtype: 'float64' })[0]).toBe(-1e300)
  })

  it.each([
    [{ fill: Number.NaN }, 'options.fill: expected a finite number, got NaN'],
    [{ fill: 1e39 }, 'options.fill: expected a number that float32 can hold, got 1e+39'],
    [{ layout: 'padded', width: 5 }, 'options.width: expected at least 6, the longest sequence, got 5'],
    [{ width: 2.5 }, 'options.width: expected a whole number, 0 or more, got 2.5'],
    [{ layout: 'ragged' }, 'options.layout: expected one of "flat", "padded", got "ragged"'],
    [{ side: 'top' }, 'options.side: expected one of "right", "left", got "top"'],
    [{ dtype: 'int8' }, 'options.dtype: expected one of "float32", "float64", got "int8"'],
    [{ align: 'label' }, 'options.align: expected one of "token", "nextToken", got "label"'],
    [
      { pad: 1 },
      'options.pad: expected one of layout, side, width, align, fill, dtype, got an unknown option',
    ],
  ])('refuses %j', (options, message) => {
    expect(() => broadcast(values, spans, options as Partial<BroadcastOptions>)).toThrow(
      expect.objectContaining({ code: 'OPTION', message: `broadcast: ${message}` }),
    )
  })

  it('allows a fill beyond Float32 in Float64, and a width with room', () => {
    expect(broadcast(values, spans, { fill: 1e39, dtype: 'float64' })[2]).toBe(1e39)
    expect(() => broadcast(values, spans, { layout: 'padded', align: 'nextToken', width: 5 })).not.toThrow()
  })

  it('refuses arrays of the wrong type, length or memory', () => {
    const wrong = (code: string): unknown => expect.objectContaining({ code })
    expect(() => broadcast(new Float64Array(3), spans)).toThrow(wrong('LENGTH'))
    expect(() => broadcast(new Float32Array(4) as never, spans)).toThrow(wrong('TYPE'))
    expect(() => broadcast(values, spans, {}, new Float32Array(9))).toThrow(wrong('LENGTH'))
    expect(() => broadcast(values, spans, {}, new Float64Array(10) as never)).toThrow(wrong('TYPE'))
    expect(() => broadcast(values, spans, { dtype: 'float64' }, new Float32Array(10) as never)).toThrow(
      wrong('TYPE'),
    )
    const memory = new Float64Array(13)
    expect(() => broadcast(memory.subarray(9), spans, { dtype: 'float64' }, memory.subarray(0, 10))).toThrow(
      wrong('MISMATCH'),
    )
    expect(() => broadcast(memory.subarray(0, 4), spans, { dtype: 'float64' }, memory.subarray(3))).toThrow(
      wrong('MISMATCH'),
    )
    const apart = new Float64Array(14)
    expect(() =>
      broadcast(apart.subarray(0, 4), spans, { dtype: 'float64' }, apart.subarray(4)),
    ).not.toThrow()
  })

  it('tells TypeScript which array comes back', () => {
    expectTypeOf(broadcast(values, spans)).toEqualTypeOf<Float32Array>()
    expectTypeOf(broadcast(values, spans, { layout: 'padded' })).toEqualTypeOf<Float32Array>()
    expectTypeOf(broadcast(values, spans, { dtype: 'float32' })).toEqualTypeOf<Float32Array>()
    expectTypeOf(broadcast(values, spans, { dtype: 'float64' })).toEqualTypeOf<Float64Array>()
    const dtype = 'float64' as BroadcastOptions['dtype']
    expectTypeOf(broadcast(values, spans, { dtype })).toEqualTypeOf<Float32Array | Float64Array>()
  })
})

describe('tokenArraySize', () => {
  it('says how large an array to make', () => {
    expect(tokenArraySize(spans)).toEqual({ rows: 1, width: 10, length: 10 })
    expect(tokenArraySize(spans, { align: 'nextToken' })).toEqual({ rows: 1, width: 8, length: 8 })
    expect(tokenArraySize(spans, { layout: 'padded', fill: 3, dtype: 'float64' })).toEqual({
      rows: 2,
      width: 6,
      length: 12,
    })
    expect(tokenArraySize(spans, { layout: 'padded', width: 8 })).toEqual({ rows: 2, width: 8, length: 16 })
  })

  it('gives sequences of no and of one token no entry that scores the next', () => {
    const short = tokenSpans(turnBatch([{ rewards: [[1], [1]] }]), [
      { length: 0, turns: [[]] },
      { length: 1, turns: [[[0, 1]]] },
    ])
    expect(tokenArraySize(short, { align: 'nextToken' }).length).toBe(0)
    expect(tokenArraySize(short, { layout: 'padded', align: 'nextToken' })).toEqual({
      rows: 2,
      width: 0,
      length: 0,
    })
    expect([...broadcast(Float64Array.of(1, 2), short, { align: 'nextToken' })]).toEqual([])
  })

  it('refuses 2^31 entries before it makes any', () => {
    const long = tokenSpans(turnBatch([{ rewards: [[1], [1]] }]), [
      { length: 2 ** 30, turns: [[]] },
      { length: 2, turns: [[]] },
    ])
    const tooLarge = expect.objectContaining({ code: 'TOO_LARGE' })
    expect(() => tokenArraySize(long, { layout: 'padded' })).toThrow(tooLarge)
    expect(() => broadcast(new Float64Array(2), long, { layout: 'padded' })).toThrow(tooLarge)
    expect(tokenArraySize(long).length).toBe(2 ** 30 + 2)
    expect(tokenArraySize(spans, { layout: 'padded', width: 2 ** 30 - 1 }).length).toBe(2 ** 31 - 2)
  })

  it('is empty for a batch without rollouts', () => {
    const none = tokenSpans(turnBatch([]), [])
    expect(tokenArraySize(none, { layout: 'padded', width: 9 })).toEqual({ rows: 0, width: 9, length: 0 })
    expect(broadcast(new Float64Array(0), none)).toEqual(new Float32Array(0))
  })
})
