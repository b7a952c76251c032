import { expect } from '@jest/globals';
import type { Program } from '../../functions/domain/program.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import type { Item } from '../../functions/table/item.ts';
import { customerKey, emailKey, type Key } from '../../functions/table/keys.ts';
import { referralOf } from '../../functions/table/referrals.ts';

/**
 * Expects that nothing of a program is half-written: every referral has exactly the claims of its e-mail and uid, there
 * is no other claim, and every record of an answer names a referral that is there. Returns the program's referrals.
 */
export function expectWhole(items: readonly Item[], program: Program): Referral[] {
  const all = items.filter(({ pk }) => String(pk).startsWith(`PROGRAM#${program.id}#`));
  const referrals = all.filter(({ sk }) => sk === 'REFERRAL').map(referralOf);
  const claim = (key: Key, { id }: Referral) => ({ ...key, referral: id });
  const claims = referrals.flatMap((referral) => [
    ...(referral.email === null ? [] : [claim(emailKey(program.id, referral.email), referral)]),
    ...(referral.customerUid === null
      ? []
      : [claim(customerKey(program.id, referral.customerUid), referral)]),
  ]);
  const found = all.filter(({ pk }) => /#(?:EMAIL|CUSTOMER)#/.test(String(pk)));
  expect(byKey(found)).toEqual(byKey(claims));
  const ids = new Set(referrals.map(({ id }) => id));
  for (const record of all.filter(({ sk }) => sk === 'IDEMPOTENCY'))
    expect(ids).toContain(record['referral']);
  for (const referral of referrals) {
    const { state, createdAt, stateSetAt, updatedAt, expiresAt } = referral;
    expect(createdAt <= stateSetAt && stateSetAt <= updatedAt).toBe(true);
    expect(expiresAt === null).toBe(state !== 'clicked');
  }
  return referrals;
}

const byKey = (items: readonly Item[]) =>
  [...items].sort((one, other) => (String(one['pk']) < String(other['pk']) ? -1 : 1));
