import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import {
  advocateKey,
  advocateUidKey,
  idempotencyRecordKey,
  idempotencyRecordName,
  referralKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { type LabelledPut, transact } from '../../kernel/dynamodb/writes.ts';
import { IdempotencyKeyReused, IdTaken, InvalidAffiliate, ReferralExists } from '../../kernel/errors.ts';
import type { KeysIn } from '../../kernel/fields/field-list.ts';
import { text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { secondOf } from '../../kernel/time.ts';
import { convertClick, isConvertible, newReferral, type Referral } from '../../referrals/rules/referral.ts';
import type { REFERRAL_FIELDS } from '../../referrals/rules/referral-fields.ts';
import type { Actor, State } from '../../referrals/rules/state.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import { type ReferralWriteName, referralWrites } from '../../referrals/table/referrals.ts';
import { transitionCondition } from '../../referrals/table/transition-condition.ts';
import { type Conversion, conversionFingerprint, type IdempotentRequest } from '../rules/conversion.ts';
import { isValidRecord, recordWrite } from './idempotency-record.ts';

export interface ConversionRequest {
  readonly program: Program;
  readonly conversion: Conversion;
  readonly actor: Actor;
  readonly idempotent: IdempotentRequest | undefined;
  /** UUIDv7 of the referral if the conversion has no click. */
  readonly newId: string;
}

/** The fields of a referral in the response to a conversion. */
export type ConvertedReferral = Pick<Referral, 'id' | KeysIn<typeof REFERRAL_FIELDS, 'v1' | 'v2'>>;

export interface ConversionResult {
  readonly referral: ConvertedReferral;
  /** True if an earlier request with the same idempotency key recorded the conversion. */
  readonly replayed: boolean;
}

/**
 * Records a conversion with one batch read and one transaction. If the click is the advocate's and unconverted, it
 * becomes the referral; otherwise a new referral is created. The claims of email and uid make referrals unique.
 *
 * Throws `IdempotencyKeyReused`, `InvalidAffiliate`, `ReferralExists` (checked in this order) or `IdTaken`; then
 * nothing is written.
 */
export async function trackConversion(table: Table, request: ConversionRequest): Promise<ConversionResult> {
  const { program, conversion, actor, idempotent, newId } = request;
  const now = secondOf(table.clock());
  const idempotencyRecord = idempotent ? idempotencyRecordName(idempotent.route, idempotent.key) : null;
  const [toAdvocateItem, clickItem, record] = await batchGet(table, [
    ...attributionKeys(request),
    idempotencyRecord === null ? undefined : idempotencyRecordKey(program.id, idempotencyRecord),
  ]);
  if (isValidRecord(record, now)) return replay(record, conversion);
  const target = toAdvocateItem && parseAttributionTarget(toAdvocateItem);
  const { attribution } = conversion;
  // The program comes from the token. The public key of another program counts as unknown.
  const isForeign = 'publicKey' in attribution && attribution.publicKey !== program.publicKey;
  if (!target?.active || isForeign) throw new InvalidAffiliate();
  const fields = { program, target, reported: conversion.reported, actor, idempotencyRecord, now };
  const click = clickItem && parseReferral(clickItem);
  if (click && isConvertible(click, target, now)) {
    const result = await store(table, request, convertClick(click, fields), 'clicked');
    if (result) return result;
    // Another customer has just converted the click.
  }
  const result = await store(table, request, newReferral(newId, fields), null);
  if (!result) throw new IdTaken();
  return result;
}

/** Returns the keys of the advocate (or the claim of its uid) and of the click, if the conversion has one. */
function attributionKeys({ program, conversion: { attribution } }: ConversionRequest) {
  if ('uid' in attribution) return [advocateUidKey(program.id, attribution.uid), undefined];
  const { slug, clickId } = attribution;
  return [advocateKey(program.id, slug), clickId === null ? undefined : referralKey(program.id, clickId)];
}

/**
 * Stores a converted referral with its claims and its idempotency record. Writes nothing and returns `undefined` if the
 * stored referral is not in the state `from`; `null` requires that it does not exist.
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
    const key = idempotencyRecordKey(program.id, referral.idempotencyRecord);
    writes.push(recordWrite('record', key, referral.stateSetAt, toResult(conversion, referral)));
  }
  const failed = await transact(table, writes);
  const record = failed.get('record');
  if (record) return replay(record, conversion);
  if (failed.has('customer')) throw new ReferralExists();
  return failed.has('referral') ? undefined : { referral, replayed: false };
}

/** Builds the attributes of the recorded result. It contains neither email nor uid: a repeated request has them. */
function toResult(conversion: Conversion, { id, stateSetAt, createdAt, updatedAt }: Referral): Item {
  return {
    fingerprint: conversionFingerprint(conversion),
    referral: id,
    state_set_at: stateSetAt,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** Returns the recorded result. Throws `IdempotencyKeyReused` if the record belongs to another conversion. */
function replay(record: Item, conversion: Conversion): ConversionResult {
  if (required(record, 'fingerprint', text) !== conversionFingerprint(conversion)) throw new IdempotencyKeyReused();
  return {
    replayed: true,
    referral: {
      id: required(record, 'referral', text),
      ...conversion.reported,
      state: 'converted',
      stateSetAt: required(record, 'state_set_at', wholeSeconds),
      createdAt: required(record, 'created_at', wholeSeconds),
      updatedAt: required(record, 'updated_at', wholeSeconds),
    },
  };
}
