import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Referral, STATES, type State } from '../domain/referral.ts';
import type { Milliseconds } from '../domain/time.ts';
import { type Item, number, optional, required, text, wholeSeconds, withoutNulls } from './item.ts';
import {
  advocateReferrals,
  advocateState,
  advocateSubId,
  customerKey,
  emailKey,
  type Key,
  lastPart,
  referralKey,
  sortKey,
} from './keys.ts';
import { PARTITION_KEY } from './schema.ts';
import type { Table } from './table.ts';
import { ABSENT, type Condition, type NamedWrite, putWrite, transact } from './transaction.ts';

/** A referral as a row of an index has it: what the advocate's list answers. */
export type ListedReferral = Omit<Referral, 'advocateSlug' | 'customerUid' | 'expiresAt'>;

/**
 * Stores a referral that came about elsewhere, in whatever state it is. Returns false, and writes nothing, where its id,
 * its customer's e-mail or uid is taken.
 */
export async function storeReferral(
  table: Table,
  program: string,
  referral: Referral,
  deadline: Milliseconds,
): Promise<boolean> {
  const refusals = await transact(table, referralWrites(table.name, program, referral, ABSENT), deadline);
  return refusals.size === 0;
}

/**
 * Records a click: one conditional put, for clicks outnumber conversions by far. Returns false, and writes nothing,
 * where the click's id is taken; it may be by this very click, where the SDK repeats a put whose answer was lost.
 */
export async function recordClick(
  table: Table,
  program: string,
  click: Referral,
  deadline: Milliseconds,
): Promise<boolean> {
  const command = new PutCommand({
    TableName: table.name,
    Item: referralItem(program, click),
    ...ABSENT,
  });
  try {
    await table.ask(deadline, (within) => table.client.send(command, within));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}

/** Names of the writes that store a referral: the referral itself, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/** The condition of a row that becomes a referral: it is a click, and nobody has converted it yet. */
export const STILL_A_CLICK: Condition = {
  ConditionExpression: '#state = :clicked',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':clicked': 'clicked' satisfies State },
};

/**
 * The writes that store a referral together: its row, under a condition, and the claims of its customer's e-mail and
 * uid, which no other referral may have.
 */
export function referralWrites(
  tableName: string,
  program: string,
  referral: Referral,
  condition: Condition,
): NamedWrite<ReferralWriteName>[] {
  const keys: Key[] = [];
  if (referral.email !== null) keys.push(emailKey(program, referral.email));
  if (referral.customerUid !== null) keys.push(customerKey(program, referral.customerUid));
  const claims = keys.map((key) =>
    putWrite(tableName, 'customer', { ...key, referral: referral.id }, ABSENT),
  );
  return [...claims, putWrite(tableName, 'referral', referralItem(program, referral), condition)];
}

/**
 * The whole item of a referral. The keys of the indexes follow from its values: a click is in `by_state`, and in
 * `by_sub_id` where it has a sub id, but in no other.
 */
function referralItem(program: string, referral: Referral): Item {
  const { id, advocateSlug, state, subId } = referral;
  const clicked = state === 'clicked';
  return {
    ...referralKey(program, id),
    ...withoutNulls({
      owner: clicked ? null : advocateReferrals(program, advocateSlug),
      owner_state: advocateState(program, advocateSlug, state),
      owner_sub_id: subId === null ? null : advocateSubId(program, advocateSlug, clicked, subId),
      created: sortKey(referral.createdAt, id),
      state_set: clicked ? null : sortKey(referral.stateSetAt, id),
      advocate: advocateSlug,
      email: referral.email,
      customer_uid: referral.customerUid,
      state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      sub_id: subId,
      rate: referral.commissionPercentage,
      rate_ends: referral.commissionEndDate,
      expires_at: referral.expiresAt,
    }),
  };
}

/** Parses a referral from its own item. */
export function referralOf(item: Item): Referral {
  return {
    ...listedReferralOf(item),
    advocateSlug: required(item, 'advocate', text),
    customerUid: optional(item, 'customer_uid', text),
    expiresAt: optional(item, 'expires_at', wholeSeconds),
  };
}

/** Parses a referral from a row of an index. */
export function listedReferralOf(item: Item): ListedReferral {
  return {
    id: lastPart(required(item, PARTITION_KEY, text)),
    email: optional(item, 'email', text),
    state: required(item, 'state', stateName),
    stateSetAt: required(item, 'state_set_at', wholeSeconds),
    createdAt: required(item, 'created_at', wholeSeconds),
    updatedAt: required(item, 'updated_at', wholeSeconds),
    subId: optional(item, 'sub_id', text),
    commissionPercentage: optional(item, 'rate', number),
    commissionEndDate: optional(item, 'rate_ends', wholeSeconds),
  };
}

function stateName(value: unknown): State | undefined {
  return STATES.find((state) => state === value);
}
