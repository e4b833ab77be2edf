/**
 * Schemas that tools of the travel agency share.
 */
import type { JsonSchema } from '../types.js'
import { text, whole } from './define.js'

export const travelerId: JsonSchema = text('Identifier of the traveler.')
export const bookingId: JsonSchema = text('Identifier of the flight booking.')
export const totalUsd: JsonSchema = whole('Price in US dollars.')
