import { type Conversion, conversionFingerprint, type IdempotentRequest } from '../domain/conversion.ts';
import { IdempotencyKeyReused, IdTaken, InvalidAffiliate, ReferralExists } from '../domain/errors.ts';
import type { Program } from '../domain/program.ts';
import { convertClick, isConvertible, newReferral, type Referral } from '../domain/referral.ts';
import type { Actor, State } from '../domain/state.ts';
import { DAY, secondOf } from '../domain/time.ts';
import { attributionTargetOf } from './advocates.ts';
import { transitionCondition } from './conditions.ts';
import { type Item, required, text, wholeSeconds } from './item.ts';
import { advocateKey, advocateUidKey, idempotencyRecordKey, idempotencyRecordName, referralKey } from './keys.ts';
import { referralOf } from './referral-item.ts';
import { type ReferralWriteName, referralWrites } from './referrals.ts';
import type { Table } from './table.ts';
import { type LabelledPut, putWrite, transact } from './writes.ts';

/** Idempotency records are kept for 7 days, in seconds. */
const KEPT_FOR = 7 * DAY;

export interface ConversionRequest {
  readonly program: Program;
  readonly conversion: Conversion;
  readonly by: Actor;
  readonly idempotent: IdempotentRequest | undefined;
  /** UUIDv7 of the referral if the conversion has no click. */
  readonly newId: string;
}

/** The fields of a referral that the response to a conversion has. */
export type ConvertedReferral = Pick<
  Referral,
  'id' | 'email' | 'customerUid' | 'state' | 'stateSetAt' | 'createdAt' | 'updatedAt'
>;

export interface ConversionResult {
  readonly referral: ConvertedReferral;
  /** True if the result is that of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

/**
 * Records a conversion with one batch read and one transaction. A click that is the advocate's and unconverted becomes
 * the referral, else a new referral is created; the claims of the customer keep it unique in both cases.
 *
 * Throws `IdempotencyKeyReused`, `InvalidAffiliate`, `ReferralExists` (checked in this order) or `IdTaken`, and then
 * nothing is written.
 */
export async function trackConversion(table: Table, request: ConversionRequest): Promise<ConversionResult> {
  const { program, conversion, by, idempotent, newId } = request;
  const now = secondOf(table.clock());
  const idempotencyRecord = idempotent ? idempotencyRecordName(idempotent.route, idempotent.key) : null;
  const [advocateItem, clickItem, record] = await table.batchGet([
    ...attributionKeys(request),
    idempotencyRecord === null ? undefined : idempotencyRecordKey(program.id, idempotencyRecord),
  ]);
  // An expired record no longer counts, even if the table has not deleted it yet.
  if (record && required(record, 'expires_at', wholeSeconds) > now) return replay(record, conversion);
  const target = advocateItem && attributionTargetOf(advocateItem);
  const { attribution } = conversion;
  // The token decides the program: another program's public key counts as unknown.
  const isForeign = 'publicKey' in attribution && attribution.publicKey !== program.publicKey;
  if (!target?.active || isForeign) throw new InvalidAffiliate();
  const fields = { ...conversion, by, idempotencyRecord };
  const click = clickItem && referralOf(clickItem);
  if (click && isConvertible(click, target, now)) {
    const result = await store(table, request, convertClick(click, program, fields, now), 'clicked');
    if (result) return result;
    // Another customer converted the click a moment ago: this one becomes a new referral.
  }
  const result = await store(table, request, newReferral(program, target, newId, fields, now), null);
  if (!result) throw new IdTaken();
  return result;
}

/** The keys of the advocate and of the click, if the conversion has one. */
function attributionKeys({ program, conversion: { attribution } }: ConversionRequest) {
  if ('uid' in attribution) return [advocateUidKey(program.id, attribution.uid), undefined];
  const { slug, clickId } = attribution;
  return [advocateKey(program.id, slug), clickId === null ? undefined : referralKey(program.id, clickId)];
}

/**
 * Stores a converted referral with its claims and its idempotency record. Returns `undefined` if the row is not in the
 * state `from` any more; `null` stands for a row that does not exist.
 */
async function store(
  table: Table,
  { program, conversion }: ConversionRequest,
  referral: Referral,
  from: State | null,
): Promise<ConversionResult | undefined> {
  const condition = transitionCondition('conversion', 'converted', from);
  const writes: LabelledPut<ReferralWriteName | 'record'>[] = referralWrites(program.id, referral, condition);
  if (referral.idempotencyRecord !== null) {
    writes.push(recordWrite(program.id, referral.idempotencyRecord, conversion, referral));
  }
  const failed = await transact(table, writes);
  const record = failed.get('record');
  if (record) return replay(record, conversion);
  if (failed.has('customer')) throw new ReferralExists();
  return failed.has('referral') ? undefined : { referral, replayed: false };
}

/** The write of an idempotency record. It has neither email nor uid: a repeated request brings them again. */
function recordWrite(program: string, name: string, conversion: Conversion, referral: Referral): LabelledPut<'record'> {
  const setAt = referral.stateSetAt;
  const item = {
    ...idempotencyRecordKey(program, name),
    fingerprint: conversionFingerprint(conversion),
    expires_at: setAt + KEPT_FOR,
    referral: referral.id,
    state_set_at: setAt,
    created_at: referral.createdAt,
    updated_at: referral.updatedAt,
  };
  return putWrite('record', item, {
    ConditionExpression: 'attribute_not_exists(pk) OR expires_at <= :now',
    ExpressionAttributeValues: { ':now': setAt },
  });
}

/** Returns the recorded result. Throws `IdempotencyKeyReused` if the record belongs to another conversion. */
function replay(record: Item, conversion: Conversion): ConversionResult {
  if (required(record, 'fingerprint', text) !== conversionFingerprint(conversion)) throw new IdempotencyKeyReused();
  return {
    replayed: true,
    referral: {
      id: required(record, 'referral', text),
      email: conversion.customer.email,
      customerUid: conversion.customer.uid,
      state: 'converted',
      stateSetAt: required(record, 'state_set_at', wholeSeconds),
      createdAt: required(record, 'created_at', wholeSeconds),
      updatedAt: required(record, 'updated_at', wholeSeconds),
    },
  };
}
