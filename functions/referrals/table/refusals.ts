import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { LimitedMap } from '../../kernel/cache.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, optional, required, withoutNulls } from '../../kernel/dynamodb/item.ts';
import { advocateKey, advocateUidKey, type Key, type RefusedKind, refusalsKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { put } from '../../kernel/dynamodb/writes.ts';
import { list, number, oneOf, record, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { type Clock, type Seconds, secondOf } from '../../kernel/time.ts';
import type { CustomerReference } from '../rules/referral.ts';
import {
  addRefusal,
  type Identifiers,
  NO_IDENTIFIERS,
  REFUSAL_OUTCOMES,
  REFUSALS_KEPT_FOR,
  type Refusal,
  type RefusedRequest,
  recentRefusals,
} from '../rules/refusal.ts';
import { ACTORS } from '../rules/state.ts';

/** Records a refused request before its response. It never fails, and stops after a moment. */
export type RecordRefusal = (table: Table, program: string, request: RefusedRequest) => Promise<void>;

/** The refused requests of a program that a process records in a second: more would only cost money. */
const MAX_A_SECOND = 5;
/** The longest time that a response waits for the record, in milliseconds. */
const LONGEST = 2000;
/** The programs whose refusals a process counts. */
const MAX_PROGRAMS = 1000;

/** Returns a function that records refused requests, with one read and one conditional write for each identifier. */
export function refusalRecorder(clock: Clock): RecordRefusal {
  const counts = new LimitedMap<{ readonly second: Seconds; readonly count: number }>(MAX_PROGRAMS);
  return async (table, program, request) => {
    const keys = refusalKeys(program, request.identifiers);
    const second = secondOf(clock());
    const known = counts.get(program);
    const count = known?.second === second ? known.count : 0;
    if (keys.length === 0 || count === MAX_A_SECOND) return;
    counts.set(program, { second, count: count + 1 });
    // The refusal is the response, whatever becomes of its record.
    await writeRefusal(table.forOneOperation(LONGEST), program, { request, keys }).catch(() => undefined);
  };
}

async function writeRefusal(
  table: Table,
  program: string,
  { request, keys }: { readonly request: RefusedRequest; readonly keys: readonly Key[] },
): Promise<void> {
  const { advocate, source, eventId } = request;
  const [found, ...items] = await batchGet(table, [advocate ? keyOf(program, advocate) : undefined, ...keys]);
  const target = found && parseAttributionTarget(found);
  const isInactive = target?.active === false;
  const given = advocate && 'slug' in advocate ? advocate.slug : null;
  const refusal: Refusal = {
    at: secondOf(table.clock()),
    source,
    outcome: request.outcome === 'no_advocate' ? (isInactive ? 'inactive_advocate' : 'unknown_slug') : request.outcome,
    advocateSlug: given ?? target?.slug ?? null,
    code: request.identifiers.code,
    eventId,
  };
  // Not in a transaction, which would cost twice as much. Another refusal at the same moment wins.
  await Promise.all(keys.map((key, index) => add(table, key, items[index], refusal)));
}

/** Adds a refusal to what was read of an identifier. Returns false if another write came first. */
async function add(table: Table, key: Key, item: Item | undefined, refusal: Refusal): Promise<boolean> {
  const known = parseRefusals(item, refusal.at);
  const refusals = addRefusal(known, refusal);
  if (refusals === known) return true;
  const version = item ? required(item, 'version', number) : 0;
  const changed = {
    ...key,
    refusals: refusals.map(toAttributes),
    version: version + 1,
    [EXPIRY_ATTRIBUTE]: refusal.at + REFUSALS_KEPT_FOR,
  };
  const failed = await put(table, changed, item ? unchangedSince({ version }) : NOT_EXISTS);
  return failed === undefined;
}

function keyOf(program: string, advocate: NonNullable<RefusedRequest['advocate']>): Key {
  return 'slug' in advocate ? advocateKey(program, advocate.slug) : advocateUidKey(program, advocate.uid);
}

/** Returns the keys of the refusals of identifiers. */
export function refusalKeys(program: string, { email, uid, clickId, paymentId, code }: Identifiers): Key[] {
  const kinds: readonly (readonly [RefusedKind, string | null])[] = [
    ['email', email],
    ['customer', uid],
    ['click', clickId],
    ['payment', paymentId],
    ['code', code],
  ];
  return kinds.flatMap(([kind, value]) => (value === null ? [] : [refusalsKey(program, kind, value)]));
}

/** Parses the recent refusals of an identifier. Throws `MalformedItem`. */
export function parseRefusals(item: Item | undefined, now: Seconds): readonly Refusal[] {
  const refusals = item ? required(item, 'refusals', list) : [];
  return recentRefusals(
    refusals.map((value) => parseRefusal(record(value) ?? {})),
    now,
  );
}

function parseRefusal(item: Item): Refusal {
  return {
    at: required(item, 'at', wholeSeconds),
    source: required(item, 'source', oneOf(ACTORS)),
    outcome: required(item, 'outcome', oneOf(REFUSAL_OUTCOMES)),
    advocateSlug: optional(item, 'affiliate_slug', text),
    code: optional(item, 'code', text),
    eventId: optional(item, 'event', text),
  };
}

function toAttributes({ at, source, outcome, advocateSlug: affiliate_slug, code, eventId: event }: Refusal): Item {
  return withoutNulls({ at, source, outcome, affiliate_slug, code, event });
}

/** Returns the keys of the refusals of a person, whether there are any or not. */
export function refusalKeysOf(program: string, { id: clickId, email, uid }: CustomerReference): Key[] {
  return refusalKeys(program, { ...NO_IDENTIFIERS, clickId, email, uid });
}
