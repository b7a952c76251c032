import { notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { deleteAnyway } from '../../kernel/dynamodb/delete-items.ts';
import { idempotencyRecordKey, moneyKey, referralKey, stripeCustomerKey } from '../../kernel/dynamodb/keys.ts';
import { retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { deleteWrite, transact } from '../../kernel/dynamodb/writes.ts';
import { claimKeys, findReferral } from '../table/customers.ts';

/** Referrals that are deleted at the same time. */
const AT_ONCE = 25;

/** Deletes referrals. Returns how many of them existed. */
export async function deleteReferrals(table: Table, program: string, ids: readonly string[]): Promise<number> {
  let deleted = 0;
  for (let first = 0; first < ids.length; first += AT_ONCE) {
    const some = ids.slice(first, first + AT_ONCE);
    const existed = await Promise.all(some.map((id) => deleteReferral(table, program, id)));
    deleted += existed.filter(Boolean).length;
  }
  return deleted;
}

/** Deletes a referral with its claims and its idempotency record, as it is at that moment. False if it does not exist. */
function deleteReferral(table: Table, program: string, id: string): Promise<boolean> {
  return retryOnConflict<boolean>(table, async () => {
    const referral = await findReferral(table, program, id);
    if (!referral) return { result: false };
    const { email, customerUid: uid, provider, idempotencyRecord: record } = referral;
    const claims = [
      ...claimKeys(program, { email, uid }),
      ...(provider?.customers ?? []).map((name) => stripeCustomerKey(program, name)),
    ];
    const failed = await transact(table, [
      ...claims.map((key) => deleteWrite('claim', key, notExistsOrSame('referral', id))),
      // It may belong to a later request that used the key after it expired: its referral is deleted as well.
      ...(record === null ? [] : [deleteAnyway(idempotencyRecordKey(program, record))]),
      deleteAnyway(moneyKey(program, id)),
      deleteWrite('referral', referralKey(program, id), unchangedSince(referral)),
    ]);
    return failed.size === 0 ? { result: true } : { conflict: undefined };
  });
}
