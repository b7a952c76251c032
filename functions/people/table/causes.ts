import type { DynamoDBRecord } from 'aws-lambda';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { parseMembers } from '../../kernel/accounts/table/members.ts';
import { dayOf } from '../../kernel/days.ts';
import { type Item, optional, parseFields, required } from '../../kernel/dynamodb/item.ts';
import {
  isAdvocateKey,
  isApplicationKey,
  isDraftKey,
  isMembersKey,
  isSignInLinksKey,
  keyOf,
  lastPart,
  programInKey,
} from '../../kernel/dynamodb/keys.ts';
import { toItem } from '../../kernel/dynamodb/stream-image.ts';
import { oneOf, text } from '../../kernel/fields/parsers.ts';
import { newEntryOf } from '../../ledger/table/stream.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { eventsBetween } from '../../referrals/rules/referral-event.ts';
import { referralWriteOf } from '../../referrals/table/stream.ts';
import { APPLICATION_FIELDS } from '../rules/applications/application-fields.ts';
import type { Change, EmailCause } from '../rules/email-cause.ts';
import { PAGES } from '../rules/link-budget.ts';
import { isSent } from './applications/items.ts';

/** What a record of the stream causes. */
export interface Caused {
  readonly program: string;
  readonly causes: readonly EmailCause[];
  /** The address of an advocate before a change of it. */
  readonly previous?: { readonly slug: string; readonly version: number; readonly previous: string };
}

/**
 * Returns the emails that a record of the stream causes; `undefined` if there are none. Imports cause none. Throws
 * `MalformedItem`.
 */
export function causedBy(streamRecord: DynamoDBRecord): Caused | undefined {
  const entry = newEntryOf(streamRecord);
  if (entry) {
    const { kind, by, advocateSlug: slug, createdAt, id } = entry.entry;
    if (kind !== 'settlement' || by === 'import') return undefined;
    return { program: entry.program, causes: [{ kind: 'settled', slug, createdAt, entry: id }] };
  }
  const write = referralWriteOf(streamRecord);
  if (write) return { program: write.program, causes: firstPayment(write.before, write.after) };
  const { OldImage, NewImage } = streamRecord.dynamodb ?? {};
  if (!NewImage) return undefined;
  const after = toItem(NewImage);
  const before = OldImage && toItem(OldImage);
  const key = keyOf(after);
  const program = programInKey(key.pk);
  if (isSignInLinksKey(key)) return { program, causes: signInOf(lastPart(key.pk), before, after) };
  if (isMembersKey(key)) return { program, causes: invitationsOf(before, after) };
  if (isDraftKey(key)) return { program, causes: confirmationOf(lastPart(key.pk), before, after) };
  if (isApplicationKey(key)) return { program, causes: decisionOf(before, after) };
  if (!isAdvocateKey(key) || !before) return undefined;
  const [old, present] = [parseAdvocate(before), parseAdvocate(after)];
  const change = accountChange(old, present);
  return { program, ...change, causes: [...change.causes, ...inviteOf(old, present)] };
}

/** A customer paid for the first time, by a payment or by its state. */
function firstPayment(before: Referral | null, after: Referral): EmailCause[] {
  if ((before?.paidAt ?? null) !== null) return [];
  const paid = eventsBetween(before, after).find(({ type }) => type === 'referral.paid');
  return paid ? [{ kind: 'paying', slug: after.advocateSlug, day: dayOf(paid.setAt) }] : [];
}

/** A request that the limits allowed has an id of its own. */
function signInOf(address: string, before: Item | undefined, after: Item): EmailCause[] {
  const request = required(after, 'request', text);
  if (before && optional(before, 'request', text) === request) return [];
  const page = required(after, 'sk', (value) => oneOf(PAGES)(lastPart(String(value))));
  return [{ kind: 'sign_in', page, address, request }];
}

function invitationsOf(before: Item | undefined, after: Item): EmailCause[] {
  const known = new Set(parseMembers(before).members.map(({ id }) => id));
  const added = parseMembers(after).members.filter(({ id }) => !known.has(id));
  return added.map(({ id }) => ({ kind: 'invited', member: id }));
}

/** Something new that the limits allow to confirm. */
function confirmationOf(address: string, before: Item | undefined, after: Item): EmailCause[] {
  const application = required(after, 'id', text);
  const isNew = before === undefined || required(before, 'id', text) !== application;
  return isNew && isSent(after) ? [{ kind: 'confirm', address, application }] : [];
}

/** An application that waits, or was decided. */
function decisionOf(before: Item | undefined, after: Item): EmailCause[] {
  const { id, state, slug, confirmedAt } = parseFields(APPLICATION_FIELDS, after);
  if (before && required(before, 'state', text) === state) return [];
  switch (state) {
    case 'unconfirmed':
      return [];
    case 'pending':
      return [{ kind: 'waiting', application: id, day: dayOf(confirmedAt ?? 0) }];
    case 'approved':
      return slug === null ? [] : [{ kind: 'approved', slug, request: id }];
    case 'rejected':
      return [{ kind: 'rejected', application: id }];
  }
}

/** The merchant invited an advocate. */
const inviteOf = (before: Advocate, { slug, invitedAt }: Advocate): EmailCause[] =>
  invitedAt === null || invitedAt === before.invitedAt ? [] : [{ kind: 'approved', slug, request: `${invitedAt}` }];

/** A change of the account or the address of a person. An erasure is neither. */
function accountChange(before: Advocate, after: Advocate): Omit<Caused, 'program'> {
  const { slug, version } = after;
  const hasEmail = before.email !== after.email;
  const changes: Change[] = [
    ...(before.payoutVersion === after.payoutVersion ? [] : (['payout_account'] as const)),
    ...(hasEmail ? (['email'] as const) : []),
  ];
  if (after.erasedAt !== null || changes.length === 0) return { causes: [] };
  const cause = { kind: 'account_changed', slug, version, changes } as const;
  if (!hasEmail || before.email === null) return { causes: [{ ...cause, to: 'now' }] };
  return {
    causes: [
      { ...cause, to: 'now' },
      { ...cause, to: 'before' },
    ],
    previous: { slug, version, previous: before.email },
  };
}
