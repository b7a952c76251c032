import type { Item } from '../../kernel/dynamodb/item.ts';
import { entryClaimKey, type Key, paymentKey, referralKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { AmbiguousCustomer, ReferralNotFound } from '../../kernel/errors.ts';
import { timeOfUuidv7, uuidv7 } from '../../kernel/ids.ts';
import { type BulkStore, bulkTransact, type Group, nameOf, readAll } from '../../kernel/operator/bulk-writes.ts';
import { milliseconds, secondOf } from '../../kernel/time.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { referenceKeys, referredId } from '../../referrals/table/customers.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import type { RulesSeen } from '../rules/entry.ts';
import { ENTRY_LIMIT, type Ledger, parseEntry, writingAt } from '../table/entries.ts';
import { claimedKey } from '../table/entry-claims.ts';
import { storedPayment } from '../table/payment-item.ts';
import { readRulesSeen } from '../table/rules-seen.ts';
import { isEmpty, parseWaiting } from '../table/waiting.ts';
import {
  type ImportedPayment,
  importedRefundId,
  importedSettlementId,
  planPayment,
  type StoredPayment,
  type Verdict,
  type Writings,
} from './payment-plan.ts';

/** The result of storing a payment. `created`: something of it was new. */
export type PaymentOutcome = 'created' | 'unknown customer' | 'ambiguous customer' | Verdict;

type Found = ReadonlyMap<string, Item>;

/**
 * Returns the store of entries. A write sends nothing after its deadline, because its entries have the time of its start.
 * For the same reason, nothing but the SDK retries it.
 */
export function entryStoreOf(table: Table): BulkStore {
  return {
    write: (groups) => bulkTransact(table.forOneOperation(ENTRY_LIMIT), groups, { retries: false }),
    read: (keys) => batchGet(table, keys),
  };
}

/**
 * Stores many payments with their refunds and settlements, each payment in one transaction, and returns the result for
 * each. No state changes. Throws `Unavailable`; then only some payments are stored, and the import can safely be
 * repeated. With a `DryRunStore` as `store`, nothing is written.
 */
export async function storePayments(
  table: Table,
  ledger: Ledger,
  payments: readonly ImportedPayment[],
  store: BulkStore,
): Promise<PaymentOutcome[]> {
  const results: PaymentOutcome[] = [];
  const lines: Line[] = payments.map((payment, index) => ({ payment, index }));
  // Lines of the same payment are stored in their order.
  const turns = [...Map.groupBy(lines, ({ payment }) => payment.paymentId).values()];
  const last = Math.max(0, ...turns.map(({ length }) => length));
  for (let turn = 0; turn < last; turn += 1) {
    let left = turns.flatMap((ofPayment) => ofPayment[turn] ?? []);
    while (left.length > 0) left = await storeTurn(left);
  }
  return results;

  /** Stores lines of different payments. Returns the lines whose commissions depend on these payments. */
  function storeTurn(all: readonly Line[]): Promise<Line[]> {
    let pending = all;
    return retryOnConflict<Line[]>(table, async () => {
      const payments = pending.map(({ payment }) => payment);
      const plan = await readPlans(table, ledger, payments, store);
      const { now, later } = inTurn(pending.map((line) => ({ line, ...plan(line.payment) })));
      const failed = await store.write(now.flatMap(({ planned }) => (typeof planned === 'string' ? [] : [planned])));
      for (const { line, planned } of now) results[line.index] = typeof planned === 'string' ? planned : 'created';
      const written = now.filter(({ planned }) => typeof planned !== 'string');
      // Another write came first.
      const conflicting = written.flatMap(({ line }, index) => (failed[index]?.size ? [line] : []));
      if (conflicting.length === 0) return { result: later };
      // In their order again: a line for later may depend on one that failed.
      pending = [...conflicting, ...later];
      return { conflict: undefined };
    });
  }
}

/** A payment of a file, and its position. */
interface Line {
  readonly payment: ImportedPayment;
  readonly index: number;
}

/** Separates the lines to store now from lines that must wait for an earlier payment of the same referral. */
function inTurn(lines: readonly (Planned & { readonly line: Line })[]) {
  const counted = new Set<string>();
  const now: (typeof lines)[number][] = [];
  const later: Line[] = [];
  for (const each of lines) {
    const { line, countedReferral: id } = each;
    if (id !== null && counted.has(id)) later.push(line);
    else now.push(each);
    if (id !== null) counted.add(id);
  }
  return { now, later };
}

/**
 * Reads what is stored of payments, with two requests, and one more for each referral whose rules ask for numbers. Returns
 * the function that plans the writes of one of them.
 */
async function readPlans(table: Table, ledger: Ledger, payments: readonly ImportedPayment[], store: BulkStore) {
  const { program } = ledger;
  const keysOf = (payment: ImportedPayment) => ({
    payment: paymentKey(program, payment.paymentId),
    refund: entryClaimKey(program, 'refund', importedRefundId(payment)),
    settlement: entryClaimKey(program, 'settlement', importedSettlementId(payment)),
  });
  const named = await readAll(
    store,
    payments.flatMap((payment) => [...Object.values(keysOf(payment)), ...referenceKeys(program, payment.reference)]),
  );
  const itemAt = (found: Found, key: Key | undefined) => key && found.get(nameOf(key));
  const pointers = (payment: ImportedPayment) => {
    const customer = customerOf(program, payment, named);
    const claim = itemAt(named, keysOf(payment).settlement);
    return {
      customer,
      referral: 'id' in customer ? referralKey(program, customer.id) : undefined,
      settlement: claim && claimedKey(program, claim),
    };
  };
  const followed = await readAll(
    store,
    payments.flatMap((payment) => {
      const { referral, settlement } = pointers(payment);
      return [referral, settlement].filter((key) => key !== undefined);
    }),
  );
  const referrals = new Map(
    payments.flatMap((payment) => {
      const item = itemAt(followed, pointers(payment).referral);
      const referral = item && parseReferral(item);
      return referral ? [[referral.id, referral] as const] : [];
    }),
  );
  const seen = await readEachSeen(table, program, [...referrals.values()]);
  return (payment: ImportedPayment): Planned => {
    const { customer, ...keys } = pointers(payment);
    if ('problem' in customer) return { planned: customer.problem, countedReferral: null };
    const referral = referrals.get(customer.id);
    if (!referral) return { planned: 'unknown customer', countedReferral: null };
    const { payment: paymentKey, refund } = keysOf(payment);
    const item = itemAt(named, paymentKey);
    const paid = storedPayment(item);
    const waiting = paid ? undefined : parseWaiting(payment.paymentId, item, secondOf(table.clock()));
    const settlement = itemAt(followed, keys.settlement);
    const stored = {
      referral,
      seen: seen.get(referral.id) ?? null,
      payment: paid,
      version: (paid ?? waiting)?.version ?? 0,
      isAtStripe: waiting ? !isEmpty(waiting) : paid?.reports !== null,
      isRefundKnown: itemAt(named, refund) !== undefined,
      settlement: settlement && parseEntry(settlement),
    };
    return {
      planned: planPayment(program, payment, stored, writingsAt(table, ledger)),
      countedReferral: isCounted(stored) ? referral.id : null,
    };
  };
}

/** What an import does with a payment. */
interface Planned {
  /** The writes, or the reason for none. */
  readonly planned: Group<string> | PaymentOutcome;
  /** The referral whose payments the commission depends on; `null` if it depends on none. */
  readonly countedReferral: string | null;
}

const isCounted = ({ payment, seen }: Pick<StoredPayment, 'payment' | 'seen'>): boolean =>
  payment === undefined && seen !== null && seen.earlier !== null;

async function readEachSeen(
  table: Table,
  program: string,
  referrals: readonly Referral[],
): Promise<ReadonlyMap<string, RulesSeen>> {
  const read = referrals.map(async (referral) => {
    const seen = await readRulesSeen(table, program, referral);
    return seen ? [[referral.id, seen] as const] : [];
  });
  return new Map((await Promise.all(read)).flat());
}

/** Finds the id of the referral of a payment. */
function customerOf(program: string, { reference }: ImportedPayment, named: Found) {
  try {
    return { id: referredId(referenceKeys(program, reference).map((key) => named.get(nameOf(key)))) };
  } catch (error) {
    if (error instanceof ReferralNotFound) return { problem: 'unknown customer' } as const;
    if (error instanceof AmbiguousCustomer) return { problem: 'ambiguous customer' } as const;
    throw error;
  }
}

/** Entries of the same second sort by the time in their ids: a payment precedes its refund. */
function writingsAt(table: Table, ledger: Ledger): Writings {
  const payment = writingAt(table, ledger);
  const later = (by: number) => uuidv7(milliseconds(timeOfUuidv7(payment.id) + by), table.random);
  return { payment, refund: { ...payment, id: later(1) }, settlement: { ...payment, id: later(2) } };
}
