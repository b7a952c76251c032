import type { AttributionTarget } from '../../kernel/accounts/rules/advocate.ts';
import type { ReadTerms } from '../../kernel/accounts/rules/advocate-terms.ts';
import type { PromotionCode } from '../../kernel/accounts/rules/code.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { parseCodeItem } from '../../kernel/accounts/table/codes.ts';
import { readTerms } from '../../kernel/accounts/table/terms.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import {
  advocateKey,
  advocateUidKey,
  codeKey,
  idempotencyRecordKey,
  idempotencyRecordName,
  referralKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, type Table } from '../../kernel/dynamodb/table.ts';
import { type LabelledPut, transact } from '../../kernel/dynamodb/writes.ts';
import { IdempotencyKeyReused, IdTaken, InvalidAffiliate, InvalidCode, ReferralExists } from '../../kernel/errors.ts';
import type { KeysIn } from '../../kernel/fields/field-list.ts';
import { text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { secondOf } from '../../kernel/time.ts';
import { codeReference, creditFirst, inOrder, type Reference } from '../../referrals/rules/credit.ts';
import {
  type ConversionFields,
  convertClick,
  isConvertible,
  newReferral,
  type Referral,
} from '../../referrals/rules/referral.ts';
import type { REFERRAL_FIELDS } from '../../referrals/rules/referral-fields.ts';
import type { Actor, State } from '../../referrals/rules/state.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import { type ReferralWriteName, referralWrites } from '../../referrals/table/referrals.ts';
import { transitionCondition } from '../../referrals/table/transition-condition.ts';
import {
  type Attribution,
  type Conversion,
  conversionFingerprint,
  type IdempotentRequest,
} from '../rules/conversion.ts';
import { isValidRecord, recordWrite } from './idempotency-record.ts';

export interface ConversionRequest {
  readonly program: Program;
  readonly conversion: Conversion;
  readonly actor: Actor;
  readonly idempotent: IdempotentRequest | undefined;
  /** UUIDv7 of the referral if the conversion has no click. */
  readonly newId: string;
  readonly termsOf?: ReadTerms<Table>;
}

/** The fields of a referral in the response to a conversion. */
export type ConvertedReferral = Pick<Referral, 'id' | KeysIn<typeof REFERRAL_FIELDS, 'v1' | 'v2'>>;

export interface ConversionResult {
  readonly referral: ConvertedReferral;
  /** True if an earlier request with the same idempotency key recorded the conversion. */
  readonly replayed: boolean;
}

/**
 * Records a conversion with one batch read and one transaction; a promotion code and a group each cost a read more. If the
 * click is the advocate's and unconverted, it becomes the referral; otherwise a new referral is created. The claims of email
 * and uid make referrals unique.
 *
 * Throws `IdempotencyKeyReused`, `InvalidAffiliate` or `InvalidCode`, `ReferralExists` (in this order) or `IdTaken`; then
 * nothing is written.
 */
export async function trackConversion(table: Table, request: ConversionRequest): Promise<ConversionResult> {
  const { program, conversion, actor, idempotent, newId, termsOf = readTerms } = request;
  const now = secondOf(table.clock());
  const idempotencyRecord = idempotent ? idempotencyRecordName(idempotent.route, idempotent.key) : null;
  const [toAdvocateItem, clickItem, codeItem, record] = await batchGet(table, [
    ...attributionKeys(request),
    idempotencyRecord === null ? undefined : idempotencyRecordKey(program.id, idempotencyRecord),
  ]);
  if (isValidRecord(record, now)) return replay(record, conversion);
  const click = clickItem && parseReferral(clickItem);
  const credited = await creditOf(table, request, { toAdvocateItem, codeItem, click });
  const terms = await termsOf(table, program, credited.target);
  const fields = { ...credited, terms, reported: conversion.reported, actor, idempotencyRecord, now };
  if (click && isConvertible(click, credited.target, now)) {
    const result = await store(table, request, convertClick(click, fields), 'clicked');
    if (result) return result;
    // Another customer has just converted the click.
  }
  const result = await store(table, request, newReferral(newId, fields), null);
  if (!result) throw new IdTaken();
  return result;
}

/** Returns the keys of the advocate (or the claim of its uid), of the click and of the code, if the conversion has them. */
function attributionKeys({ program: { id }, conversion: { attribution, promotion } }: ConversionRequest) {
  const code = promotion?.code ? codeKey(id, promotion.code) : undefined;
  if (!attribution) return [undefined, undefined, code];
  if ('uid' in attribution) return [advocateUidKey(id, attribution.uid), undefined, code];
  const { slug, clickId } = attribution;
  return [advocateKey(id, slug), clickId === null ? undefined : referralKey(id, clickId), code];
}

/** What the references of a conversion lead to. */
interface Found {
  readonly toAdvocateItem: Item | undefined;
  readonly codeItem: Item | undefined;
  readonly click: Referral | undefined;
}

/**
 * Decides who is credited (docs/contract/terms.md, Promotion codes): the advocate in `affiliate_slug`; else the advocate of
 * the link or of the code, as the program chose. Throws `InvalidAffiliate`, or `InvalidCode` if there is only a code.
 */
async function creditOf(
  table: Table,
  { program, conversion: { attribution } }: ConversionRequest,
  { toAdvocateItem, codeItem, click }: Found,
): Promise<Pick<ConversionFields, 'target' | 'credit'>> {
  const target = toAdvocateItem && parseAttributionTarget(toAdvocateItem);
  const code = codeItem && parseCodeItem(codeItem);
  if (attribution && 'slug' in attribution && attribution.isExplicit) {
    if (!target?.active) throw new InvalidAffiliate();
    const others = [code?.active ? code.advocateSlug : undefined, click?.advocateSlug];
    const lost = others.find((slug) => slug !== undefined && slug !== target.slug) ?? null;
    return { target, credit: { by: 'slug', code: null, lost } };
  }
  const own = attribution ? [ownReference(program, attribution, target)] : [];
  const codes = code ? [codeReference(code, await codeTarget(table, program.id, code, target))] : [];
  const credited = creditFirst(inOrder(program, own, codes));
  if (!credited) throw attribution ? new InvalidAffiliate() : new InvalidCode();
  return credited;
}

function ownReference(
  { publicKey }: Program,
  attribution: Attribution,
  target: AttributionTarget | undefined,
): Reference {
  if (!('uid' in attribution)) return { by: 'link', code: null, target };
  // The program comes from the token. The public key of another program counts as unknown.
  return { by: 'uid', code: null, target: attribution.publicKey === publicKey ? target : undefined };
}

async function codeTarget(
  table: Table,
  program: string,
  { active, advocateSlug }: PromotionCode,
  known: AttributionTarget | undefined,
): Promise<AttributionTarget | undefined> {
  if (!active) return undefined;
  if (known?.slug === advocateSlug) return known;
  const item = await get(table, advocateKey(program, advocateSlug));
  return item && parseAttributionTarget(item);
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
