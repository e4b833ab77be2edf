/**
 * The border of the file writers: what passes here can be written without a further look.
 */
import { fail, show } from '../errors.js'
import type { Column, Numbers, Table, TextColumn } from './table.js'

/** Half of a pair of UTF-16 units: a text that holds one is no text in UTF-8. */
const HALF_PAIR = /\p{Surrogate}/u

function checkFinite(place: string, values: Numbers): void {
  if (!(values instanceof Float64Array || values instanceof Float32Array)) return
  for (let n = 0; n < values.length; n++)
    if (!Number.isFinite(values[n])) fail('RANGE', `${place}[${n}]`, 'a finite number', show(values[n]))
}

function checkColumn(place: string, column: Column, numRows: number): void {
  const { length } = column.values
  if (column.kind === 'list') {
    const { ptr } = column
    if (ptr.length !== numRows + 1 || ptr[0] !== 0)
      fail('LENGTH', `${place}.ptr`, `${numRows + 1} offsets from 0`, show(ptr))
    if (ptr[numRows] !== length)
      fail('LENGTH', `${place}.ptr[${numRows}]`, `${length}, the number of values`, show(ptr[numRows]))
  } else {
    const width = column.kind === 'dense' ? (column.width ?? 1) : 1
    if (length !== numRows * width) fail('LENGTH', place, `${numRows} rows of ${width}`, `${length} values`)
  }
  if (column.kind !== 'text') checkFinite(place, column.values)
}

/** Checks that every column has the table's rows, and that every number can be written.
 * @param place - the caller's name, for errors
 * @throws TaraError `LENGTH`, `RANGE`
 */
export function checkTable(place: string, table: Table): void {
  for (const [name, column] of table.columns)
    checkColumn(`${place}: columns[${show(name)}]`, column, table.numRows)
}

/** Checks that a text is Unicode, as every file but JSONL asks.
 * @throws TaraError `ENCODING`
 */
function checkText(place: string, text: string): void {
  if (HALF_PAIR.test(text))
    fail('ENCODING', place, 'whole characters', `${show(text)}, which holds half a pair`)
}

/** Checks every text of a table: names, cells, metadata.
 * @throws TaraError `ENCODING` where a text holds a lone surrogate
 */
export function checkTexts(place: string, table: Table): void {
  for (const [name, column] of table.columns) {
    checkText(`${place}: columns`, name)
    if (column.kind === 'text') checkCells(`${place}: columns[${show(name)}]`, column)
  }
  for (const [name, text] of Object.entries(table.metadata)) {
    checkText(`${place}: metadata`, name)
    checkText(`${place}: metadata[${show(name)}]`, text)
  }
}

function checkCells(place: string, { values }: TextColumn): void {
  values.forEach((text, row) => {
    if (text !== null) checkText(`${place}[${row}]`, text)
  })
}
