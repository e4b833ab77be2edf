/**
 * Schemas that tools of the shop share, and the ways of shipping.
 */
import type { JsonSchema } from '../types.js'
import { text, whole } from './define.js'

export const customerId: JsonSchema = text('Identifier of the customer.')
export const orderId: JsonSchema = text('Identifier of the order.')

/** An amount of money. */
export const cents = (description: string): JsonSchema => whole(`${description}, in cents.`)

/** The ways of shipping. */
export const methods: readonly string[] = ['standard', 'express', 'pickup']

/** What each way of shipping costs. */
export const shippingCents: Readonly<Record<string, number>> = { standard: 0, express: 1500, pickup: 0 }
