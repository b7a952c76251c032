import { createHash } from 'node:crypto';
import type { Month } from '../days.ts';
import { text } from '../fields/parsers.ts';
import { UUIDV7_PATTERN } from '../ids.ts';
import { type Milliseconds, type Seconds, seconds } from '../time.ts';
import { type Item, required } from './item.ts';
import { PARTITION_KEY, SORT_KEY } from './schema.ts';

/** What an entry of the ledger is sorted by. */
type Position = { readonly createdAt: Seconds; readonly id: string };

/** The key of an item. Only this file builds keys. */
export interface Key {
  readonly [PARTITION_KEY]: string;
  readonly [SORT_KEY]: string;
}

/** Parses the key of an item. */
export function keyOf(item: Item): Key {
  return { [PARTITION_KEY]: required(item, PARTITION_KEY, text), [SORT_KEY]: required(item, SORT_KEY, text) };
}

// The parts of a key are unambiguous: ids and slugs contain no "#"; emails, customer ids, sub ids and idempotency keys
// are hashed; and an advocate's uid is always the last part.

export const programKey = (program: string): Key => key(`PROGRAM#${program}`, 'PROGRAM');
/** Where the item of a program is while the program is deleted: no request finds it there. */
export const stoppedProgramKey = (program: string): Key => key(programKey(program).pk, 'STOPPED');
/** The picture of a program, which its pages show. */
export const logoKey = (program: string): Key => key(programKey(program).pk, 'LOGO');
/** What a program gives its advocates to share. */
export const resourcesKey = (program: string): Key => key(programKey(program).pk, 'RESOURCES');
/** All groups of a program. */
export const groupsKey = (program: string): Key => key(programKey(program).pk, 'GROUPS');
/** All members of a program. */
export const membersKey = (program: string): Key => key(programKey(program).pk, 'MEMBERS');
/** The settings of emails, which only `people` and `mail` read. */
export const peopleSettingsKey = (program: string): Key => key(programKey(program).pk, 'PEOPLE');
/** Partition of the links and codes of an address, by its hash. */
export const signInPartition = (program: string, address: string): string => `PROGRAM#${program}#SIGN_IN#${address}`;
/** The last links that an address got to sign in on a page, which limit the next ones. */
export const signInLinksKey = (program: string, address: string, page: string): Key =>
  key(signInPartition(program, address), `${SIGN_IN_LINKS}${page}`);
export const SIGN_IN_LINKS = 'LINKS#';
/** The code in a link, by the hash of its secret. */
export const codeOfLinkKey = (program: string, address: string, secret: string): Key =>
  key(signInPartition(program, address), `CODE#${hash(secret)}`);
/** What an address sent last to become an advocate, and has not confirmed yet. */
export const draftKey = (program: string, address: string): Key => key(signInPartition(program, address), DRAFT);
export const DRAFT = 'DRAFT';
/** That an address has sent an application: its erasure finds the application by it. */
export const applicantKey = (program: string, address: string, id: string): Key =>
  key(signInPartition(program, address), `${APPLICANT}${id}`);
export const APPLICANT = 'APPLICATION#';
/** An application whose address is confirmed. */
export const applicationKey = (program: string, id: string): Key =>
  key(`PROGRAM#${program}#APPLICATION#${id}`, 'APPLICATION');
/** Partition of a program's applications in a state, in `by_program_state`. */
export const applicationsInState = (program: string, state: string): string => `${program}#APPLICATION#${state}`;
/** How many emails an address got to confirm it: of all programs, so its key has none. */
export const addressConfirmationsKey = (address: string): Key => key(`CONFIRMATIONS#${address}`, 'COUNT');
/** How many addresses a program has asked to confirm, and how many applications it has approved automatically. */
export const programConfirmationsKey = (program: string): Key => key(programKey(program).pk, 'CONFIRMATIONS');
export const automaticApprovalsKey = (program: string): Key => key(programKey(program).pk, 'AUTOMATIC_APPROVALS');
/** Partition of the mark of an email, by the hash of its name. */
export const sentEmailPartition = (program: string, hashed: string): string => `PROGRAM#${program}#MAIL#${hashed}`;
/** The mark of an email that was sent. */
export const sentEmailKey = (program: string, name: string): Key =>
  key(sentEmailPartition(program, hash(name)), 'MAIL');
/** The address of an advocate before its last change, in a partition that `publish` may write. */
export const previousEmailKey = (program: string, slug: string): Key =>
  key(`PROGRAM#${program}#EMAIL_BEFORE#${slug}`, 'EMAIL');
/** Partition of the rules of commissions that a program and its groups have ever had. */
export const rulesPartition = (program: string): string => `PROGRAM#${program}#RULES`;
export const rulesKey = (program: string, id: string): Key => key(rulesPartition(program), id);
/** The API version of the last checkout of Stripe. */
export const apiVersionKey = (program: string): Key => key(programKey(program).pk, 'STRIPE_VERSION');
/** Partition of the promotion codes of a program, of their number, and of the claims of Stripe's promotion codes. */
export const codesPartition = (program: string): string => `PROGRAM#${program}#CODES`;
const CODE = 'CODE#';
/** `code` is in upper case. */
export const codeKey = (program: string, code: string): Key => key(codesPartition(program), CODE + code);
/** Codes sort after the first of these and before the second. */
export const CODE_BOUNDS = [CODE, `${CODE}~`] as const;
export const codeCountKey = (program: string): Key => key(codesPartition(program), 'COUNT');
/** The claim of a promotion code of Stripe: it leads to one code for ever. */
export const promotionKey = (program: string, id: string): Key => key(codesPartition(program), `PROMOTION#${hash(id)}`);
/** Partition of the codes of an advocate in `by_created_at`. */
export const advocateCodes = (program: string, slug: string): string => `${program}#${slug}#CODES`;
export const tokenKey = (tokenHash: string): Key => key(`TOKEN#${tokenHash}`, 'TOKEN');
export const advocateKey = (program: string, slug: string): Key =>
  key(`PROGRAM#${program}#ADVOCATE#${slug}`, 'ADVOCATE');
/** `uid` is the merchant's own id of the advocate. No key contains the service's id of an advocate. */
export const advocateUidKey = (program: string, uid: string): Key =>
  key(`PROGRAM#${program}#ADVOCATE_UID#${uid}`, 'CLAIM');
/** Partition of the slugs of all advocates who have an address, by its hash. */
export const advocateEmails = (program: string, address: string): string =>
  `PROGRAM#${program}#ADVOCATE_EMAIL#${address}`;
export const advocateEmailKey = (program: string, address: string, slug: string): Key =>
  key(advocateEmails(program, address), slug);
export const referralKey = (program: string, id: string): Key => key(`PROGRAM#${program}#REFERRAL#${id}`, 'REFERRAL');
/** What a referral has brought: beside its row, so that payments do not write the row. */
export const moneyKey = (program: string, id: string): Key => key(referralKey(program, id).pk, 'MONEY');
export const isAdvocateKey = ({ sk }: Key): boolean => sk === 'ADVOCATE';
export const isMembersKey = ({ sk }: Key): boolean => sk === 'MEMBERS';
export const isApplicationKey = ({ sk }: Key): boolean => sk === 'APPLICATION';
export const isDraftKey = ({ sk }: Key): boolean => sk === DRAFT;
export const isSignInLinksKey = ({ sk }: Key): boolean => sk.startsWith(SIGN_IN_LINKS);
export const isReferralKey = ({ sk }: Key): boolean => sk === 'REFERRAL';
export const emailKey = (program: string, email: string): Key =>
  key(`PROGRAM#${program}#EMAIL#${hash(email)}`, 'CLAIM');
export const customerKey = (program: string, uid: string): Key =>
  key(`PROGRAM#${program}#CUSTOMER#${hash(uid)}`, 'CLAIM');
/** `name` is the result of `stripeCustomerName`. */
export const stripeCustomerKey = (program: string, name: string): Key =>
  key(`PROGRAM#${program}#STRIPE_CUSTOMER#${name}`, 'CLAIM');
/** The name of the claim of a customer at Stripe. */
export const stripeCustomerName = (id: string): string => hash(id);
export const idempotencyRecordKey = (program: string, record: string): Key =>
  key(`PROGRAM#${program}#IDEMPOTENCY#${record}`, 'IDEMPOTENCY');
export const webhookKey = (program: string, id: string): Key => key(`PROGRAM#${program}#WEBHOOK#${id}`, 'WEBHOOK');
/** The sums of a program's month: of one advocate, or of all (`null`); of its money, of one currency. */
export const statisticsKey = (program: string, month: Month, slug: string | null, currency?: string): Key =>
  key(`PROGRAM#${program}#STATISTICS#${month}${currency === undefined ? '' : `#${currency}`}`, statisticsOwner(slug));
/** The lifetime sums of one advocate, or of the program (`null`): all in one partition. */
export const totalsKey = (program: string, slug: string | null): Key =>
  key(`PROGRAM#${program}#TOTALS`, statisticsOwner(slug));
const statisticsOwner = (slug: string | null): string => (slug === null ? 'ALL' : `${ADVOCATE_STATISTICS}${slug}`);
/** The month in the partition key of statistics. */
export const monthInKey = (partitionKey: string): Month => partitionKey.split('#')[3] ?? '';
/** The sort keys of the sums of advocates start with it. */
export const ADVOCATE_STATISTICS = 'ADVOCATE#';
/** Partition of the entries of the ledger of an advocate. */
export const ledgerPartition = (program: string, slug: string): string => `PROGRAM#${program}#LEDGER#${slug}`;
/** Entries of the ledger of an advocate sort by their time, then by id. */
export const entryKey = (program: string, slug: string, { createdAt, id }: Position): Key =>
  key(ledgerPartition(program, slug), sortKey(createdAt, id));
/** The sums of the entries of an advocate: a cache in a partition of its own, which readers may write. */
export const ledgerSumsKey = (program: string, slug: string): Key => key(`PROGRAM#${program}#SUMS#${slug}`, 'SUMS');
/** How many settlements of an advocate there are: every settlement counts itself, so it shows whether another came first. */
export const settlementCountKey = (program: string, slug: string): Key =>
  key(`PROGRAM#${program}#SETTLED#${slug}`, 'COUNT');
export const isEntryKey = ({ pk }: Key): boolean => /^PROGRAM#[^#]+#LEDGER#/.test(pk);
/** Partition of a payment and its refunds, by the hash of its id. */
export const paymentPartition = (program: string, hashed: string): string => `PROGRAM#${program}#PAYMENT#${hashed}`;
export const paymentKey = (program: string, paymentId: string): Key =>
  key(paymentPartition(program, hash(paymentId)), 'CLAIM');
/** Refunds and voids of a payment sort like their entries. */
export const paymentChangeKey = (program: string, paymentId: string, { createdAt, id }: Position): Key =>
  key(paymentKey(program, paymentId).pk, sortKey(createdAt, id));
/** The kinds of entries, besides payments, that have an id of the merchant's. */
export type ClaimedKind = 'refund' | 'adjustment' | 'settlement';
export const entryClaimKey = (program: string, kind: ClaimedKind, id: string): Key =>
  key(`PROGRAM#${program}#${kind.toUpperCase()}#${hash(id)}`, 'CLAIM');
/** How far a shard of the table's stream was counted. */
export const positionKey = (shard: string): Key => key(`STREAM#${shard}`, 'POSITION');
/** What a refused request may identify. */
export type RefusedKind = 'email' | 'customer' | 'click' | 'payment' | 'code';
/** The refusals of an identifier, which is hashed as in its claim. */
export const refusalsKey = (program: string, kind: RefusedKind, value: string): Key =>
  key(`PROGRAM#${program}#REFUSED_${kind.toUpperCase()}#${hash(value)}`, 'REFUSALS');
/** When an import last wrote referrals of a program. */
export const importNoteKey = (program: string): Key => key(programKey(program).pk, 'IMPORT');
/** Deliveries of a webhook sort by time. The id of the event separates deliveries of the same millisecond. */
export const deliveryKey = (program: string, webhook: string, startedAt: Milliseconds, eventId: string): Key =>
  key(webhookKey(program, webhook).pk, `${firstDeliveryKey(startedAt)}#${eventId}`);
/** The name of an idempotency record. It contains the route, because keys of different routes are independent. */
export const idempotencyRecordName = (route: string, key: string): string => hash(`${route}\n${key}`);

export const ALL_PROGRAMS = 'PROGRAMS';
export const programTokens = (program: string): string => `PROGRAM#${program}#TOKENS`;
/** Affiliate tokens have a partition of their own: a hundred thousand of them do not slow down program tokens. */
export const affiliateTokens = (program: string): string => `PROGRAM#${program}#AFFILIATE_TOKENS`;
/** Tokens from sign-ins are in no list of tokens. */
export const programSessions = (program: string): string => `PROGRAM#${program}#SESSIONS`;
export const programWebhooks = (program: string): string => `PROGRAM#${program}#WEBHOOKS`;
export const programAdvocates = (program: string): string => `PROGRAM#${program}#ADVOCATES`;
/** Partition of the payments, refunds and voids of a referral. It is short, because every entry contains it. */
export const referralEntries = (program: string, id: string): string => `${program}#REFERRAL#${id}`;
export const programSettlements = (program: string): string => `${program}#SETTLEMENTS`;
/** Partition of an advocate's referrals without its clicks. It is short, because every row contains it. */
export const advocateReferrals = (program: string, slug: string): string => `${program}#${slug}`;
export const advocateState = (program: string, slug: string, state: string): string =>
  `${advocateReferrals(program, slug)}#${state}`;
/** Partition of a program's referrals in a state, without clicks. */
export const programState = (program: string, state: string): string => `${program}#${state}`;
/** The program in the partition key of an item. */
export const programInKey = (partitionKey: string): string => partitionKey.split('#')[1] ?? '';
/** The slug in a partition of `advocateReferrals` or `advocateState`. */
export const slugInPartition = (partition: string): string => partition.split('#')[1] ?? '';
/**
 * Clicks and referrals with a sub id have separate partitions, because clicks outnumber referrals by far. The sub id is
 * hashed, because a long one would make every click cost more.
 */
export const advocateSubId = (program: string, slug: string, clicked: boolean, subId: string): string =>
  `${program}#${hash(`${slug}#${clicked ? 'CLICKS' : 'REFERRALS'}#${subId}`, 'base64url')}`;

const MILLISECOND_DIGITS = 15;
const DELIVERY = 'DELIVERY#';
/** Ids of events have letters, digits, dots and hyphens. */
const DELIVERY_POSITION = /* @__PURE__ */ new RegExp(`^\\d{${MILLISECOND_DIGITS}}#[\\w.-]{1,200}$`);
/** A string that sorts before the sort keys of all deliveries from a moment on, and after all earlier deliveries. */
export const firstDeliveryKey = (moment: Milliseconds): string =>
  `${DELIVERY}${String(Math.floor(moment)).padStart(MILLISECOND_DIGITS, '0')}`;
/** The position of a delivery among the deliveries of its webhook: its sort key without the common start. */
export const deliveryPosition = (sortKey: string): string => sortKey.slice(DELIVERY.length);
export const isDeliveryPosition = (text: string): boolean => DELIVERY_POSITION.test(text);
export const deliverySortKey = (position: string): string => DELIVERY + position;
/** A string that sorts after the sort keys of all deliveries. */
export const AFTER_DELIVERIES = `${DELIVERY}~`;

const SECOND_DIGITS = 12;
const POSITION = /* @__PURE__ */ new RegExp(`^\\d{${SECOND_DIGITS}}#${UUIDV7_PATTERN}$`);

/** Sort key of every index: by second, then by id. Seconds are zero-padded, so that strings sort like numbers. */
export const sortKey = (second: Seconds, id: string): string => `${firstSortKey(second)}#${id}`;
/** A string that sorts before all sort keys of a second, and after all of the second before. */
export const firstSortKey = (second: Seconds): string => String(second).padStart(SECOND_DIGITS, '0');
/** True for a well-formed sort key. */
export const isSortKey = (text: string): boolean => POSITION.test(text);
/** A string that sorts before a sort key and after every lower one. */
export const justBefore = (sortKey: string): string => {
  const last = sortKey.length - 1;
  return `${sortKey.slice(0, last)}${String.fromCharCode(sortKey.charCodeAt(last) - 1)}~`;
};

/** Parses a sort key. Throws `RangeError` if its time is not valid. */
export const parseSortKey = (sortKey: string): { readonly second: Seconds; readonly id: string } => ({
  second: seconds(Number(sortKey.slice(0, SECOND_DIGITS))),
  id: lastPart(sortKey),
});
/** The last part of a key: a referral's id. */
export const lastPart = (key: string): string => key.slice(key.lastIndexOf('#') + 1);

function key(pk: string, sk: string): Key {
  return { [PARTITION_KEY]: pk, [SORT_KEY]: sk };
}

function hash(text: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}
