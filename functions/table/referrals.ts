import { AmbiguousCustomer, ReferralNotFound } from '../domain/errors.ts';
import { type Customer, erasePerson, type Referral, setState } from '../domain/referral.ts';
import type { Actor, State } from '../domain/state.ts';
import { secondOf } from '../domain/time.ts';
import { required, text } from './item.ts';
import { customerKey, emailKey, idempotencyRecordKey, type Key, referralKey } from './keys.ts';
import { referralItem, referralOf } from './referral-item.ts';
import type { Table } from './table.ts';
import {
  type Condition,
  deleteWrite,
  type LabelledPut,
  type LabelledWrite,
  NOT_EXISTS,
  notExistsOrSame,
  putWrite,
  transitionCondition,
} from './writes.ts';

/** Names of the writes that store a referral: the referral itself, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/**
 * The writes that store a referral together: its row, under a condition, and the claims of its customer's e-mail and
 * uid, which no other referral may have.
 */
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

/** Keys of the claims of a customer's e-mail and uid, in this order. */
export function claimKeys(program: string, { email, uid }: Customer): Key[] {
  return [...(email === null ? [] : [emailKey(program, email)]), ...(uid === null ? [] : [customerKey(program, uid)])];
}

/** The referral with this id, or `undefined` where there is none. */
export async function findReferral(table: Table, program: string, id: string): Promise<Referral | undefined> {
  const item = await table.get(referralKey(program, id));
  return item && referralOf(item);
}

/**
 * The id of the referral of a customer. Throws `ReferralNotFound`, or `AmbiguousCustomer` where e-mail and uid are not those
 * of one referral.
 */
export async function findReferralId(table: Table, program: string, customer: Customer): Promise<string> {
  const claims = await table.batchGet(claimKeys(program, customer));
  const ids = new Set(claims.map((claim) => claim && required(claim, 'referral', text)));
  if (ids.size > 1) throw new AmbiguousCustomer();
  const [id] = ids;
  if (id === undefined) throw new ReferralNotFound();
  return id;
}

/**
 * Sets the state of a referral, with an entry in its history; a referral that is in that state already stays as it is.
 * The SDK repeats a put whose response was lost: if the entry is in the row already, the change was made, and it is not
 * made again over what others changed since. Throws `ReferralNotFound`, `StateRefused` (both without changing anything)
 * or `Unavailable`.
 */
export async function setReferralState(
  table: Table,
  program: string,
  id: string,
  state: State,
  by: Actor,
): Promise<Referral> {
  const apply = (referral: Referral) => setState(referral, state, by, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const condition = stillAsRead(before, transitionCondition('update', state));
    const failed = await table.put(referralItem(program, after), condition);
    if (!failed) return true;
    return failed.item !== undefined && includesChange(referralOf(failed.item), before, after);
  };
  return (await change(table, program, id, apply, write)).after;
}

/**
 * Erases the person of a referral: email and uid of the row, their claims and the idempotency record of its conversion,
 * in one transaction, which DynamoDB carries out once however often the SDK sends it. Email and uid are free again, state
 * and times stay. Returns the referral as it was before. Throws `ReferralNotFound` or `Unavailable`.
 */
export async function eraseReferral(table: Table, program: string, id: string): Promise<Referral> {
  const apply = (referral: Referral) => erasePerson(referral, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const { email, customerUid: uid, idempotencyRecord } = before;
    const writes: LabelledWrite<'claim' | 'record' | 'referral'>[] = [
      ...claimKeys(program, { email, uid }).map((key) => deleteWrite('claim', key, notExistsOrSame('referral', id))),
      putWrite('referral', referralItem(program, after), stillAsRead(before)),
    ];
    const record = (idempotencyRecord === null ? [] : [idempotencyRecord]).map((name) =>
      deleteWrite('record', idempotencyRecordKey(program, name), notExistsOrSame('referral', id)),
    );
    const failedConditions = await table.transact([...writes, ...record]);
    if (!failedConditions.has('record')) return failedConditions.size === 0;
    // Another request has used the key since, when it had expired: its record says nothing of this person.
    return (await table.transact(writes)).size === 0;
  };
  return (await change(table, program, id, apply, write)).before;
}

/**
 * Reads a referral, applies a rule of the domain to it and writes the result: again from the start where somebody else
 * wrote it in between. What the rule leaves as it is costs no write.
 */
async function change(
  table: Table,
  program: string,
  id: string,
  apply: (before: Referral) => Referral,
  write: (before: Referral, after: Referral) => Promise<boolean>,
): Promise<{ before: Referral; after: Referral }> {
  return table.retryOnConflict(async () => {
    const before = await findReferral(table, program, id);
    if (!before) throw new ReferralNotFound();
    const after = apply(before);
    const isDone = after === before || (await write(before, after));
    return isDone ? { result: { before, after } } : { conflict: undefined };
  });
}

/**
 * True if `stored`, a later version of `before`, has gone through the change from `before` to `after`: then the change
 * was written, whatever has come after it. Each write counts the version up and adds one entry at most.
 */
function includesChange(stored: Referral, before: Referral, after: Referral): boolean {
  const entry = after.history.at(-1);
  const writes = stored.version - before.version;
  return (
    writes > 0 &&
    stored.history
      .slice(-writes)
      .some(({ state, setAt, by }) => state === entry?.state && setAt === entry.setAt && by === entry.by)
  );
}

/** The condition of a row that nobody has written since it was read, beside another one. */
function stillAsRead({ version }: Referral, condition?: Condition): Condition {
  const isSame = 'version = :version';
  return {
    ...condition,
    ConditionExpression: condition ? `(${condition.ConditionExpression}) AND ${isSame}` : isSame,
    ExpressionAttributeValues: { ...condition?.ExpressionAttributeValues, ':version': version },
  };
}
