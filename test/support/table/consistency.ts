import { expect } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { parseAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import {
  advocateUidKey,
  customerKey,
  emailKey,
  type Key,
  stripeCustomerKey,
} from '../../../functions/kernel/dynamodb/keys.ts';
import type { HistoryEntry } from '../../../functions/referrals/rules/history.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { parseReferral } from '../../../functions/referrals/table/referral-item.ts';

/**
 * Expects a program's items to be consistent:
 * 1. its referrals and advocates have all claims of emails, uids and customers at Stripe, and there are no others;
 * 2. every idempotency record points to an existing referral, or belongs to an event and holds nothing else;
 * 3. every referral matches its history.
 * Returns the program's referrals.
 */
export function expectConsistent(items: readonly Item[], program: Program): Referral[] {
  const all = items.filter(({ pk }) => String(pk).startsWith(`PROGRAM#${program.id}#`));
  expectConsistentAdvocates(all, program);
  const referrals = all.filter(({ sk }) => sk === 'REFERRAL').map(parseReferral);
  const claim = (key: Key, { id }: Referral) => ({ ...key, referral: id });
  const claims = referrals.flatMap((referral) => [
    ...(referral.email === null ? [] : [claim(emailKey(program.id, referral.email), referral)]),
    ...(referral.customerUid === null ? [] : [claim(customerKey(program.id, referral.customerUid), referral)]),
    ...(referral.provider?.customers ?? []).map((name) => claim(stripeCustomerKey(program.id, name), referral)),
  ]);
  const storedClaims = all.filter(({ pk }) => /#(?:EMAIL|CUSTOMER|STRIPE_CUSTOMER)#/.test(String(pk)));
  expect(byKey(storedClaims)).toEqual(byKey(claims));
  const ids = new Set(referrals.map(({ id }) => id));
  for (const { pk, sk, expires_at, ...record } of all) {
    if (sk !== 'IDEMPOTENCY') continue;
    if (Object.keys(record).length > 0) expect(ids).toContain(record['referral']);
  }
  for (const referral of referrals) {
    expectConsistentReferral(referral);
    const { idempotencyRecord, convertedAt } = referral;
    // The record may be gone: after it expired, its key may have been reused for a customer who was then erased.
    if (idempotencyRecord !== null) expect(convertedAt).not.toBeNull();
  }
  return referrals;
}

/** Expects the claims of uids to have exactly the values of the program's advocates. Returns the advocates. */
export function expectConsistentAdvocates(items: readonly Item[], program: Program): Advocate[] {
  const advocates = items.filter(({ sk }) => sk === 'ADVOCATE').map(parseAdvocate);
  const claims = advocates.flatMap(({ uid, slug, email, active, commissionPercentage: rate }) =>
    uid === null
      ? []
      : [{ ...advocateUidKey(program.id, uid), slug, email, uid, active, ...(rate !== null && { rate }) }],
  );
  expect(byKey(items.filter(({ pk }) => /#ADVOCATE_UID#/.test(String(pk))))).toEqual(byKey(claims));
  return advocates;
}

/** Expects a referral's timestamps to be in order and its history to match its state. */
function expectConsistentReferral(referral: Referral): void {
  const { advocateSlug, state, createdAt, stateSetAt, updatedAt, convertedAt, expiresAt } = referral;
  const { history, version, provider } = referral;
  expect(createdAt <= stateSetAt && stateSetAt <= updatedAt).toBe(true);
  const changes = history.filter((entry) => entry.type === 'state');
  expect(changes.at(-1)).toMatchObject({ state, setAt: stateSetAt });
  expect(history.at(-1)?.setAt).toBe(updatedAt);
  expect(version - (provider?.silentWrites ?? 0)).toBe(history.length);
  const moves = history.filter((entry) => entry.type === 'reassignment');
  for (const [index, { from }] of moves.entries()) if (index > 0) expect(from).toBe(moves[index - 1]?.to);
  expect(advocateSlug).toBe(moves.at(-1)?.to ?? advocateSlug);
  if (convertedAt === null) expect(moves).toEqual([]);
  const conversion = changes.find((entry) => entry.state === 'converted');
  expect(convertedAt).toBe(conversion?.setAt ?? null);
  // A rejected click still expires; a converted referral never does.
  expect(expiresAt === null).toBe(convertedAt !== null);
}

const byKey = (items: readonly Item[]) =>
  [...items].sort((one, other) => (String(one['pk']) < String(other['pk']) ? -1 : 1));

/** The states in a referral's history, oldest first. */
export function statesIn(history: readonly HistoryEntry[] = []): State[] {
  return history.flatMap((entry) => (entry.type === 'state' ? [entry.state] : []));
}
