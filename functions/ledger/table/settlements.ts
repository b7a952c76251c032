import { payoutVersionOf } from '../../kernel/accounts/rules/payout-account.ts';
import { incrementWrite, type LabelledIncrement } from '../../kernel/dynamodb/increments.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { settlementCountKey } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import {
  type Condition,
  type FailedConditions,
  type LabelledWrite,
  updateWrite,
} from '../../kernel/dynamodb/writes.ts';
import { number } from '../../kernel/fields/parsers.ts';
import { type Settlement, settlementEntry } from '../rules/entry.ts';
import { BalanceChanged } from '../rules/errors.ts';
import type { Ledger, Recorded } from './entries.ts';
import { recordClaimed } from './entry-claims.ts';

/** A settlement, and the balance that it comes from. */
export interface SettlementRequest extends Settlement {
  /** How many settlements in its currency the balance includes; absent if the settlement is written over any others. */
  readonly settlementCount?: number | undefined;
}

/**
 * Records what the merchant paid to an advocate, with one read and one transaction. Returns the first entry if it is
 * repeated. Throws `InvalidAffiliate`, `EntryExists` or `BalanceChanged`; then nothing is written.
 */
export function recordSettlement(table: Table, ledger: Ledger, settlement: SettlementRequest): Promise<Recorded> {
  const { slug, settlementId, amount, currency, reference, settledAt } = settlement;
  return recordClaimed(table, ledger, {
    kind: 'settlement',
    id: settlementId,
    slug,
    build: (writing, advocate) => settlementEntry(settlement, writing, payoutVersionOf(advocate)),
    isSame: (entry) =>
      entry.commission === -amount &&
      entry.currency === currency &&
      (reference === null || entry.reference === reference) &&
      (settledAt === null || entry.occurredAt === settledAt),
    also: [countedWrite(ledger.program, settlement)],
    refuse,
  });
}

/** A failed claim comes first: the settlement may be its own repetition. */
function refuse(failed: FailedConditions<string>): void {
  if (failed.has('count') && !failed.has('claim')) throw new BalanceChanged();
}

function countedWrite(program: string, { slug, currency, settlementCount }: SettlementRequest): LabelledWrite<'count'> {
  if (settlementCount === undefined) return settlementCountWrite(program, slug, currency);
  const name = attributeOf(currency);
  const change = { UpdateExpression: `ADD ${name} :one`, ExpressionAttributeValues: { ':one': 1 } };
  const isSame: Condition =
    settlementCount === 0
      ? { ConditionExpression: `attribute_not_exists(${name})` }
      : { ConditionExpression: `${name} = :seen`, ExpressionAttributeValues: { ':seen': settlementCount } };
  return updateWrite('count', settlementCountKey(program, slug), change, isSame);
}

/** Counts a settlement, in the transaction that writes it. */
export const settlementCountWrite = (program: string, slug: string, currency: string): LabelledIncrement<'count'> =>
  incrementWrite('count', settlementCountKey(program, slug), { [attributeOf(currency)]: 1 });

/** Parses the numbers of settlements of an advocate, by currency. */
export function parseSettlementCounts(item: Item = {}): Map<string, number> {
  const names = Object.keys(item).filter((name) => name.startsWith(COUNT));
  return new Map(names.map((name) => [name.slice(COUNT.length), required(item, name, number)]));
}

// Some codes of currencies, such as "all" and "top", are reserved words in expressions.
const COUNT = 'count_';
const attributeOf = (currency: string): string => COUNT + currency;
