/**
 * Growing typed arrays: what a log leaves behind is kept flat, not as objects.
 */
type Numbers = Float64Array | Int32Array | Uint8Array

export interface Pool<A extends Numbers> {
  push(value: number): void
  length(): number
  /** The values so far, as a view that the next `push` may leave behind. */
  view(): A
}

/** Makes an empty pool; memory doubles as it fills. */
export function pool<A extends Numbers>(make: (length: number) => A): Pool<A> {
  let data = make(1024)
  let length = 0
  return {
    push(value) {
      if (length === data.length) {
        const larger = make(length * 2)
        larger.set(data)
        data = larger
      }
      data[length++] = value
    },
    length: () => length,
    view: () => data.subarray(0, length) as A,
  }
}

export const float64Pool = (): Pool<Float64Array> => pool((length) => new Float64Array(length))
export const int32Pool = (): Pool<Int32Array> => pool((length) => new Int32Array(length))
export const uint8Pool = (): Pool<Uint8Array> => pool((length) => new Uint8Array(length))
