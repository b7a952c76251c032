import { findAdvocate, parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { advocateReferrals, advocateState, type Key, keyOf, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { prefetch } from '../../kernel/dynamodb/prefetch.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { wholeSeconds } from '../../kernel/fields/parsers.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import { ENTRY_EVENT_TYPES, eventOfEntry } from '../../ledger/rules/entry-event.ts';
import { entriesWithin, findEntry } from '../../ledger/table/past-entries.ts';
import { APPLICATION_EVENT_TYPES } from '../../people/rules/applications/application-event.ts';
import { eventsOfId, pastApplicationEvents } from '../../people/table/applications/events.ts';
import { eventsOf, subjectOfEvent } from '../../referrals/rules/referral-event.ts';
import { findReferral } from '../../referrals/table/customers.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import type { EventType, WebhookEvent } from '../rules/event.ts';

/** An event, and the service's id of the advocate; `null` if the advocate does not exist, or for an entry. */
export interface PastEvent {
  readonly event: WebhookEvent;
  readonly advocateId: string | null;
}

/** The events of some referrals, or of some entries of the ledger. */
export interface PastEventsPage {
  /** Number of referrals or entries that were read. */
  readonly rows: number;
  readonly events: readonly PastEvent[];
}

/** The events to rebuild. */
interface Selection {
  readonly types: readonly EventType[];
  readonly setAt: SecondsRange;
}

/** Number of advocates that are read ahead at the same time. */
const AT_ONCE = 4;
/** Referrals in one batch of reads. */
const BATCH = 100;
/** No index contains histories. Only referrals that changed since the start of the range can have events in it. */
const CANDIDATE = [PARTITION_KEY, SORT_KEY, 'updated_at'];

/**
 * Rebuilds the events of a program from the histories of its referrals, its ledger and its applications, page by page:
 * by advocate, each referral's events oldest first, with their original ids, then the events of applications. Reads clicks only if `types` contains them.
 * A referral that moves to another advocate during the run may be missing or occur twice.
 */
export async function* pastEvents(
  table: Table,
  program: string,
  types: readonly EventType[],
  setAt: SecondsRange,
): AsyncGenerator<PastEventsPage, void> {
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    const advocates = rows.map((row) => eventsOfAdvocate(table, program, parseListedAdvocate(row), { types, setAt }));
    yield* prefetch(advocates, AT_ONCE);
  }
  if (APPLICATION_EVENT_TYPES.some((type) => types.includes(type)))
    yield* eventsOfApplications(table, program, { types, setAt });
}

async function* eventsOfApplications(
  table: Table,
  program: string,
  selection: Selection,
): AsyncGenerator<PastEventsPage, void> {
  for await (const { rows, events } of pastApplicationEvents(table, program, selection.setAt.from)) {
    const found = events.filter((event) => isSelected(selection, event));
    yield { rows, events: found.map((event) => ({ event, advocateId: null })) };
  }
}

const isSelected = ({ types, setAt }: Selection, event: WebhookEvent): boolean =>
  types.includes(event.type) && event.setAt >= setAt.from && event.setAt < setAt.to;

async function* eventsOfAdvocate(
  table: Table,
  program: string,
  advocate: { readonly slug: string; readonly id: string },
  selection: Selection,
): AsyncGenerator<PastEventsPage, void> {
  const { types } = selection;
  for await (const keys of candidates(table, program, advocate.slug, selection)) {
    const items = (await batchGet(table, keys)).filter((item) => item !== undefined);
    const found = items
      .flatMap((item) => eventsOf(parseReferral(item)))
      .filter((event) => isSelected(selection, event));
    const events = await Promise.all(
      found.map(async (event) => {
        const isOther = event.affiliateSlug !== advocate.slug;
        const owner = isOther ? await findAdvocate(table, program, event.affiliateSlug) : advocate;
        return { event, advocateId: owner?.id ?? null };
      }),
    );
    yield { rows: keys.length, events };
  }
  if (ENTRY_EVENT_TYPES.some((type) => types.includes(type)))
    yield* eventsOfEntries(table, program, advocate.slug, selection);
}

async function* eventsOfEntries(
  table: Table,
  program: string,
  slug: string,
  { types, setAt }: Selection,
): AsyncGenerator<PastEventsPage, void> {
  for await (const entries of entriesWithin(table, { program, slug }, setAt)) {
    const found = entries.flatMap((entry) => eventOfEntry(entry) ?? []).filter(({ type }) => types.includes(type));
    yield { rows: entries.length, events: found.map((event) => ({ event, advocateId: null })) };
  }
}

/** Finds the referrals of an advocate that may have events in the range, in batches of keys. */
async function* candidates(
  table: Table,
  program: string,
  slug: string,
  { types, setAt }: Selection,
): AsyncGenerator<readonly Key[], void> {
  const clicks = indexPages(table, 'by_state', advocateState(program, slug, 'clicked'), CANDIDATE);
  const referrals = indexPages(table, 'by_created_at', advocateReferrals(program, slug), CANDIDATE);
  const isCandidate = (row: Item) => required(row, 'updated_at', wholeSeconds) >= setAt.from;
  let keys = new Map<string, Key>();
  // Clicks first: a click that converts during the run occurs twice instead of not at all.
  for (const pages of types.includes('referral.clicked') ? [clicks, referrals] : [referrals]) {
    for await (const rows of pages) {
      for (const key of rows.filter(isCandidate).map(keyOf)) {
        // DynamoDB rejects a batch that contains a key twice.
        keys.set(key[PARTITION_KEY], key);
        if (keys.size < BATCH) continue;
        yield [...keys.values()];
        keys = new Map();
      }
    }
  }
  if (keys.size > 0) yield [...keys.values()];
}

/**
 * Rebuilds one event of a program from the history of its referral, or from its entry. Returns `undefined` if the
 * program has no such change, or its history no longer contains it. Throws `InvalidField` for a malformed id.
 */
export async function findPastEvent(table: Table, program: string, id: string): Promise<PastEvent | undefined> {
  const subject = subjectOfEvent(id);
  const referral = await findReferral(table, program, subject);
  if (!referral) {
    const entry = await findEntry(table, program, subject);
    const own = entry ? [eventOfEntry(entry)] : await eventsOfId(table, program, subject);
    const event = own.find((each) => each?.id === id);
    return event && { event, advocateId: null };
  }
  const event = eventsOf(referral).find((each) => each.id === id);
  if (!event) return undefined;
  const advocate = await findAdvocate(table, program, event.affiliateSlug);
  return { event, advocateId: advocate?.id ?? null };
}
