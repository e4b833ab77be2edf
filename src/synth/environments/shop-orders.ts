/**
 * Tools of the shop on orders that are placed.
 */
import type { Tool } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'
import type { ShopData } from './shop-data.js'
import { cents, customerId, methods, orderId, shippingCents } from './shop-schemas.js'

/** The tools, in their order. */
export const orderTools: readonly Tool[] = [
  tool<ShopData, { customerId: string }>(
    {
      name: 'listOrders',
      description: 'List the orders of a customer.',
      kind: 'query',
      after: ['placeOrder'],
      inputSchema: record({ customerId }),
      outputSchema: record({
        orders: listOf('Orders, the newest first.', { orderId, totalCents: cents('Price with shipping') }),
      }),
    },
    ({ customers, orders }, { customerId }) => {
      the(customers, 'customerId', customerId, 'customer')
      return {
        orders: orders
          .filter((one) => one.customerId === customerId)
          .map(({ orderId, totalCents }) => ({ orderId, totalCents }))
          .reverse(),
      }
    },
  ),
  tool<ShopData, { orderId: string }>(
    {
      name: 'getOrderStatus',
      description: 'Get status and shipping of an order.',
      kind: 'query',
      inputSchema: record({ orderId }),
      outputSchema: record({
        status: choice('How far the order is.', ['processing', 'shipped', 'canceled']),
        shipsBy: choice('Way of shipping.', methods),
        pieces: whole('Number of pieces.'),
      }),
    },
    ({ orders }, { orderId }) => {
      const { status, shippingMethod, lines } = the(orders, 'orderId', orderId, 'order')
      return {
        status,
        shipsBy: shippingMethod,
        pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      }
    },
  ),
  tool<ShopData, { orderId: string; newMethod: string }>(
    {
      name: 'changeShipping',
      description: 'Change the way an order is shipped.',
      kind: 'update',
      after: ['getOrderStatus'],
      inputSchema: record({ orderId, newMethod: choice('Way of shipping from now on.', methods) }),
      outputSchema: record({ feeCents: cents('What is paid in addition') }),
    },
    ({ orders }, { orderId, newMethod }) => {
      const order = the(orders, 'orderId', orderId, 'order')
      if (order.status !== 'processing') refuse(`Order ${orderId} is ${order.status}.`)
      if (order.shippingMethod === newMethod) refuse(`Order ${orderId} ships by ${newMethod} already.`)
      const feeCents = Math.max(0, shippingCents[newMethod]! - shippingCents[order.shippingMethod]!)
      order.shippingMethod = newMethod
      order.totalCents += feeCents
      return { feeCents }
    },
  ),
  tool<ShopData, { orderId: string; amountCents: number; reason: string }>(
    {
      name: 'refundOrder',
      description: 'Refund part of an order.',
      kind: 'update',
      after: ['changeShipping'],
      inputSchema: record({
        orderId,
        amountCents: whole('What is paid back, in cents.', { minimum: 1, examples: [500, 1200, 2000] }),
        reason: choice('Why.', ['damaged', 'late', 'wrong item']),
      }),
      outputSchema: record({
        refundId: text('Identifier of the refund.'),
        note: text('Line on the receipt.'),
      }),
    },
    ({ orders }, { orderId, amountCents, reason }, { newId }) => {
      const order = the(orders, 'orderId', orderId, 'order')
      if (order.status === 'canceled') refuse(`Order ${orderId} is canceled.`)
      const left = order.totalCents - order.refundedCents
      if (amountCents > left) refuse(`Only ${left} cents of order ${orderId} can be refunded.`)
      order.refundedCents += amountCents
      return { refundId: newId('refund'), note: `Refund, ${reason}` }
    },
  ),
  tool<ShopData, { orderId: string }>(
    {
      name: 'cancelOrder',
      description: 'Cancel an order that is not shipped.',
      kind: 'update',
      after: ['refundOrder'],
      inputSchema: record({ orderId }),
      outputSchema: record({ paidBackCents: cents('What is paid back') }),
    },
    ({ products, orders }, { orderId }) => {
      const order = the(orders, 'orderId', orderId, 'order')
      if (order.status !== 'processing') refuse(`Order ${orderId} is ${order.status}.`)
      for (const { productId, quantity } of order.lines)
        the(products, 'productId', productId, 'product').stock += quantity
      const paidBackCents = order.totalCents - order.refundedCents
      order.status = 'canceled'
      order.refundedCents = order.totalCents
      return { paidBackCents }
    },
  ),
]
