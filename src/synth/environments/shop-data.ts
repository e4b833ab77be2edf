/**
 * What the shop starts from.
 */

type Line = { productId: string; quantity: number }

export type ShopData = {
  customers: { customerId: string; name: string; email: string; tier: string }[]
  products: {
    productId: string
    title: string
    category: string
    material: string
    priceCents: number
    stock: number
  }[]
  carts: { cartId: string; customerId: string; lines: Line[]; couponCode: string | null }[]
  coupons: { couponCode: string; tier: string; percentOff: number; minimumCents: number }[]
  orders: {
    orderId: string
    customerId: string
    lines: Line[]
    shippingMethod: string
    totalCents: number
    refundedCents: number
    status: string
  }[]
}

export const shopData: ShopData = {
  customers: [
    { customerId: 'cus-201', name: 'Amara Diallo', email: 'amara.diallo@example.com', tier: 'gold' },
    { customerId: 'cus-202', name: 'Felix Brandt', email: 'felix.brandt@example.com', tier: 'standard' },
    { customerId: 'cus-203', name: 'Priya Raman', email: 'priya.raman@example.com', tier: 'gold' },
    { customerId: 'cus-204', name: 'Jonas Eide', email: 'jonas.eide@example.com', tier: 'standard' },
  ],
  products: [
    {
      productId: 'kettle-17',
      title: 'Gooseneck kettle',
      category: 'kitchen',
      material: 'brushed steel',
      priceCents: 6400,
      stock: 14,
    },
    {
      productId: 'board-05',
      title: 'Cutting board',
      category: 'kitchen',
      material: 'oiled walnut',
      priceCents: 3900,
      stock: 22,
    },
    {
      productId: 'lamp-31',
      title: 'Reading lamp',
      category: 'lighting',
      material: 'enameled aluminum',
      priceCents: 8900,
      stock: 6,
    },
    {
      productId: 'lantern-12',
      title: 'Garden lantern',
      category: 'lighting',
      material: 'copper and glass',
      priceCents: 4500,
      stock: 9,
    },
    {
      productId: 'throw-44',
      title: 'Wool throw',
      category: 'textiles',
      material: 'merino wool',
      priceCents: 7200,
      stock: 11,
    },
  ],
  carts: [
    {
      cartId: 'cart-61',
      customerId: 'cus-201',
      lines: [{ productId: 'lamp-31', quantity: 1 }],
      couponCode: null,
    },
    {
      cartId: 'cart-62',
      customerId: 'cus-202',
      lines: [{ productId: 'board-05', quantity: 2 }],
      couponCode: null,
    },
    { cartId: 'cart-63', customerId: 'cus-204', lines: [], couponCode: null },
  ],
  coupons: [
    { couponCode: 'WELCOME5', tier: 'standard', percentOff: 5, minimumCents: 2000 },
    { couponCode: 'SPRING10', tier: 'standard', percentOff: 10, minimumCents: 3500 },
    { couponCode: 'GOLD15', tier: 'gold', percentOff: 15, minimumCents: 3000 },
    { couponCode: 'GOLD20', tier: 'gold', percentOff: 20, minimumCents: 3800 },
  ],
  orders: [
    {
      orderId: 'order-8101',
      customerId: 'cus-201',
      lines: [{ productId: 'kettle-17', quantity: 1 }],
      shippingMethod: 'standard',
      totalCents: 6400,
      refundedCents: 0,
      status: 'processing',
    },
    {
      orderId: 'order-8102',
      customerId: 'cus-202',
      lines: [{ productId: 'throw-44', quantity: 2 }],
      shippingMethod: 'express',
      totalCents: 15900,
      refundedCents: 0,
      status: 'shipped',
    },
    {
      orderId: 'order-8103',
      customerId: 'cus-203',
      lines: [{ productId: 'lantern-12', quantity: 4 }],
      shippingMethod: 'pickup',
      totalCents: 18000,
      refundedCents: 4500,
      status: 'processing',
    },
    {
      orderId: 'order-8104',
      customerId: 'cus-204',
      lines: [{ productId: 'board-05', quantity: 1 }],
      shippingMethod: 'standard',
      totalCents: 3900,
      refundedCents: 0,
      status: 'processing',
    },
  ],
}
