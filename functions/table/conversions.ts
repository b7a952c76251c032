import type { AttributionTarget } from '../domain/advocate.ts';
import { type Conversion, conversionFingerprint, type IdempotentRequest } from '../domain/conversion.ts';
import { IdempotencyKeyReused, IdTaken, InvalidAffiliate, ReferralExists } from '../domain/errors.ts';
import type { Program } from '../domain/program.ts';
import { convertClick, isConvertible, newReferral, type Referral } from '../domain/referral.ts';
import type { Actor, State } from '../domain/state.ts';
import { DAY, type Seconds, secondOf } from '../domain/time.ts';
import { attributionTargetOf } from './advocates.ts';
import { type Item, required, text, wholeSeconds } from './item.ts';
import { advocateKey, advocateUidKey, idempotencyRecordKey, idempotencyRecordName, referralKey } from './keys.ts';
import { referralOf } from './referral-item.ts';
import { type ReferralWriteName, referralWrites } from './referrals.ts';
import type { Table } from './table.ts';
import { type LabelledWrite, putWrite, transitionCondition } from './writes.ts';

/** Answers to idempotent requests are kept for 7 days, in seconds. */
const KEPT_FOR = 7 * DAY;

export interface ConversionRequest {
  readonly program: Program;
  readonly conversion: Conversion;
  readonly by: Actor;
  readonly idempotent: IdempotentRequest | undefined;
  /** UUIDv7 of the referral, where no click becomes it. */
  readonly newId: string;
}

/** What a conversion answers of the referral. */
export type ConvertedReferral = Pick<
  Referral,
  'id' | 'email' | 'customerUid' | 'state' | 'stateSetAt' | 'createdAt' | 'updatedAt'
>;

export interface ConversionAnswer {
  readonly referral: ConvertedReferral;
  /** True where an earlier request with the same idempotency key was answered so. */
  readonly replayed: boolean;
}

/** What one read tells of a conversion. */
interface Known {
  readonly affiliate: AttributionTarget | undefined;
  readonly click: Referral | undefined;
  readonly record: Item | undefined;
}

/**
 * Records a conversion: one batch read, one transaction. The click's row becomes the referral where it is the
 * affiliate's and unconverted, else a new referral is made; either way the customer's claims keep it unique.
 *
 * Throws `IdempotencyKeyReused`, `InvalidAffiliate`, `ReferralExists` (checked in this order),
 * `IdTaken`, each without writing anything, or `Unavailable`.
 */
export async function trackConversion(table: Table, request: ConversionRequest): Promise<ConversionAnswer> {
  const now = secondOf(table.clock());
  const { affiliate, click, record } = await readKnown(table, request, now);
  if (record) return replay(record, request);
  const { program, conversion, by, idempotent, newId } = request;
  const { attribution } = conversion;
  // The public key of another program is as good as an unknown one: the program comes from the token.
  const isForeign = 'publicKey' in attribution && attribution.publicKey !== program.publicKey;
  if (!affiliate?.active || isForeign) throw new InvalidAffiliate();
  const idempotencyRecord = idempotent ? idempotencyRecordName(idempotent.route, idempotent.key) : null;
  const converted = { ...conversion, by, idempotencyRecord };
  if (click && isConvertible(click, affiliate, now)) {
    const answer = await store(table, request, convertClick(click, program, converted, now), 'clicked');
    if (answer) return answer;
    // Someone else converted the click a moment ago: this customer becomes a referral of its own.
  }
  const fresh = newReferral(program, affiliate, newId, converted, now);
  const answer = await store(table, request, fresh, null);
  if (!answer) throw new IdTaken();
  return answer;
}

async function readKnown(
  table: Table,
  { program, conversion: { attribution }, idempotent }: ConversionRequest,
  now: Seconds,
): Promise<Known> {
  const record = idempotent && idempotencyRecordName(idempotent.route, idempotent.key);
  const keys =
    'uid' in attribution
      ? [advocateUidKey(program.id, attribution.uid), undefined]
      : [
          advocateKey(program.id, attribution.slug),
          attribution.clickId === null ? undefined : referralKey(program.id, attribution.clickId),
        ];
  const [affiliateItem, clickItem, recordItem] = await table.batchGet([
    ...keys,
    record === undefined ? undefined : idempotencyRecordKey(program.id, record),
  ]);
  return {
    affiliate: affiliateItem && attributionTargetOf(affiliateItem),
    click: clickItem && referralOf(clickItem),
    // The table deletes what has expired some time later: until then it counts as gone.
    record: recordItem && required(recordItem, 'expires_at', wholeSeconds) > now ? recordItem : undefined,
  };
}

/** Writes a converted referral with all that belongs to it; `undefined` where its row is not the one it was read as. */
async function store(
  table: Table,
  request: ConversionRequest,
  referral: Referral,
  from: State | null,
): Promise<ConversionAnswer | undefined> {
  const writes: LabelledWrite<ReferralWriteName | 'record'>[] = referralWrites(
    request.program.id,
    referral,
    transitionCondition('conversion', 'converted', from),
  );
  if (referral.idempotencyRecord !== null) writes.push(recordWrite(request, referral, referral.idempotencyRecord));
  const failedConditions = await table.transact(writes);
  const record = failedConditions.get('record');
  if (record) return replay(record, request);
  if (failedConditions.has('customer')) throw new ReferralExists();
  return failedConditions.has('referral') ? undefined : { referral, replayed: false };
}

/**
 * The record of an answer: what the request did not say itself. It holds neither e-mail nor uid, which a request
 * that is the same brings along again.
 */
function recordWrite(
  { program, conversion }: ConversionRequest,
  referral: Referral,
  name: string,
): LabelledWrite<'record'> {
  const setAt = referral.stateSetAt;
  const item = {
    ...idempotencyRecordKey(program.id, name),
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

/** The answer of the record. Throws `idempotency_key_reused` where the request is another one. */
function replay(record: Item, { conversion }: ConversionRequest): ConversionAnswer {
  if (required(record, 'fingerprint', text) !== conversionFingerprint(conversion)) {
    throw new IdempotencyKeyReused();
  }
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
