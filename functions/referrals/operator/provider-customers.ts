import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Key, referralKey, stripeCustomerKey } from '../../kernel/dynamodb/keys.ts';
import { retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { putWrite } from '../../kernel/dynamodb/writes.ts';
import { type BulkStore, type Group, nameOf, readAll } from '../../kernel/operator/bulk-writes.ts';
import { addProviderCustomer } from '../rules/provider-changes.ts';
import { MAX_CUSTOMERS } from '../rules/provider-state.ts';
import { isErased, type Referral } from '../rules/referral.ts';
import { claimedId } from '../table/customers.ts';
import { parseReferral, toReferralItem } from '../table/referral-item.ts';

/** A customer at Stripe in a line of a file. */
export interface NewProviderCustomer {
  readonly line: number;
  /** The id of the stored referral that the line is about. */
  readonly referral: string;
  /** The name of the claim. */
  readonly name: string;
}

/** Why a customer is not added: it belongs to another referral, or the referral has the maximum number of customers. */
export type RefusedCustomer = 'taken' | 'full';

/**
 * Adds customers at Stripe to stored referrals, as events do, but not to erased ones. Returns the lines whose customer
 * is not added, and why. Unlike an event, an import drops no older customer to make room, so that a second run changes
 * nothing. Throws `Unavailable`.
 */
export function addProviderCustomers(
  table: Table,
  store: BulkStore,
  program: string,
  customers: readonly NewProviderCustomer[],
): Promise<ReadonlyMap<number, RefusedCustomer>> {
  const failures = new Map<number, RefusedCustomer>();
  let pending = [...Map.groupBy(customers, ({ referral }) => referral)];
  return retryOnConflict(table, async () => {
    const items = await readAll(store, [
      ...pending.map(([id]) => referralKey(program, id)),
      ...pending.flatMap(([, lines]) => lines.map(({ name }) => stripeCustomerKey(program, name))),
    ]);
    const itemAt = (key: Key) => items.get(nameOf(key));
    const changes = pending.flatMap((entry) => {
      const [id, lines] = entry;
      const item = itemAt(referralKey(program, id));
      const before = item && parseReferral(item);
      if (!before || isErased(before)) return [];
      const claims = lines.map(({ name }) => itemAt(stripeCustomerKey(program, name)));
      const names = namesToAdd(
        before,
        lines,
        claims.map((claim) => claim && claimedId(claim)),
        failures,
      );
      return names.length > 0 ? [{ entry, writes: writesOf(program, before, names) }] : [];
    });
    const failed = await store.write(changes.map(({ writes }) => writes));
    // Another write came first: of the referral, or of a claim.
    pending = changes.flatMap(({ entry }, index) => (failed[index]?.size ? [entry] : []));
    return pending.length === 0 ? { result: failures } : { conflict: undefined };
  });
}

/**
 * Returns the names to add to a referral. `owners` are the ids of the referrals that have claimed them. Adds the other
 * lines to `failures`.
 */
function namesToAdd(
  { id, provider }: Referral,
  lines: readonly NewProviderCustomer[],
  owners: readonly (string | undefined)[],
  failures: Map<number, RefusedCustomer>,
): readonly string[] {
  const names = new Set<string>();
  const room = MAX_CUSTOMERS - (provider?.customers.length ?? 0);
  for (const [index, { line, name }] of lines.entries()) {
    const owner = owners[index];
    failures.delete(line);
    if (owner !== undefined && owner !== id) failures.set(line, 'taken');
    else if (owner === undefined && names.size >= room && !names.has(name)) failures.set(line, 'full');
    else if (owner === undefined) names.add(name);
  }
  return [...names];
}

/** Builds the writes that add customers to a referral. */
function writesOf(program: string, before: Referral, names: readonly string[]): Group<'referral' | 'claim'> {
  const after = names.reduce((referral, name) => addProviderCustomer(referral, name), before);
  return [
    putWrite('referral', toReferralItem(program, after), unchangedSince(before)),
    ...names.map((name) => putWrite('claim', { ...stripeCustomerKey(program, name), referral: before.id }, NOT_EXISTS)),
  ];
}
