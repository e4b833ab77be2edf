/**
 * A bank: accounts, payees, transfers, disputes, cards.
 */
import type { EnvironmentSource } from '../types.js'
import { type BankData, bankData } from './bank-data.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'

const customerId = text('Number of the customer.')
const accountId = text('Number of the account.')
const payeeId = text('Number of the payee.')
const transactionId = text('Number of the transaction.')
const cardId = text('Number of the card.')
const tiers = ['debit', 'credit']
const cardLimits: Readonly<Record<string, number>> = { debit: 50_000, credit: 200_000 }

type Card = BankData['cards'][number]

function working({ cards }: BankData, card_id: string): Card {
  const card = the(cards, 'card_id', card_id, 'card')
  return card.is_frozen ? refuse(`Card ${card_id} is frozen.`) : card
}

export const bank: EnvironmentSource = {
  name: 'retail-bank',
  description: 'A bank: customers open accounts, pay, dispute payments and use cards.',
  database: bankData,
  tools: [
    tool<BankData, { phone: string }>(
      {
        name: 'customer_find',
        description: 'Find a customer by telephone number.',
        kind: 'query',
        inputSchema: record({ phone: text('Telephone number with country code.') }),
        outputSchema: record({
          customer_id: customerId,
          full_name: text('Name of the customer.'),
          segment: choice('Kind of customer.', ['personal', 'business']),
        }),
      },
      ({ customers }, { phone }) => {
        const found = the(customers, 'phone', phone, 'customer with the telephone number')
        return { customer_id: found.customer_id, full_name: found.full_name, segment: found.segment }
      },
    ),
    tool<BankData, { customer_id: string }>(
      {
        name: 'account_list',
        description: 'List the accounts of a customer.',
        kind: 'query',
        after: ['account_open'],
        inputSchema: record({ customer_id: customerId }),
        outputSchema: record({
          accounts: listOf('Accounts of the customer.', {
            account_id: accountId,
            account_kind: choice('Kind of account.', ['checking', 'savings']),
            iban: text('International account number.'),
          }),
        }),
      },
      ({ customers, accounts }, { customer_id }) => {
        the(customers, 'customer_id', customer_id, 'customer')
        return {
          accounts: accounts
            .filter((one) => one.customer_id === customer_id)
            .map(({ account_id, account_kind, iban }) => ({ account_id, account_kind, iban })),
        }
      },
    ),
    tool<BankData, { customer_id: string; kind: string; deposit_cents: number }>(
      {
        name: 'account_open',
        description: 'Open an account for a customer.',
        kind: 'update',
        inputSchema: record({
          customer_id: customerId,
          kind: choice('Kind of account.', ['checking', 'savings']),
          deposit_cents: whole('First deposit, in cents.', { minimum: 10_000, examples: [50_000, 120_000] }),
        }),
        outputSchema: record({ account_id: accountId }),
      },
      ({ customers, accounts }, { customer_id, kind, deposit_cents }, { newId }) => {
        the(customers, 'customer_id', customer_id, 'customer')
        const account_id = newId('ACC')
        const iban = newId('IBAN')
        accounts.push({ account_id, customer_id, account_kind: kind, iban, balance_cents: deposit_cents })
        return { account_id }
      },
    ),
    tool<BankData, { account_id: string }>(
      {
        name: 'balance_get',
        description: 'Get the balance of an account.',
        kind: 'query',
        inputSchema: record({ account_id: accountId }),
        outputSchema: record({ balance_cents: whole('Balance in cents.') }),
      },
      ({ accounts }, { account_id }) => ({
        balance_cents: the(accounts, 'account_id', account_id, 'account').balance_cents,
      }),
    ),
    tool<BankData, { customer_id: string; new_payee: string; new_iban: string }>(
      {
        name: 'payee_add',
        description: 'Add a payee to those of a customer.',
        kind: 'update',
        inputSchema: record({
          customer_id: customerId,
          new_payee: text('Name of the payee.', {
            minLength: 2,
            examples: ['Lakeside Dental', 'Moreno Repairs'],
          }),
          new_iban: text('International account number.', {
            pattern: '^[A-Z]{2}[0-9]{10}$',
            examples: ['NO0000880015', 'ES0000880044', 'GB0000880027'],
          }),
        }),
        outputSchema: record({ payee_id: payeeId }),
      },
      ({ customers, payees }, { customer_id, new_payee, new_iban }, { newId }) => {
        the(customers, 'customer_id', customer_id, 'customer')
        if (payees.some((one) => one.customer_id === customer_id && one.payee_iban === new_iban))
          refuse(`Customer ${customer_id} has a payee with ${new_iban} already.`)
        const payee_id = newId('P')
        payees.push({ payee_id, customer_id, payee_name: new_payee, payee_iban: new_iban })
        return { payee_id }
      },
    ),
    tool<BankData, { account_id: string; payee_id: string; amount_cents: number; reference?: string }>(
      {
        name: 'transfer_send',
        description: 'Send money from an account to a payee.',
        kind: 'update',
        after: ['balance_get'],
        inputSchema: record(
          {
            account_id: accountId,
            payee_id: payeeId,
            amount_cents: whole('Amount in cents.', { minimum: 1, examples: [2_500, 7_990, 12_000] }),
            reference: text('Line on the statement.', {
              minLength: 1,
              examples: ['Thank you', 'Invoice 204'],
            }),
          },
          ['reference'],
        ),
        outputSchema: record({ transaction_id: transactionId, sent_at: text('Time of the transfer.') }),
      },
      (database, { account_id, payee_id, amount_cents, reference = 'Transfer' }, { newId, now }) => {
        const account = the(database.accounts, 'account_id', account_id, 'account')
        const payee = the(database.payees, 'payee_id', payee_id, 'payee')
        if (payee.customer_id !== account.customer_id)
          refuse(`Payee ${payee_id} is not one of customer ${account.customer_id}.`)
        if (account.balance_cents < amount_cents) refuse(`The balance of ${account_id} is too low.`)
        account.balance_cents -= amount_cents
        const transaction_id = newId('TX')
        database.transactions.push({ transaction_id, account_id, amount_cents, reference, dispute: null })
        return { transaction_id, sent_at: now() }
      },
    ),
    tool<BankData, { account_id: string; limit?: number }>(
      {
        name: 'transaction_list',
        description: 'List the latest transactions of an account.',
        kind: 'query',
        after: ['transfer_send'],
        inputSchema: record(
          {
            account_id: accountId,
            limit: whole('At most so many.', { minimum: 1, maximum: 50, examples: [1, 5] }),
          },
          ['limit'],
        ),
        outputSchema: record({
          transactions: listOf('Transactions, the newest first.', {
            transaction_id: transactionId,
            cents: whole('Amount in cents.'),
            note: text('Line on the statement.'),
          }),
        }),
      },
      ({ accounts, transactions }, { account_id, limit = 50 }) => {
        the(accounts, 'account_id', account_id, 'account')
        return {
          transactions: transactions
            .filter((one) => one.account_id === account_id)
            .map(({ transaction_id, amount_cents, reference }) => ({
              transaction_id,
              cents: amount_cents,
              note: reference,
            }))
            .reverse()
            .slice(0, limit),
        }
      },
    ),
    tool<BankData, { transaction_id: string; claim: string }>(
      {
        name: 'transaction_dispute',
        description: 'Dispute a transaction.',
        kind: 'update',
        inputSchema: record({
          transaction_id: transactionId,
          claim: choice('What is wrong.', ['not recognized', 'wrong amount', 'charged twice']),
        }),
        outputSchema: record({ case_id: text('Number of the case.') }),
      },
      ({ transactions }, { transaction_id, claim }, { newId }) => {
        const transaction = the(transactions, 'transaction_id', transaction_id, 'transaction')
        if (transaction.dispute !== null) refuse(`Transaction ${transaction_id} is disputed already.`)
        transaction.dispute = claim
        return { case_id: newId('CASE') }
      },
    ),
    tool<BankData, { account_id: string; tier: string }>(
      {
        name: 'card_issue',
        description: 'Issue a card for an account.',
        kind: 'update',
        inputSchema: record({ account_id: accountId, tier: choice('Kind of card.', tiers) }),
        outputSchema: record({ card_id: cardId, first_limit_cents: whole('Daily limit in cents.') }),
      },
      ({ accounts, cards }, { account_id, tier }, { newId }) => {
        the(accounts, 'account_id', account_id, 'account')
        const card_id = newId('CARD')
        const limit_cents = cardLimits[tier]!
        cards.push({ card_id, account_id, tier, limit_cents, is_frozen: false })
        return { card_id, first_limit_cents: limit_cents }
      },
    ),
    tool<BankData, { card_id: string; limit_cents: number }>(
      {
        name: 'card_set_limit',
        description: 'Set the daily limit of a card.',
        kind: 'update',
        inputSchema: record({
          card_id: cardId,
          limit_cents: whole('Daily limit in cents.', {
            minimum: 0,
            maximum: 1_000_000,
            examples: [30_000, 75_000, 150_000],
          }),
        }),
        outputSchema: record({ previous_limit_cents: whole('Daily limit until now, in cents.') }),
      },
      (database, { card_id, limit_cents }) => {
        const card = working(database, card_id)
        const previous_limit_cents = card.limit_cents
        if (previous_limit_cents === limit_cents) refuse(`The limit of ${card_id} is ${limit_cents} already.`)
        card.limit_cents = limit_cents
        return { previous_limit_cents }
      },
    ),
    tool<BankData, { card_id: string }>(
      {
        name: 'card_freeze',
        description: 'Freeze a card that is lost.',
        kind: 'update',
        after: ['card_set_limit'],
        inputSchema: record({ card_id: cardId }),
        outputSchema: record({ frozen_at: text('Time from which it cannot be used.') }),
      },
      (database, { card_id }, { now }) => {
        working(database, card_id).is_frozen = true
        return { frozen_at: now() }
      },
    ),
  ],
}
