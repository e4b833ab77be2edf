/**
 * Shop orders: products, carts, coupons, orders, refunds.
 */
import type { EnvironmentSource, Tool } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'
import { type ShopData, shopData } from './shop-data.js'
import { orderTools } from './shop-orders.js'
import { cents, customerId, methods, orderId, shippingCents } from './shop-schemas.js'

const productId = text('Identifier of the product.')
const cartId = text('Identifier of the cart.')

type Cart = ShopData['carts'][number]

function subtotal({ products }: ShopData, { lines }: Cart): number {
  return lines.reduce(
    (sum, line) => sum + line.quantity * the(products, 'productId', line.productId, 'product').priceCents,
    0,
  )
}

function discount(database: ShopData, cart: Cart): number {
  if (cart.couponCode === null) return 0
  const { percentOff } = the(database.coupons, 'couponCode', cart.couponCode, 'coupon')
  return Math.floor((subtotal(database, cart) * percentOff) / 100)
}

const catalogTools: readonly Tool[] = [
  tool<ShopData, { email: string }>(
    {
      name: 'findCustomer',
      description: 'Find a customer by email address.',
      kind: 'query',
      inputSchema: record({ email: text('Email address of the customer.') }),
      outputSchema: record({
        customerId,
        name: text('Name of the customer.'),
        tier: choice('Standing of the customer.', ['standard', 'gold']),
      }),
    },
    ({ customers }, { email }) => {
      const found = the(customers, 'email', email, 'customer with the email address')
      return { customerId: found.customerId, name: found.name, tier: found.tier }
    },
  ),
  tool<ShopData, { category: string; maxPriceCents?: number }>(
    {
      name: 'searchProducts',
      description: 'Search the products of a category.',
      kind: 'query',
      inputSchema: record(
        {
          category: choice('What kind of product.', ['kitchen', 'lighting', 'textiles']),
          maxPriceCents: whole('Leave out products that cost more.', {
            minimum: 0,
            examples: [5000, 8000],
          }),
        },
        ['maxPriceCents'],
      ),
      outputSchema: record({
        products: listOf('Products of the category.', {
          productId,
          title: text('Name of the product.'),
          priceCents: cents('Price of one'),
        }),
      }),
    },
    ({ products }, { category, maxPriceCents = Number.MAX_SAFE_INTEGER }) => ({
      products: products
        .filter((one) => one.category === category && one.priceCents <= maxPriceCents)
        .map(({ productId, title, priceCents }) => ({ productId, title, priceCents })),
    }),
  ),
  tool<ShopData, { productId: string }>(
    {
      name: 'getProduct',
      description: 'Get material and stock of a product.',
      kind: 'query',
      inputSchema: record({ productId }),
      outputSchema: record({ material: text('What it is made of.'), stock: whole('Pieces in stock.') }),
    },
    ({ products }, { productId }) => {
      const { material, stock } = the(products, 'productId', productId, 'product')
      return { material, stock }
    },
  ),
  tool<ShopData, { tier: string }>(
    {
      name: 'listCoupons',
      description: 'List the coupons for customers of a tier.',
      kind: 'query',
      inputSchema: record({ tier: choice('Standing of the customer.', ['standard', 'gold']) }),
      outputSchema: record({
        coupons: listOf('Coupons of the tier.', {
          couponCode: text('Code of the coupon.'),
          percentOff: whole('Percent off the subtotal.'),
          minimumCents: cents('Least subtotal'),
        }),
      }),
    },
    ({ coupons }, { tier }) => ({
      coupons: coupons
        .filter((one) => one.tier === tier)
        .map(({ couponCode, percentOff, minimumCents }) => ({ couponCode, percentOff, minimumCents })),
    }),
  ),
]

const cartTools: readonly Tool[] = [
  tool<ShopData, { customerId: string }>(
    {
      name: 'createCart',
      description: 'Create an empty cart for a customer.',
      kind: 'update',
      inputSchema: record({ customerId }),
      outputSchema: record({ cartId }),
    },
    ({ customers, carts }, { customerId }, { newId }) => {
      the(customers, 'customerId', customerId, 'customer')
      const cartId = newId('cart')
      carts.push({ cartId, customerId, lines: [], couponCode: null })
      return { cartId }
    },
  ),
  tool<ShopData, { cartId: string; productId: string; quantity: number }>(
    {
      name: 'addToCart',
      description: 'Add a product to a cart.',
      kind: 'update',
      after: ['getProduct'],
      inputSchema: record({
        cartId,
        productId,
        quantity: whole('How many.', { minimum: 1, maximum: 5, examples: [1, 2, 3] }),
      }),
      outputSchema: record({ subtotalCents: cents('Price of all that is in the cart') }),
    },
    (database, { cartId, productId, quantity }) => {
      const cart = the(database.carts, 'cartId', cartId, 'cart')
      const { stock } = the(database.products, 'productId', productId, 'product')
      const line = cart.lines.find((one) => one.productId === productId)
      if ((line?.quantity ?? 0) + quantity > stock) refuse(`Only ${stock} of ${productId} are in stock.`)
      if (line === undefined) cart.lines.push({ productId, quantity })
      else line.quantity += quantity
      return { subtotalCents: subtotal(database, cart) }
    },
  ),
  tool<ShopData, { cartId: string; couponCode: string }>(
    {
      name: 'applyCoupon',
      description: 'Apply a coupon to a cart.',
      kind: 'update',
      after: ['addToCart'],
      inputSchema: record({ cartId, couponCode: text('Code of the coupon.') }),
      outputSchema: record({ discountCents: cents('What the coupon takes off') }),
    },
    (database, { cartId, couponCode }) => {
      const cart = the(database.carts, 'cartId', cartId, 'cart')
      const { tier, minimumCents } = the(database.coupons, 'couponCode', couponCode, 'coupon')
      const customer = the(database.customers, 'customerId', cart.customerId, 'customer')
      if (customer.tier !== tier) refuse(`Coupon ${couponCode} is for ${tier} customers.`)
      if (cart.couponCode === couponCode) refuse(`Coupon ${couponCode} is applied already.`)
      if (subtotal(database, cart) < minimumCents) refuse(`Coupon ${couponCode} needs ${minimumCents} cents.`)
      cart.couponCode = couponCode
      return { discountCents: discount(database, cart) }
    },
  ),
  tool<ShopData, { cartId: string; shippingMethod?: string }>(
    {
      name: 'placeOrder',
      description: 'Place the order for what is in a cart.',
      kind: 'update',
      after: ['addToCart', 'applyCoupon'],
      inputSchema: record(
        { cartId, shippingMethod: choice('Way of shipping; standard if not given.', methods) },
        ['shippingMethod'],
      ),
      outputSchema: record({ orderId, totalCents: cents('Price with shipping') }),
    },
    (database, { cartId, shippingMethod = 'standard' }, { newId }) => {
      const cart = the(database.carts, 'cartId', cartId, 'cart')
      if (cart.lines.length === 0) refuse(`Cart ${cartId} is empty.`)
      const totalCents = subtotal(database, cart) - discount(database, cart) + shippingCents[shippingMethod]!
      for (const { productId, quantity } of cart.lines)
        if (the(database.products, 'productId', productId, 'product').stock < quantity)
          refuse(`Product ${productId} is out of stock.`)
      for (const { productId, quantity } of cart.lines)
        the(database.products, 'productId', productId, 'product').stock -= quantity
      const orderId = newId('order')
      const { customerId, lines } = cart
      database.orders.push({
        orderId,
        customerId,
        lines,
        shippingMethod,
        totalCents,
        refundedCents: 0,
        status: 'processing',
      })
      cart.lines = []
      cart.couponCode = null
      return { orderId, totalCents }
    },
  ),
]

export const shop: EnvironmentSource = {
  name: 'shop-orders',
  description: 'A shop for the home: customers fill carts, use coupons, place orders and get refunds.',
  database: shopData,
  tools: [...catalogTools, ...cartTools, ...orderTools],
}
