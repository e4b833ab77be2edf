/**
 * A table of typed columns: what a trainer's export makes and what a file holds.
 *
 * Rows are rollouts or sequences, as the export says. A column holds one value a row, a fixed number of values a row,
 * a list of any length a row, or text.
 */
import type { Offsets } from '../batch/layout.js'

export type Numbers = Float64Array | Float32Array | Int32Array | Uint8Array

/** `[numRows]`, or `[numRows, width]` row after row. */
export interface DenseColumn {
  readonly kind: 'dense'
  readonly values: Numbers
  /** Values a row where the column is a matrix. */
  readonly width?: number
}

/** A list a row: row n is `values[ptr[n] … ptr[n+1]-1]`. */
export interface ListColumn {
  readonly kind: 'list'
  readonly values: Numbers
  /** `[numRows+1]` */
  readonly ptr: Offsets
}

/** `[numRows]` text, or null. */
export interface TextColumn {
  readonly kind: 'text'
  readonly values: readonly (string | null)[]
}

export type Column = DenseColumn | ListColumn | TextColumn

export interface Table {
  readonly numRows: number
  /** In the order in which a file lists them. */
  readonly columns: ReadonlyMap<string, Column>
  /** Written into the file: library version, options. */
  readonly metadata: Readonly<Record<string, string>>
}
