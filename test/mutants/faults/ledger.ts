import type { Faults } from '../table.ts';

export const LEDGER: Faults = {
  'functions/domain/ledger/money.ts': [
    ['(2n * size + divisor) / (2n * divisor)', 'size / divisor', 'unit/domain/ledger/money'],
    ['(2n * size + divisor) / (2n * divisor)', '(2n * size + divisor - 1n) / (2n * divisor)', 'unit/domain/ledger/money'],
    ['return dividend < 0n ? -rounded : rounded;', 'return rounded;', 'unit/domain/ledger/money'],
    ['Math.round(rate * DECIMALS)', 'Math.floor(rate * DECIMALS)', 'unit/domain/ledger/money'],
    ['code.toLowerCase()', 'code', 'unit/domain/ledger/money'],
  ],
  'functions/domain/ledger/entry.ts': [
    ["kind === 'payment' && note === 'no_rate'", "note === 'no_rate'", 'api/tracking/ledger'],
    ['paidAt >= commissionEndDate', 'paidAt > commissionEndDate', 'unit/domain/ledger/payment'],
    ["if (state === 'rejected') return 'rejected';", '', 'unit/domain/ledger/payment'],
    ['commission: -amount', 'commission: amount', 'unit/domain/ledger/payment'],
  ],
  'functions/domain/ledger/payment.ts': [
    ['if (amount > payment.amount - payment.refunded)', 'if (amount > payment.amount)', 'unit/domain/ledger/payment'],
    ['commissionLeft(after) - commissionLeft(before)', '-commissionLeft(before)', 'unit/domain/ledger/payment'],
    ['return voided ? 0 : shareOf', 'return shareOf', 'unit/domain/ledger/payment'],
  ],
  'functions/domain/ledger/units.ts': [
    ['decimals + 1, ', 'decimals, ', 'unit/pages/format'],
  ],
  'functions/domain/ledger/sums.ts': [
    ["return { refunds: BigInt(amount ?? 0), commissions: BigInt(commission) };", "return { refunds: BigInt(amount ?? 0) };", 'table/ledger/sums-property'],
    ['monthOf(dayOf(entry.createdAt))', 'monthOf(dayOf(entry.occurredAt))', 'table/ledger/sums-property'],
    ['dayOf(paidAt)', 'dayOf(entry.createdAt)', 'table/ledger/sums-property'],
    ['KEPT_DAYS = 370', 'KEPT_DAYS = 363', 'table/ledger/sums'],
  ],
  'functions/domain/ledger/statement.ts': [
    ['each >= month', 'each > month', 'table/ledger/sums-property'],
    ['day < firstPending', 'day <= firstPending', 'table/ledger/sums-property'],
    ['!inMonth && opening === 0n', '!inMonth', 'table/ledger/sums-property'],
  ],
  'functions/table/ledger/sums.ts': [
    ['positionOf(item) < settled', 'true', 'table/ledger/sums'],
    ['SETTLED_AFTER = 60', 'SETTLED_AFTER = 10', 'table/ledger/sums'],
  ],
  'functions/table/ledger/payments.ts': [
    ['paidAt >= stateSetAt)', 'paidAt > stateSetAt)', 'table/ledger/payments'],
  ],
  'functions/table/ledger/settlements.ts': [
    ["`${name} = :seen`", "`${name} >= :seen`", 'table/ledger/claimed-entries'],
    ["`attribute_not_exists(${name})`", "'attribute_not_exists(none)'", 'table/ledger/claimed-entries'],
    [" && !failed.has('claim')", '', 'table/ledger/claimed-entries'],
  ],
  'functions/table/ledger/sums-item.ts': [
    ["return { ...noSums(), position: '', version };", "return { ...noSums(), position: required(item, 'position', text), version };", 'table/ledger/sums'],
  ],
  'functions/table/ledger/new-payment.ts': [
    ['links.length > (storedPayment(item) ? 0 : LINKS_AT_ONCE)', 'links.length > LINKS_AT_ONCE', 'table/ledger/stripe/many'],
    ['before.links.length > LINKS_AT_ONCE', 'false', 'table/ledger/stripe/many'],
    ['found.pays.includes(id) ? [found] : []', '[found.pays.includes(id) ? found : { ...found, pays: [...found.pays, id] }]', 'table/ledger/stripe/events'],
  ],
  'functions/table/ledger/stripe-payment.ts': [
    ['currency === before.currency ? gross : null', 'gross', 'table/ledger/stripe/events'],
  ],
  'functions/domain/ledger/stripe-reports.ts': [
    ['one.returned > other.returned', 'one.createdAt > other.createdAt', 'unit/domain/ledger/stripe-facts'],
    ['one.returned < other.returned', 'one.returned > other.returned', 'unit/domain/ledger/stripe-facts'],
    ['kind === fact.kind && id === fact.id', 'id === fact.id', 'unit/domain/ledger/stripe-facts'],
  ],
  'functions/domain/ledger/stripe-facts.ts': [
    ['charged || amount', 'amount', 'unit/domain/ledger/stripe-facts'],
    ['byCharges > before ? byCharges : before', 'byCharges', 'unit/domain/ledger/stripe-facts'],
    ['refunded < amount ? refunded : amount', 'refunded', 'unit/domain/ledger/stripe-facts'],
    ['roundedQuotient(returned, whole)', 'returned / whole', 'unit/domain/ledger/stripe-facts'],
  ],
  'functions/table/ledger/stripe-facts.ts': [
    ['!(waiting && isChanged(waiting))', 'true', 'table/ledger/stripe/events'],
    ['Math.max(MAX_FACTS, known.length)', 'Number.MAX_VALUE', 'table/ledger/stripe/many'],
    ['invoice.paidBy.length >= MAX_LINKS', 'invoice.paidBy.length > MAX_LINKS', 'table/ledger/stripe/many'],
    ['paidBy.includes(after.id) ? before.facts.length : 0', '0', 'table/ledger/stripe/many'],
  ],
  'functions/table/operator/ledger-claims.ts': [
    ['stored === computed ||', 'stored !== null ||', 'command-line/table/ledger'],
  ],
  'functions/table/operator/payment-import.ts': [
    ['groups, { retries: false })', 'groups)', 'command-line/table/ledger'],
  ],
};
