import type { PromotionCode } from '../../kernel/accounts/rules/code.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { parseCodeItem } from '../../kernel/accounts/table/codes.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import {
  advocateKey,
  codeKey,
  customerKey,
  emailKey,
  type Key,
  paymentKey,
  referralKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, type Table } from '../../kernel/dynamodb/table.ts';
import { timeOfUuidv7 } from '../../kernel/ids.ts';
import { DAY, secondOf } from '../../kernel/time.ts';
import type { Entry } from '../../ledger/rules/entry-fields.ts';
import type { Payment } from '../../ledger/rules/payment.ts';
import { getEntry } from '../../ledger/table/entries.ts';
import { readReferralEntries } from '../../ledger/table/entry-pages.ts';
import { storedPayment } from '../../ledger/table/payment-item.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { type Identifiers, isSame, NO_IDENTIFIERS, type Refusal } from '../../referrals/rules/refusal.ts';
import { claimedId, findReferral, isOf } from '../../referrals/table/customers.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import { parseRefusals, refusalKeys } from '../../referrals/table/refusals.ts';
import type { Facts, Question } from '../rules/verdicts.ts';

/** The entries of a referral that are read: each costs one read unit. */
const LATEST = 5;

/** What the first read finds: the referral or only its id, and the payment in question. */
interface Lead {
  readonly id: string | undefined;
  readonly referral: Referral | undefined;
  readonly payment: Payment | undefined;
  readonly code: PromotionCode | undefined;
}

/** Reads everything that is known about a question, with at most three requests in series. */
export async function readFacts(
  table: Table,
  program: Pick<Program, 'id' | 'attributionDays'>,
  question: Question,
): Promise<Facts> {
  const now = secondOf(table.clock());
  const identifiers = identifiersOf(question);
  const keys = [leadKey(program.id, question), ...refusalKeys(program.id, identifiers)];
  const [item, ...own] = await batchGet(table, keys);
  const lead = leadOf(question, item);
  const { id, payment } = lead;
  const owner = lead.code && (await get(table, advocateKey(program.id, lead.code.advocateSlug), { consistent: false }));
  const [[referral, others], entries, asked] = await Promise.all([
    readReferral(table, program.id, question, lead),
    id === undefined ? [] : readLatest(table, program.id, id),
    payment && getEntry(table, program.id, payment.advocateSlug, payment.entry),
  ]);
  const refusals = [...own, ...others].flatMap((each) => parseRefusals(each, now));
  const known = referral ? entries : [];
  return {
    question,
    code: lead.code && {
      slug: lead.code.advocateSlug,
      active: lead.code.active,
      hasActiveAdvocate: owner !== undefined && parseAttributionTarget(owner).active,
    },
    referral,
    payment: referral && (asked ?? known.find(({ kind }) => kind === 'payment')),
    entries: known,
    refusals: refusals.filter((refusal, index) => isFirst(refusals, refusal, index)),
    clickEnd: clickEnd(program, question, referral),
    now,
  };
}

function identifiersOf({ by, value }: Question): Identifiers {
  switch (by) {
    case 'email':
    case 'uid':
      return { ...NO_IDENTIFIERS, [by]: value };
    case 'id':
    case 'gr_id':
      return { ...NO_IDENTIFIERS, clickId: value };
    case 'code':
      return { ...NO_IDENTIFIERS, code: value };
    case 'payment_id':
      return { ...NO_IDENTIFIERS, paymentId: value };
  }
}

function leadKey(program: string, { by, value }: Question): Key {
  switch (by) {
    case 'email':
      return emailKey(program, value);
    case 'uid':
      return customerKey(program, value);
    case 'id':
    case 'gr_id':
      return referralKey(program, value);
    case 'code':
      return codeKey(program, value);
    case 'payment_id':
      return paymentKey(program, value);
  }
}

function leadOf({ by }: Question, item: Item | undefined): Lead {
  const nothing: Lead = { id: undefined, referral: undefined, payment: undefined, code: undefined };
  if (!item) return nothing;
  switch (by) {
    case 'email':
    case 'uid':
      return { ...nothing, id: claimedId(item) };
    case 'id':
    case 'gr_id': {
      const referral = parseReferral(item);
      return { ...nothing, id: referral.id, referral };
    }
    case 'code':
      return { ...nothing, code: parseCodeItem(item) };
    case 'payment_id': {
      const payment = storedPayment(item);
      return { ...nothing, id: payment?.referralId, payment };
    }
  }
}

/** Reads the referral, and the refusals of its other identifiers. An erased person's claim leads to nothing. */
async function readReferral(
  table: Table,
  program: string,
  { by, value }: Question,
  { id, referral: known }: Lead,
): Promise<[Referral | undefined, (Item | undefined)[]]> {
  const found = known ?? (id === undefined ? undefined : await findReferral(table, program, id));
  const reference = { id: null, email: by === 'email' ? value : null, uid: by === 'uid' ? value : null };
  if (!found || !isOf(found, reference)) return [undefined, []];
  const { email, customerUid: uid } = found;
  const others = {
    ...NO_IDENTIFIERS,
    email: by === 'email' ? null : email,
    uid: by === 'uid' ? null : uid,
    clickId: known ? null : found.id,
  };
  const keys = refusalKeys(program, others);
  return [found, keys.length === 0 ? [] : await batchGet(table, keys, { consistent: false })];
}

async function readLatest(table: Table, program: string, referralId: string): Promise<readonly Entry[]> {
  const filters = { referralId, slug: undefined, createdAt: undefined };
  return (await readReferralEntries(table, program, filters, { after: undefined, size: LATEST })).entries;
}

/** True for the first of equal refusals: a refused request has one for each of its identifiers. */
function isFirst(refusals: readonly Refusal[], refusal: Refusal, index: number): boolean {
  return refusals.findIndex((other) => isSame(other, refusal)) === index;
}

/** When the attribution window of a click ends. The table deletes clicks after it, but their ids contain their time. */
function clickEnd(
  { attributionDays }: Pick<Program, 'attributionDays'>,
  { by, value }: Question,
  referral: Referral | undefined,
): number | null {
  if (referral) return referral.expiresAt;
  return by === 'gr_id' ? timeOfUuidv7(value) / 1000 + attributionDays * DAY : null;
}
