import { isDeepStrictEqual } from 'node:util';
import type { ReadTerms } from '../../kernel/accounts/rules/advocate-terms.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { readTerms } from '../../kernel/accounts/table/terms.ts';
import { both, NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { deleteAll, deleteAnyway } from '../../kernel/dynamodb/delete-items.ts';
import { advocateKey, idempotencyRecordKey, type Key, stripeCustomerKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import {
  type Condition,
  deleteWrite,
  type EvaluableCondition,
  type LabelledPut,
  type LabelledWrite,
  put,
  putWrite,
  transact,
} from '../../kernel/dynamodb/writes.ts';
import { InvalidAffiliate, ReferralNotFound } from '../../kernel/errors.ts';
import { secondOf } from '../../kernel/time.ts';
import { entryCount } from '../rules/history.ts';
import type { CustomerReference, Referral } from '../rules/referral.ts';
import { erasePerson, reassign, setState } from '../rules/referral-changes.ts';
import type { Actor, State } from '../rules/state.ts';
import { claimKeys, findReferral, findReferralId, referenceKeys, referredId } from './customers.ts';
import { parseReferral, toReferralItem } from './referral-item.ts';
import { refusalKeysOf } from './refusals.ts';
import { transitionCondition } from './transition-condition.ts';

/** Names of the writes that store a referral: its item, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/** Builds the writes that store a referral: its item, under a condition, and the claims of its email and uid. */
export function referralWrites<Given extends Condition>(
  program: string,
  referral: Referral,
  condition: Given,
): LabelledPut<ReferralWriteName, Given | EvaluableCondition>[] {
  const claims = claimKeys(program, { email: referral.email, uid: referral.customerUid }).map((key) =>
    putWrite('customer', { ...key, referral: referral.id }, NOT_EXISTS),
  );
  return [...claims, putWrite('referral', toReferralItem(program, referral), condition)];
}

/**
 * Sets the state of a referral and appends it to the history. Writes nothing if the referral already has the state.
 * Throws `ReferralNotFound` or `StateRefused`.
 */
export async function setReferralState(
  table: Table,
  program: string,
  id: string,
  { state, actor }: { readonly state: State; readonly actor: Actor },
): Promise<Referral> {
  const { after } = await readModifyWrite(table, program, id, {
    apply: (before) => setState(before, state, actor, secondOf(table.clock())),
    // The condition exists only for states that an update can set, which the rule checks first.
    write: (step) => replaceReferral(table, program, step, transitionCondition('update', state)),
  });
  return after;
}

/** The move of a referral to the advocate with a slug. */
interface Move {
  readonly slug: string;
  readonly actor: Actor;
  readonly termsOf?: ReadTerms<Table>;
}

/**
 * Moves a referral to another advocate, with two reads and one conditional write. Writes nothing if it already belongs
 * to the advocate. Throws `InvalidAffiliate`, `ReferralNotFound`, `AmbiguousCustomer` or `NotConverted`.
 */
export async function reassignReferral(
  table: Table,
  program: Program,
  reference: CustomerReference,
  { slug, actor, termsOf = readTerms }: Move,
): Promise<Referral> {
  const keys = [advocateKey(program.id, slug), ...referenceKeys(program.id, reference)];
  const [advocate, ...named] = await batchGet(table, keys);
  const target = advocate && parseAttributionTarget(advocate);
  // A wrong affiliate must not reveal whether the customer exists, so it is checked first.
  if (!target?.active) throw new InvalidAffiliate();
  const id = referredId(named);
  const terms = await termsOf(table, program, target);
  const { after } = await readModifyWrite(table, program.id, id, {
    apply: (before) => reassign(before, { target, terms, actor, now: secondOf(table.clock()) }),
  });
  return after;
}

/** A referral as it was read, and as it is to be stored. */
interface Step {
  readonly before: Referral;
  readonly after: Referral;
}

/** Replaces a referral if it is unchanged and meets the condition. Returns false otherwise. */
async function replaceReferral(
  table: Table,
  program: string,
  { before, after }: Step,
  condition?: Condition,
): Promise<boolean> {
  const isUnchanged = unchangedSince(before);
  const joined = condition ? both(condition, isUnchanged) : isUnchanged;
  const failed = await put(table, toReferralItem(program, after), joined);
  // The SDK repeats a put whose response was lost: an earlier attempt may already have made the change.
  return !failed || (failed.item !== undefined && includesChange(parseReferral(failed.item), before, after));
}

/**
 * Erases the person of a referral: removes email, uid and flags, their claims, their refusals and the idempotency record of
 * the conversion in one transaction (docs/contract.md, Privacy). Returns the referral as it was before. Throws
 * `ReferralNotFound`.
 */
export async function eraseReferral(table: Table, program: string, id: string, actor: Actor): Promise<Referral> {
  const apply = (referral: Referral) => erasePerson(referral, actor, secondOf(table.clock()));
  const write = async ({ before, after }: Step) => {
    const { email, customerUid: uid, idempotencyRecord, provider } = before;
    const remove = <Name extends string>(name: Name, key: Key) =>
      deleteWrite(name, key, notExistsOrSame('referral', id));
    const writes: LabelledWrite<'claim' | 'record' | 'referral' | 'item'>[] = [
      ...claimKeys(program, { email, uid }).map((key) => remove('claim', key)),
      ...(provider?.customers ?? []).map((name) => remove('claim', stripeCustomerKey(program, name))),
      ...refusalKeysOf(program, { id, email, uid }).map(deleteAnyway),
      putWrite('referral', toReferralItem(program, after), unchangedSince(before)),
    ];
    if (idempotencyRecord !== null) {
      const record = remove('record', idempotencyRecordKey(program, idempotencyRecord));
      const failed = await transact(table, [...writes, record]);
      if (!failed.has('record')) return failed.size === 0;
      // The record belongs to a later request that used the key after it expired. It does not concern this person.
    }
    return (await transact(table, writes)).size === 0;
  };
  return (await readModifyWrite(table, program, id, { apply, write })).before;
}

/**
 * Erases the person whom a reference identifies. Deletes the refusals also of somebody who never converted. Throws
 * `ReferralNotFound` or `AmbiguousCustomer`.
 */
export async function eraseCustomer(
  table: Table,
  program: string,
  reference: CustomerReference,
  actor: Actor,
): Promise<Referral> {
  try {
    return await eraseReferral(table, program, await findReferralId(table, program, reference), actor);
  } catch (error) {
    if (error instanceof ReferralNotFound) await deleteAll(table, refusalKeysOf(program, reference));
    throw error;
  }
}

/** A rule for referrals, and how to write its result: by default, by replacing the referral. */
interface Change {
  readonly apply: (before: Referral) => Referral;
  /** Returns false if another write came first. */
  readonly write?: (step: Step) => Promise<boolean>;
}

/**
 * Reads a referral, applies a rule and writes the result. Starts again if `write` returns false, because
 * another write came first. Writes nothing if the rule returns the same object.
 */
async function readModifyWrite(
  table: Table,
  program: string,
  id: string,
  { apply, write = (step) => replaceReferral(table, program, step) }: Change,
): Promise<Step> {
  return retryOnConflict(table, async () => {
    const before = await findReferral(table, program, id);
    if (!before) throw new ReferralNotFound();
    const after = apply(before);
    const isDone = after === before || (await write({ before, after }));
    return isDone ? { result: { before, after } } : { conflict: undefined };
  });
}

/**
 * True if the stored referral includes the change from `before` to `after`, even if later writes changed it again. Then
 * its entry directly follows the entries of `before`. Silent writes added none.
 */
function includesChange(stored: Referral, before: Referral, after: Referral): boolean {
  const added = entryCount(stored) - entryCount(before);
  return added > 0 && isDeepStrictEqual(stored.history.at(-added), after.history.at(-1));
}
