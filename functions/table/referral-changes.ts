import { ReferralNotFound } from '../domain/errors.ts';
import { erasePerson, type Referral, setState } from '../domain/referral.ts';
import type { Actor, State } from '../domain/state.ts';
import { type Milliseconds, secondOf } from '../domain/time.ts';
import { type Condition, transitionCondition } from './conditions.ts';
import { whenFree } from './conflicts.ts';
import { answerRecordKey } from './keys.ts';
import { putItem } from './put.ts';
import { referralItem } from './referral-item.ts';
import { claimKeys, findReferral } from './referrals.ts';
import type { Table } from './table.ts';
import { deleteWrite, type NamedWrite, putWrite, transact } from './transaction.ts';

/**
 * Brings a referral into another state, with an entry in its history; one that is in that state already is left as it
 * is. Throws `ReferralNotFound`, `StateRefused` (then nothing is changed) or `Unavailable`.
 */
export async function setReferralState(
  table: Table,
  program: string,
  id: string,
  state: State,
  by: Actor,
  deadline: Milliseconds,
): Promise<Referral> {
  const apply = (referral: Referral) => setState(referral, state, by, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const condition = stillAsRead(before, transitionCondition('setting', state));
    const refusal = await putItem(table, referralItem(program, after), condition, deadline);
    return refusal === undefined;
  };
  return (await change(table, program, id, deadline, apply, write)).after;
}

/**
 * Erases the person of a referral: e-mail and uid of the row, their claims, and the record of the answer to its
 * conversion, in one transaction. Both are free then, state and times stay. Returns what the row was before. Throws
 * `ReferralNotFound` or `Unavailable`.
 */
export async function eraseReferral(
  table: Table,
  program: string,
  id: string,
  deadline: Milliseconds,
): Promise<Referral> {
  const apply = (referral: Referral) => erasePerson(referral, secondOf(table.clock()));
  const write = async (before: Referral, after: Referral) => {
    const { email, customerUid: uid, answerRecord } = before;
    const writes: NamedWrite<'claim' | 'record' | 'referral'>[] = [
      ...claimKeys(program, { email, uid }).map((key) =>
        deleteWrite(table.name, 'claim', key, ownOrGone(id)),
      ),
      putWrite(table.name, 'referral', referralItem(program, after), stillAsRead(before)),
    ];
    const record = (answerRecord === null ? [] : [answerRecord]).map((name) =>
      deleteWrite(table.name, 'record', answerRecordKey(program, name), ownOrGone(id)),
    );
    const refusals = await transact(table, [...writes, ...record], deadline);
    if (!refusals.has('record')) return refusals.size === 0;
    // Another request has used the key since, when it had expired: its record says nothing of this person.
    return (await transact(table, writes, deadline)).size === 0;
  };
  return (await change(table, program, id, deadline, apply, write)).before;
}

/**
 * Reads a referral, applies a rule of the domain to it and writes the result: again from the start where somebody else
 * wrote it in between. What the rule leaves as it is costs no write.
 */
async function change(
  table: Table,
  program: string,
  id: string,
  deadline: Milliseconds,
  apply: (before: Referral) => Referral,
  write: (before: Referral, after: Referral) => Promise<boolean>,
): Promise<{ before: Referral; after: Referral }> {
  return whenFree(table, deadline, async () => {
    const before = await findReferral(table, program, id, deadline);
    if (!before) throw new ReferralNotFound();
    const after = apply(before);
    const isDone = after === before || (await write(before, after));
    return isDone ? { result: { before, after } } : { conflict: undefined };
  });
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

/** The condition of an item that is the referral's, or gone already. */
function ownOrGone(id: string): Condition {
  return {
    ConditionExpression: 'attribute_not_exists(pk) OR referral = :referral',
    ExpressionAttributeValues: { ':referral': id },
  };
}
