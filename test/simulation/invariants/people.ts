import { isDeepStrictEqual } from 'node:util';
import { MAX_MEMBERS } from '../../../functions/kernel/accounts/rules/member.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import { runOf } from '../../../functions/ledger/rules/payout-run.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import { KEYS } from '../fake/table.ts';
import type { PromiseName } from '../knowledge.ts';
import type { SentEmail } from '../mail.ts';
import type { PastItem } from '../past.ts';
import { leakIn } from '../privacy.ts';
import { type ApplicationCause, applications, hasHappened, isAboutApplication, recipientsOf } from './applications.ts';
import type { Check, Evidence } from './evidence.ts';
import { storedEntries } from './ledger.ts';

/** How long a request or a command may work with what it has read of an advocate, and how far a clock may be off. In milliseconds. */
const [REQUEST_AGE, COMMAND_AGE, SKEW] = [20_000, 120_000, 12_000];
/** An email about a change is sent at most once an hour, an invitation once a day, by clocks that differ. In milliseconds. */
const [HOUR, DAY] = [3_600_000 - 2 * SKEW, 86_400_000 - 2 * SKEW];

/** The promises about people that hold once no request is under way. */
export const ABOUT_PEOPLE = {
  *emails(evidence) {
    const last = new Map<string, number>();
    const paid = evidence.past
      .matching(/\nREFERRAL$/)
      .flatMap((versions) => versions.flatMap(({ item }) => payerOf(item)));
    const paying = new Set(paid);
    for (const email of evidence.mail.sent) {
      const { to, sentAt } = email;
      const [name, pause] = nameOf(evidence, email);
      if (sentAt - (last.get(name) ?? Number.NEGATIVE_INFINITY) < pause) yield `The email ${name} was sent twice`;
      last.set(name, sentAt);
      if (!addressesOf(evidence, email).includes(to)) yield `${to} got ${name}, but did not have the address any more`;
      if (!hasCause(evidence, email, paying)) yield `The email ${name} has no cause`;
    }
  },

  *'codes-once'({ sessions, mail }) {
    const sent = mail.sent.map(({ text }) => text).join();
    for (const [code, created] of sessions.byCode) {
      if (created.length > 1) yield `The code ${code} created ${created.length} sessions`;
      if (created.length > 0 && !sent.includes(code)) yield `The code ${code} was never sent`;
    }
  },

  applications,

  *pending(evidence) {
    for (const versions of evidence.past.matching(/\nADVOCATE$/)) yield* undoProblems(versions);
    for (const { program, entry } of storedEntries(evidence.table)) {
      if (!runOf(entry)) continue;
      const at = entry.createdAt * 1000;
      const from = at - SKEW - (entry.by === 'operator' ? COMMAND_AGE : REQUEST_AGE);
      const advocates = evidence.past.between(keys.advocateKey(program, entry.advocateSlug), from, at + SKEW);
      const isPending = advocates.every((item) => pendingUntil(item) > at + COMMAND_AGE);
      if (isPending) yield `The run paid ${entry.settlementId}, whose account was pending`;
    }
  },

  *members({ past }) {
    for (const versions of past.matching(/\nMEMBERS$/)) {
      let hadAdmin = false;
      for (const [index, { item }] of versions.entries()) {
        if (item?.['version'] !== index + 1) yield 'A write of members replaced another one';
        const members = membersIn(item);
        const hasAdmin = members.some(({ scopes }) => String(scopes).includes('admin'));
        if (hadAdmin && !hasAdmin) yield 'A program lost its last admin';
        if (members.length > MAX_MEMBERS) yield `A program has ${members.length} members`;
        hadAdmin ||= hasAdmin;
      }
    }
  },

  *privacy({ table, leaks }) {
    yield* leaks;
    const names = Object.values(KEYS).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
    for (const item of table.items.values()) {
      const places = names.map((name) => item[name]).join(' ');
      // What an address sent contains it, and so does an index.
      const isMark = /#(?:MAIL|SIGN_IN)#/.test(places) && item['sk'] !== keys.DRAFT;
      const leak = leakIn(places) ?? (isMark ? leakIn(JSON.stringify(item)) : undefined);
      if (leak !== undefined) yield `${item['sk']} contains ${leak}`;
    }
  },
} satisfies Partial<Record<PromiseName, Check>>;

type OtherCause = Exclude<EmailCause, ApplicationCause>;

const membersIn = (item: Item | undefined) => (item?.['members'] ?? []) as readonly Item[];

/** The name of an email, and the least time between two emails with it, in milliseconds. */
function nameOf({ past }: Evidence, { program, cause, to, readFrom, sentAt }: SentEmail): readonly [string, number] {
  if (cause.kind === 'invited') return [`${program} ${cause.kind} ${to}`, DAY];
  if (cause.kind === 'waiting') return [`${program} ${cause.kind} ${cause.day} ${to}`, Number.POSITIVE_INFINITY];
  if (cause.kind !== 'account_changed') return [`${program} ${JSON.stringify(cause)}`, Number.POSITIVE_INFINITY];
  const [advocate, ...others] = past.between(keys.advocateKey(program, cause.slug), readFrom, sentAt);
  // An undo is told, and what follows it; nobody knows which of several versions `mail` has read.
  const isPending = advocate && pendingUntil(advocate) > sentAt;
  const state = others.length > 0 ? sentAt : [advocate?.['tokens_revoked_at'], isPending];
  return [`${program} ${[cause.kind, cause.slug, cause.to, state]}`, HOUR];
}

/** The addresses, since `mail` began to read, of whoever should get an email. Nobody who is erased or removed has one. */
function addressesOf(evidence: Evidence, { program, cause, readFrom, sentAt }: SentEmail): unknown[] {
  const { past } = evidence;
  if (isAboutApplication(cause)) return recipientsOf(evidence, program, cause, [readFrom, sentAt]);
  const stored = (key: keys.Key) => past.between(key, readFrom, sentAt);
  if (cause.kind === 'invited' || (cause.kind === 'sign_in' && cause.page === 'dashboard')) {
    const members = stored(keys.membersKey(program)).flatMap(membersIn);
    return members.filter(({ id }) => cause.kind === 'sign_in' || cause.member === id).map(({ email }) => email);
  }
  if (cause.kind === 'sign_in') {
    const all = past.matching(/\nADVOCATE$/).map(([first]) => keys.keyOf(first?.item ?? {}));
    return all
      .filter(({ pk }) => keys.programInKey(pk) === program)
      .flatMap((key) => stored(key).map(({ email }) => email));
  }
  const key = keys.advocateKey(program, cause.slug);
  const addresses = stored(key).flatMap(({ email }) => email ?? []);
  const isBefore = cause.kind === 'account_changed' && cause.to === 'before' && addresses.length > 0;
  return isBefore ? past.of(key).map(({ item }) => item?.['email']) : addresses;
}

/** True if what an email says has happened. `paying` has the advocates for whom somebody paid. */
function hasCause(evidence: Evidence, { program, cause, to }: SentEmail, paying: ReadonlySet<string>): boolean {
  if (isAboutApplication(cause)) return hasHappened(evidence, program, cause);
  return isCausedBy(evidence, { program, cause, to }, paying);
}

function isCausedBy(
  { past, table }: Evidence,
  { program, cause, to }: Pick<SentEmail, 'program' | 'to'> & { readonly cause: OtherCause },
  paying: ReadonlySet<string>,
): boolean {
  switch (cause.kind) {
    case 'sign_in': {
      const links = past.of(keys.signInLinksKey(program, cause.address, cause.page));
      return addressHash(to) === cause.address && links.some(({ item }) => item?.['request'] === cause.request);
    }
    case 'invited':
      return true;
    case 'paying':
      return paying.has(`${program} ${cause.slug}`);
    case 'settled': {
      const entry = table.get({
        ...keys.entryKey(program, cause.slug, { createdAt: cause.createdAt, id: cause.entry }),
      });
      return entry?.['kind'] === 'settlement' && entry['by'] !== 'import';
    }
    case 'account_changed': {
      const versions = past.of(keys.advocateKey(program, cause.slug));
      const index = versions.findIndex(({ item }) => item?.['version'] === cause.version);
      const [before, after] = [versions[index - 1]?.item, versions[index]?.item];
      return before?.['email'] !== after?.['email'] || !isDeepStrictEqual(accountOf(before), accountOf(after));
    }
  }
}

/** The program and the advocate of a referral that was paid. */
function payerOf(item: Item | undefined): string[] {
  if (!item || item['paid_at'] === undefined) return [];
  return [`${keys.programInKey(String(item['pk']))} ${keys.slugInPartition(String(item['owner_state']))}`];
}

const accountOf = (item: Item = {}) => [item['payout_method'], item['payout_account']];
const pendingUntil = (item: Item) => Number(item['payout_pending_until'] ?? 0) * 1000;

/** Undoings that return to another account than the advocate had before its own change, or undo another change. */
function* undoProblems(versions: readonly PastItem[]): Iterable<string> {
  let original: unknown[] | undefined;
  for (const [index, { item, at }] of versions.entries()) {
    const before = versions[index - 1]?.item;
    if (!item || !before) continue;
    const isRevoked = item['tokens_revoked_at'] !== before['tokens_revoked_at'];
    const isUndone = isRevoked && before['payout_before'] !== undefined && item['payout_before'] === undefined;
    if (isUndone && !isDeepStrictEqual(accountOf(item), original))
      yield `${item['slug']} returned from ${accountOf(before)} to ${accountOf(item)} instead of ${original}`;
    if (pendingUntil(before) < at || pendingUntil(item) < at) original = undefined;
    if (pendingUntil(item) > at && !isDeepStrictEqual(accountOf(item), accountOf(before)))
      original ??= accountOf(before);
  }
}
