/**
 * Schemas that tools of the file system share.
 */
import type { JsonSchema } from '../types.js'
import { text } from './define.js'

export const pathOf: JsonSchema = text('Full path of the file.')
export const folderOf: JsonSchema = text('Full path of the folder.')
