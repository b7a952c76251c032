import type { ReadTerms } from '../../kernel/accounts/rules/advocate-terms.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { type PromotionClaim, parsePromotionClaim } from '../../kernel/accounts/table/codes.ts';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, optional } from '../../kernel/dynamodb/item.ts';
import * as keys from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Outcome, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { checkWrite, deleteWrite, type LabelledWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { type Seconds, secondOf } from '../../kernel/time.ts';
import { applyLinks, hasMoreLinks } from '../../ledger/table/new-payment.ts';
import { storedPayment } from '../../ledger/table/payment-item.ts';
import { addProviderCustomer } from '../../referrals/rules/provider-changes.ts';
import { isErased, type Referral } from '../../referrals/rules/referral.ts';
import { claimedId, findReferral } from '../../referrals/table/customers.ts';
import { parseReferral, toReferralItem } from '../../referrals/table/referral-item.ts';
import { referralWrites } from '../../referrals/table/referrals.ts';
import { transitionCondition } from '../../referrals/table/transition-condition.ts';
import { isValidRecord, recordWrite } from '../../tracking/table/idempotency-record.ts';
import {
  applyEvent,
  convertByCheckout,
  type EventResult,
  type Ignored,
  isMismatched,
  type ProviderEvent,
} from '../rules/provider-event.ts';
import { noteApiVersion, parseApiVersion } from './api-version.ts';
import { creditCheckout } from './credit-checkout.ts';
import { ledgerChange } from './ledger-change.ts';

/** The items that an event refers to. */
interface References {
  /** The id of the referral that uid, provider's customer or email claims, in this order of precedence. */
  readonly claimed: string | undefined;
  /** True if the uid or the provider's customer claims it. */
  readonly isCertain: boolean;
  readonly click: Referral | undefined;
  readonly advocate: Item | undefined;
  /** What the promotion codes of a checkout lead to. */
  readonly promotions: readonly PromotionClaim[];
  /** The record of this checkout if it has created a referral before. */
  readonly created: Item | undefined;
  /** The name of the claim of the provider's customer; `null` if a referral has claimed it. */
  readonly unclaimedCustomer: string | null;
  /** True if the event was applied before. */
  readonly isDuplicate: boolean;
  /** What is stored under the id of the payment. */
  readonly payment: Item | undefined;
  /** The API version of the last checkout. */
  readonly apiVersion: string | undefined;
}

/** An attempt to apply an event, and what it found. */
interface Attempt {
  readonly table: Table;
  readonly program: Program;
  readonly event: ProviderEvent;
  readonly found: References;
  readonly now: Seconds;
  readonly termsOf: ReadTerms<Table>;
}

/** A record belongs to an event, or to a checkout that created a referral. */
type RecordKind = 'stripe' | 'stripe checkout';
type Write = LabelledWrite<string>;

/**
 * Applies an event of a payment provider: one batch read, one read of the referral and one transaction of the state, the
 * payment and the record of the event. Starts again if another write came first, until the deadline, however often: a
 * provider may send many events of a customer together, and each round of them applies at least one. An event whose
 * state is ignored writes nothing but its payment, unless a customer at Stripe must be stored. Throws `Unavailable`.
 */
export function applyProviderEvent(
  table: Table,
  program: Program,
  event: ProviderEvent,
  termsOf: ReadTerms<Table>,
): Promise<EventResult> {
  return retryOnConflict(table, async () => {
    const now = secondOf(table.clock());
    const found = await findAll(table, program.id, event, now);
    const outcome = await attempt({ table, program, event, found, now, termsOf });
    if (event.apiVersion !== null && 'result' in outcome) {
      await noteApiVersion(table, program.id, { before: found.apiVersion, version: event.apiVersion });
    }
    if (event.payment !== null && 'result' in outcome && hasMoreLinks(found.payment)) {
      await applyLinks(table, { program: program.id, by: 'stripe' }, event.payment.id);
    }
    return outcome;
  });
}

async function attempt(current: Attempt): Promise<Outcome<EventResult>> {
  const { table, program, event, found } = current;
  const isRecorded = event.payment === null || storedPayment(found.payment) !== undefined;
  if (found.isDuplicate && isRecorded) return ignore(current, 'duplicate');
  const before = await referralFor(table, program.id, found);
  if (!before) return create(current);
  // No claim leads to an erased referral: the person was erased since it was read, and may have converted again.
  if (found.claimed !== undefined && isErased(before)) return { conflict: undefined };
  if (found.isCertain || !isMismatched(before, event.customer, found.unclaimedCustomer)) {
    return change(current, before);
  }
  // The email is not free, so the event creates no referral either.
  if (found.claimed !== undefined) return ignore(current, 'mismatched_customer');
  return create(current, 'mismatched_customer');
}

/** Reads everything that the event refers to. Records and claims are read consistently: events of a customer race. */
async function findAll(table: Table, program: string, event: ProviderEvent, now: Seconds): Promise<References> {
  const { providerId } = event.customer;
  const claim = providerId === null ? null : keys.stripeCustomerName(providerId);
  const [record, checkout, byUid, byProvider, byEmail, click, advocate, payment, version, ...claims] = await batchGet(
    table,
    keysOf(program, event, claim),
  );
  const certain = byUid ?? byProvider;
  const first = certain ?? byEmail;
  return {
    claimed: first && claimedId(first),
    isCertain: certain !== undefined,
    click: click && parseReferral(click),
    advocate,
    promotions: claims.flatMap((claim) => (claim ? [parsePromotionClaim(claim)] : [])),
    created: isValidRecord(checkout, now) ? checkout : undefined,
    unclaimedCustomer: byProvider ? null : claim,
    isDuplicate: isValidRecord(record, now),
    payment,
    apiVersion: parseApiVersion(version),
  };
}

/** The keys of everything that the event refers to. `claim` is the name of its customer at the provider. */
function keysOf(program: string, event: ProviderEvent, claim: string | null): readonly (keys.Key | undefined)[] {
  const { uid, email, grId } = event.customer;
  return [
    recordKey(program, 'stripe', event.id),
    event.checkoutId === null ? undefined : checkoutKey(program, event.checkoutId),
    uid === null ? undefined : keys.customerKey(program, uid),
    claim === null ? undefined : keys.stripeCustomerKey(program, claim),
    email === null ? undefined : keys.emailKey(program, email),
    grId === null ? undefined : keys.referralKey(program, grId.clickId),
    grId === null || !event.isCheckout ? undefined : keys.advocateKey(program, grId.slug),
    event.payment === null ? undefined : keys.paymentKey(program, event.payment.id),
    event.apiVersion === null ? undefined : keys.apiVersionKey(program),
    ...event.promotions.map((id) => keys.promotionKey(program, id)),
  ];
}

/** Returns the customer's referral: the claimed referral, or else the converted click of the `gr_id`. */
async function referralFor(
  table: Table,
  program: string,
  { claimed, click }: References,
): Promise<Referral | undefined> {
  if (claimed === undefined) return click && click.convertedAt !== null ? click : undefined;
  return claimed === click?.id ? click : findReferral(table, program, claimed);
}

async function change(current: Attempt, before: Referral): Promise<Outcome<EventResult>> {
  const { table, program, event, found, now } = current;
  const claim = found.unclaimedCustomer;
  const applied = found.isDuplicate ? 'duplicate' : applyEvent(before, event, claim, now);
  const isIgnored = typeof applied === 'string';
  const after = isIgnored ? addProviderCustomer(before, claim) : applied;
  const { writes, entry } = await changeOfLedger(current, after);
  const result = withEntry(isIgnored ? { ignored: applied } : { applied: after.state }, entry);
  if (after === before && writes.length === 0) return { result };
  return store(
    table,
    program.id,
    [
      ...writes,
      after === before
        ? checkWrite('referral', keys.referralKey(program.id, before.id), unchangedSince(before))
        : putWrite('referral', toReferralItem(program.id, after), unchangedSince(before)),
      ...(isIgnored ? [] : [recordWrite('stripe', recordKey(program.id, 'stripe', event.id), now)]),
    ],
    { before, after, result },
  );
}

/** Ignores an event without a referral. Its payment may be known from elsewhere. */
async function ignore(current: Attempt, code: Ignored): Promise<Outcome<EventResult>> {
  const { writes, entry } = await changeOfLedger(current, undefined);
  const result = withEntry({ ignored: code }, entry);
  return writes.length === 0 ? { result } : commit(current.table, writes, result);
}

function changeOfLedger({ table, program, event, found }: Attempt, referral: Referral | undefined) {
  return ledgerChange(table, { program: program.id, by: 'stripe' }, event, { item: found.payment, referral });
}

function withEntry(result: EventResult, entry: string | undefined): EventResult {
  return entry === undefined ? result : { ...result, entry };
}

/** Creates the referral of a checkout. `otherwise` is the reason if there is nobody to create it for. */
async function create(current: Attempt, otherwise: Ignored = 'unknown_customer'): Promise<Outcome<EventResult>> {
  const { table, program, event, found, now } = current;
  const { click, created, isDuplicate, unclaimedCustomer } = found;
  if (isDuplicate) return ignore(current, 'duplicate');
  // Its referral was not found: the person was erased. The payment is recorded all the same.
  if (created) {
    const id = optional(created, 'referral', text);
    const erased = id === null ? undefined : await findReferral(table, program.id, id);
    return erased ? change(current, erased) : ignore(current, 'erased');
  }
  const credited = await creditCheckout(table, program, found);
  if (!credited) return ignore(current, otherwise);
  const { email, uid } = event.customer;
  if (email === null && uid === null) return ignore(current, 'no_identity');
  const newId = uuidv7(table.clock(), table.random);
  const terms = await current.termsOf(table, program, credited.target);
  const referral = convertByCheckout({ ...credited, terms, click, newId, event, claim: unclaimedCustomer, now });
  const condition = transitionCondition('conversion', 'converted', referral.id === click?.id ? 'clicked' : null);
  const { writes, entry } = await changeOfLedger(current, referral);
  const others = [
    ...writes,
    ...referralWrites(program.id, referral, condition),
    recordWrite('stripe', recordKey(program.id, 'stripe', event.id), now),
    ...(event.checkoutId === null
      ? []
      : [recordWrite('stripe checkout', checkoutKey(program.id, event.checkoutId), now, { referral: referral.id })]),
  ];
  const result = withEntry({ applied: referral.state }, entry);
  return store(table, program.id, others, { before: undefined, after: referral, result });
}

/** Stores a referral. Adds the claims of new provider's customers, and removes the claims of dropped customers. */
async function store(
  table: Table,
  program: string,
  writes: readonly Write[],
  { before, after, result }: { before: Referral | undefined; after: Referral; result: EventResult },
): Promise<Outcome<EventResult>> {
  const [known, kept] = [customersOf(before), customersOf(after)];
  const keyOf = (name: string) => keys.stripeCustomerKey(program, name);
  const added = kept.filter((name) => !known.includes(name));
  const dropped = known.filter((name) => !kept.includes(name));
  const all = [
    ...writes,
    ...added.map((name) => putWrite('claim', { ...keyOf(name), referral: after.id }, NOT_EXISTS)),
    ...dropped.map((name) => deleteWrite('claim', keyOf(name), notExistsOrSame('referral', after.id))),
  ];
  return commit(table, all, result);
}

const customersOf = (referral: Referral | undefined): readonly string[] => referral?.provider?.customers ?? [];

/** The key of the record of a checkout, which holds the id of the referral that it created: no person, once erased. */
function checkoutKey(program: string, id: string): keys.Key {
  return recordKey(program, 'stripe checkout', id);
}

/** The key of a record. The record of an event holds nothing but its expiry, so that it leads back to nobody. */
function recordKey(program: string, kind: RecordKind, id: string): keys.Key {
  return keys.idempotencyRecordKey(program, keys.idempotencyRecordName(kind, id));
}
