/**
 * The version that stands in the metadata of a table. A constant, so that a browser needs no file for it.
 */

export const version: string = '0.1.0'
