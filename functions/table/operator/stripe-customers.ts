import { MAX_CUSTOMERS, rememberCustomer } from '../../domain/referral/payment.ts';
import { isErased, type Referral } from '../../domain/referral/referral.ts';
import { NOT_EXISTS } from '../dynamodb/conditions.ts';
import type { Item } from '../dynamodb/item.ts';
import type { Table } from '../dynamodb/table.ts';
import { putWrite } from '../dynamodb/writes.ts';
import { type Key, referralKey, stripeCustomerKey } from '../keys.ts';
import { claimedId } from '../referrals/customers.ts';
import { referralItem, referralOf } from '../referrals/referral-item.ts';
import { unchangedSince } from '../referrals/referrals.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { BulkStore, Group } from './bulk-writes.ts';

/** A customer at Stripe in a line of a file. */
export interface NewStripeCustomer {
  readonly line: number;
  /** The id of the stored referral that the line is about. */
  readonly referral: string;
  /** The name of the claim. */
  readonly name: string;
}

/** Maximum pause in milliseconds before referrals are read again that another write changed. */
const LONGEST_PAUSE = 100;

/**
 * Lets stored referrals remember customers at Stripe, as they do after an event. Returns the lines whose customer belongs
 * to another referral. Erased referrals, and those that remember as many customers as they can, stay as they are: unlike
 * an event, an import forgets no older customer, so that a second run of a file changes nothing.
 */
export async function rememberStripeCustomers(
  table: Table,
  store: BulkStore,
  program: string,
  customers: readonly NewStripeCustomer[],
): Promise<ReadonlySet<number>> {
  const taken = new Set<number>();
  let pending: readonly (readonly [string, readonly NewStripeCustomer[]])[] = [
    ...Map.groupBy(customers, ({ referral }) => referral),
  ];
  for (let rounds = 0; pending.length > 0; rounds += 1) {
    if (rounds > 0) await table.backOff(LONGEST_PAUSE);
    const items = await readAll(store, [
      ...pending.map(([id]) => referralKey(program, id)),
      ...customers.map(({ name }) => stripeCustomerKey(program, name)),
    ]);
    const claimedBy = (name: string) => {
      const claim = items.get(stripeCustomerKey(program, name)[PARTITION_KEY]);
      return claim && claimedId(claim);
    };
    const changes = pending.flatMap((entry) => {
      const [id, lines] = entry;
      for (const { line, name } of lines) if ((claimedBy(name) ?? id) !== id) taken.add(line);
      const item = items.get(referralKey(program, id)[PARTITION_KEY]);
      const names = lines.map(({ name }) => name).filter((name) => claimedBy(name) === undefined);
      const writes = item ? writesOf(program, referralOf(item), new Set(names)) : [];
      return writes.length > 0 ? [{ entry, writes }] : [];
    });
    const failed = await store.write(changes.map(({ writes }) => writes));
    // Another write came first: of the referral, or of a claim.
    pending = changes.flatMap(({ entry }, index) => (failed[index]?.size ? [entry] : []));
  }
  return taken;
}

/** Builds the writes by which a referral remembers new customers; none if it cannot. */
function writesOf(program: string, before: Referral, names: ReadonlySet<string>): Group<'referral' | 'claim'> {
  const room = isErased(before) ? 0 : MAX_CUSTOMERS - (before.payments?.customers.length ?? 0);
  const remembered = [...names].slice(0, Math.max(room, 0));
  if (remembered.length === 0) return [];
  const after = remembered.reduce((referral, name) => rememberCustomer(referral, name), before);
  return [
    putWrite('referral', referralItem(program, after), unchangedSince(before)),
    ...remembered.map((name) =>
      putWrite('claim', { ...stripeCustomerKey(program, name), referral: before.id }, NOT_EXISTS),
    ),
  ];
}

/** Reads items by their partition keys, each once. */
async function readAll(store: BulkStore, keys: readonly Key[]): Promise<ReadonlyMap<string, Item>> {
  const unique = [...new Map(keys.map((key) => [key[PARTITION_KEY], key])).values()];
  const items = await store.read(unique);
  return new Map(
    unique.flatMap((key, index) => {
      const item = items[index];
      return item ? [[key[PARTITION_KEY], item] as const] : [];
    }),
  );
}
