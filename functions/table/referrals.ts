import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { InvalidField, ReferralNotFound } from '../domain/errors.ts';
import type { Customer, Referral } from '../domain/referral.ts';
import type { Milliseconds } from '../domain/time.ts';
import { batchGet } from './batch.ts';
import { type Condition, NOT_EXISTS } from './conditions.ts';
import { required, text } from './item.ts';
import { customerKey, emailKey, type Key, referralKey } from './keys.ts';
import { referralItem, referralOf } from './referral-item.ts';
import type { Table } from './table.ts';
import { type LabelledWrite, putWrite } from './transaction.ts';

/** Names of the writes that store a referral: the referral itself, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/**
 * The writes that store a referral together: its row, under a condition, and the claims of its customer's e-mail and
 * uid, which no other referral may have.
 */
export function referralWrites(
  tableName: string,
  program: string,
  referral: Referral,
  condition: Condition,
): LabelledWrite<ReferralWriteName>[] {
  const claims = claimKeys(program, { email: referral.email, uid: referral.customerUid }).map((key) =>
    putWrite(tableName, 'customer', { ...key, referral: referral.id }, NOT_EXISTS),
  );
  return [...claims, putWrite(tableName, 'referral', referralItem(program, referral), condition)];
}

/** Keys of the claims of a customer's e-mail and uid, in this order. */
export function claimKeys(program: string, { email, uid }: Customer): Key[] {
  return [...(email === null ? [] : [emailKey(program, email)]), ...(uid === null ? [] : [customerKey(program, uid)])];
}

/** The referral with this id, or `undefined` where there is none. */
export async function findReferral(
  table: Table,
  program: string,
  id: string,
  deadline: Milliseconds,
): Promise<Referral | undefined> {
  const command = new GetCommand({
    TableName: table.name,
    Key: referralKey(program, id),
    ConsistentRead: true,
  });
  const { Item } = await table.ask(deadline, (within) => table.client.send(command, within));
  return Item && referralOf(Item);
}

/**
 * The id of the referral of a customer. Throws `ReferralNotFound`, or `InvalidField` where e-mail and uid are not those
 * of one referral.
 */
export async function findReferralId(
  table: Table,
  program: string,
  customer: Customer,
  deadline: Milliseconds,
): Promise<string> {
  const claims = await batchGet(table, claimKeys(program, customer), deadline);
  const ids = new Set(claims.map((claim) => claim && required(claim, 'referral', text)));
  if (ids.size > 1) throw new InvalidField('email and uid', 'must be those of one referral');
  const [id] = ids;
  if (id === undefined) throw new ReferralNotFound();
  return id;
}
