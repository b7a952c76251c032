import { isDeepStrictEqual } from 'node:util';
import { AmbiguousCustomer, ReferralNotFound } from '../domain/errors.ts';
import { type Customer, erasePerson, type Referral, setState } from '../domain/referral.ts';
import type { Actor, State } from '../domain/state.ts';
import { secondOf } from '../domain/time.ts';
import { NOT_EXISTS, notExistsOrSame, transitionCondition } from './conditions.ts';
import { type Item, required, text } from './item.ts';
import { customerKey, emailKey, idempotencyRecordKey, type Key, referralKey } from './keys.ts';
import { referralItem, referralOf } from './referral-item.ts';
import { batchGet, get, retryOnConflict, type Table } from './table.ts';
import {
  type Condition,
  deleteWrite,
  type LabelledPut,
  type LabelledWrite,
  put,
  putWrite,
  transact,
} from './writes.ts';

/** Names of the writes that store a referral: its item, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/** Builds the writes that store a referral: its item, under a condition, and the claims of its email and uid. */
export function referralWrites(
  program: string,
  referral: Referral,
  condition: Condition,
): LabelledPut<ReferralWriteName>[] {
  const claims = claimKeys(program, { email: referral.email, uid: referral.customerUid }).map((key) =>
    putWrite('customer', { ...key, referral: referral.id }, NOT_EXISTS),
  );
  return [...claims, putWrite('referral', referralItem(program, referral), condition)];
}

/** Returns the keys of the claims of a customer's email and uid, in this order. */
export function claimKeys(program: string, { email, uid }: Customer): Key[] {
  return [...(email === null ? [] : [emailKey(program, email)]), ...(uid === null ? [] : [customerKey(program, uid)])];
}

/** Returns the id of the referral that a claim belongs to. */
export function claimedId(claim: Item): string {
  return required(claim, 'referral', text);
}

/** Reads a referral; `undefined` if it does not exist. */
export async function findReferral(table: Table, program: string, id: string): Promise<Referral | undefined> {
  const item = await get(table, referralKey(program, id));
  return item && referralOf(item);
}

/** Reads the id of a customer's referral. Throws `ReferralNotFound` or `AmbiguousCustomer`. */
export async function findReferralId(table: Table, program: string, customer: Customer): Promise<string> {
  const claims = await batchGet(table, claimKeys(program, customer));
  const ids = new Set(claims.map((claim) => claim && claimedId(claim)));
  if (ids.size > 1) throw new AmbiguousCustomer();
  const [id] = ids;
  if (id === undefined) throw new ReferralNotFound();
  return id;
}

/**
 * Sets the state of a referral and appends it to the history. Writes nothing if the referral already has the state.
 * Throws `ReferralNotFound` or `StateRefused`.
 */
export async function setReferralState(
  table: Table,
  program: string,
  id: string,
  state: State,
  actor: Actor,
): Promise<Referral> {
  const apply = (referral: Referral) => setState(referral, state, actor, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const condition = unchangedSince(before, transitionCondition('update', state));
    const failed = await put(table, referralItem(program, after), condition);
    // The SDK repeats a put whose response was lost: an earlier attempt may already have made the change.
    return !failed || (failed.item !== undefined && includesChange(referralOf(failed.item), before, after));
  };
  return (await readModifyWrite(table, program, id, apply, write)).after;
}

/**
 * Erases the person of a referral: removes email and uid, their claims and the idempotency record of the conversion in
 * one transaction (docs/contract.md, Privacy). Returns the referral as it was before. Throws `ReferralNotFound`.
 */
export async function eraseReferral(table: Table, program: string, id: string): Promise<Referral> {
  const apply = (referral: Referral) => erasePerson(referral, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const { email, customerUid: uid, idempotencyRecord } = before;
    const remove = <Name extends string>(name: Name, key: Key) =>
      deleteWrite(name, key, notExistsOrSame('referral', id));
    const writes: LabelledWrite<'claim' | 'record' | 'referral'>[] = [
      ...claimKeys(program, { email, uid }).map((key) => remove('claim', key)),
      putWrite('referral', referralItem(program, after), unchangedSince(before)),
    ];
    if (idempotencyRecord !== null) {
      const record = remove('record', idempotencyRecordKey(program, idempotencyRecord));
      const failed = await transact(table, [...writes, record]);
      if (!failed.has('record')) return failed.size === 0;
      // The record belongs to a later request that used the key after it expired. It does not concern this person.
    }
    return (await transact(table, writes)).size === 0;
  };
  return (await readModifyWrite(table, program, id, apply, write)).before;
}

/**
 * Reads a referral, applies a rule of the domain and writes the result. Starts again if `write` returns false, because
 * another write came first. Writes nothing if the rule returns the same object.
 */
async function readModifyWrite(
  table: Table,
  program: string,
  id: string,
  apply: (before: Referral) => Referral,
  write: (before: Referral, after: Referral) => Promise<boolean>,
): Promise<{ before: Referral; after: Referral }> {
  return retryOnConflict(table, async () => {
    const before = await findReferral(table, program, id);
    if (!before) throw new ReferralNotFound();
    const after = apply(before);
    const isDone = after === before || (await write(before, after));
    return isDone ? { result: { before, after } } : { conflict: undefined };
  });
}

/**
 * True if the stored referral includes the change from `before` to `after`, even if later writes changed it again. Each
 * write adds one to the version and at most one entry to the history.
 */
function includesChange(stored: Referral, before: Referral, after: Referral): boolean {
  const writes = stored.version - before.version;
  const change = after.history.at(-1);
  return writes > 0 && stored.history.slice(-writes).some((entry) => isDeepStrictEqual(entry, change));
}

/** The condition that a referral was not written since it was read, joined with another one if it is given. */
function unchangedSince({ version }: Referral, condition?: Condition): Condition {
  const isSame = 'version = :version';
  return {
    ...condition,
    ConditionExpression: condition ? `(${condition.ConditionExpression}) AND ${isSame}` : isSame,
    ExpressionAttributeValues: { ...condition?.ExpressionAttributeValues, ':version': version },
  };
}
