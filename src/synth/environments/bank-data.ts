/**
 * What the bank starts from.
 */

export type BankData = {
  customers: { customer_id: string; full_name: string; phone: string; segment: string }[]
  accounts: {
    account_id: string
    customer_id: string
    account_kind: string
    iban: string
    balance_cents: number
  }[]
  payees: { payee_id: string; customer_id: string; payee_name: string; payee_iban: string }[]
  transactions: {
    transaction_id: string
    account_id: string
    amount_cents: number
    reference: string
    dispute: string | null
  }[]
  cards: { card_id: string; account_id: string; tier: string; limit_cents: number; is_frozen: boolean }[]
}

export const bankData: BankData = {
  customers: [
    { customer_id: 'C-5001', full_name: 'Greta Solheim', phone: '+47 555 0101', segment: 'personal' },
    { customer_id: 'C-5002', full_name: 'Omar Haddad', phone: '+44 555 0102', segment: 'personal' },
    { customer_id: 'C-5003', full_name: 'Lucía Ferrer', phone: '+34 555 0103', segment: 'business' },
  ],
  accounts: [
    {
      account_id: 'ACC-11',
      customer_id: 'C-5001',
      account_kind: 'checking',
      iban: 'NO0000110011',
      balance_cents: 482_300,
    },
    {
      account_id: 'ACC-12',
      customer_id: 'C-5001',
      account_kind: 'savings',
      iban: 'NO0000110012',
      balance_cents: 1_920_000,
    },
    {
      account_id: 'ACC-21',
      customer_id: 'C-5002',
      account_kind: 'checking',
      iban: 'GB0000210021',
      balance_cents: 96_540,
    },
    {
      account_id: 'ACC-31',
      customer_id: 'C-5003',
      account_kind: 'checking',
      iban: 'ES0000310031',
      balance_cents: 3_305_000,
    },
  ],
  payees: [
    { payee_id: 'P-71', customer_id: 'C-5001', payee_name: 'Fjord Energy', payee_iban: 'NO0000990071' },
    { payee_id: 'P-72', customer_id: 'C-5001', payee_name: 'Solheim Family', payee_iban: 'NO0000990072' },
    { payee_id: 'P-73', customer_id: 'C-5002', payee_name: 'Camden Lettings', payee_iban: 'GB0000990073' },
    { payee_id: 'P-74', customer_id: 'C-5003', payee_name: 'Taller Norte', payee_iban: 'ES0000990074' },
  ],
  transactions: [
    {
      transaction_id: 'TX-9001',
      account_id: 'ACC-11',
      amount_cents: 12_900,
      reference: 'Electricity May',
      dispute: null,
    },
    {
      transaction_id: 'TX-9002',
      account_id: 'ACC-11',
      amount_cents: 4_500,
      reference: 'Streaming',
      dispute: null,
    },
    {
      transaction_id: 'TX-9003',
      account_id: 'ACC-21',
      amount_cents: 89_000,
      reference: 'Rent June',
      dispute: null,
    },
    {
      transaction_id: 'TX-9004',
      account_id: 'ACC-31',
      amount_cents: 240_000,
      reference: 'Invoice 118',
      dispute: 'wrong amount',
    },
    {
      transaction_id: 'TX-9005',
      account_id: 'ACC-12',
      amount_cents: 50_000,
      reference: 'Holiday fund',
      dispute: null,
    },
  ],
  cards: [
    { card_id: 'CARD-41', account_id: 'ACC-11', tier: 'debit', limit_cents: 100_000, is_frozen: false },
    { card_id: 'CARD-42', account_id: 'ACC-21', tier: 'debit', limit_cents: 60_000, is_frozen: false },
    { card_id: 'CARD-43', account_id: 'ACC-31', tier: 'credit', limit_cents: 500_000, is_frozen: true },
  ],
}
