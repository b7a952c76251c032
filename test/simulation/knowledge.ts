import { isDeepStrictEqual } from 'node:util';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import { customerKey, emailKey, type Key } from '../../functions/kernel/dynamodb/keys.ts';
import type { State } from '../../functions/referrals/rules/state.ts';
import type { EventType } from '../../functions/webhooks/rules/event.ts';
import type { OracleRule } from '../support/ledger/rules-oracle.ts';
import type { LedgerOracle } from '../support/stripe/ledger-oracle.ts';
import type { ApiRequest } from './service.ts';
import type { Shop } from './shops.ts';

/** The promises that every world must keep. Their names stand in docs/contract.md beside the promises. */
export const PROMISES = {
  'unique-customer': 'A program has at most one referral per email, uid and customer at Stripe.',
  claims: 'Claims and rows are one to one, and copies equal their originals.',
  history: 'The last state of a history is the state of its referral, and all times are in order.',
  acknowledged: 'What a response confirmed is in the table.',
  refused: 'What a response refused left nothing in the table.',
  'own-conflict': 'Nobody gets a conflict because of their own write.',
  erased: 'Nothing leads to an erased person.',
  tenants: 'Nobody gets data of another program.',
  indexes: 'Indexes equal the rows.',
  lists: 'Lists equal the rows.',
  counts: 'Counts equal the rows.',
  explanations: 'Explanations equal what happened.',
  rules: 'Each commission follows from the terms of its referral, the number of the payment, and the customers seen.',
  codes: 'A code has one owner forever, and a promotion code of Stripe belongs to one code.',
  uploads: 'A logo is one upload as a whole, with its type and version, as is a list of resources.',
  ledger: 'Each acknowledged entry is stored once and unchanged, and the entries of a payment add up.',
  statistics: 'Statistics count each change once.',
  events: 'Each change has one event id, and each destination gets it.',
  delay: 'Revoked tokens, ended sessions and deleted webhooks have no effect after 30 seconds.',
  emails: 'Each email has a cause, is sent at most once, and never goes to somebody who was erased or removed.',
  'sign-in': 'No response says whether somebody has an address.',
  'codes-once': 'The code of a link creates at most one session, and nothing else creates one.',
  applications:
    'An application is decided once, an approved one has exactly one advocate, and only the link of its address confirms it.',
  pending: 'No run pays to a pending payout account, and undoing a change restores the account before it.',
  members: 'A program with an admin keeps one, and has at most 100 members.',
  privacy: 'No key, message, mark or log contains an address, a token or a code.',
  status: 'Every response has a documented status.',
  deadline: 'Every request ends before its deadline.',
  progress: 'Every request is answered, and every world ends.',
} as const;

export type PromiseName = keyof typeof PROMISES;

/** A customer of exactly one caller, and what this caller was told about it last. */
export interface OwnCustomer {
  readonly shop: Shop;
  readonly id: string;
  readonly email: string | null;
  readonly uid: string | null;
  slug: string;
  state: State;
  erased: boolean;
  readonly conversion?: KeyedConversion | undefined;
  /** True while a request of its caller is under way, whose effect is not known. */
  busy: boolean;
}

/** A conversion with an `Idempotency-Key`, and its first response. */
export interface KeyedConversion {
  readonly request: ApiRequest;
  readonly body: string;
  /** The last moment, in milliseconds, at which the key surely has its effect. */
  readonly validUntil: number;
}

/** An advocate of exactly one caller, and its fields as this caller was told last. */
export interface OwnAdvocate {
  readonly shop: Shop;
  readonly slug: string;
  fields: Partial<Advocate>;
  busy: boolean;
}

/** A webhook. Its receiver must get all events between two moments; `null`: never, or not yet known. */
export interface KnownWebhook {
  readonly id: string;
  readonly shop: Shop;
  /** It receives events from this second on. */
  completeFrom: number | null;
  /** It receives nothing after this moment, in milliseconds. */
  deletedAt: number | null;
  readonly types: readonly EventType[];
}

/** A customer whose payments only Stripe reports, and what they are worth. */
export interface BilledCustomer {
  readonly shop: Shop;
  readonly slug: string;
  readonly oracle: LedgerOracle;
  /** The ids of the payments that an operator has voided. */
  readonly voided: Set<string>;
  /** True while events or a void of its caller are under way. */
  busy: boolean;
}

/** A payment of an imported file. */
export interface ImportedPayment {
  readonly shop: Shop;
  readonly id: string;
  readonly amount: number;
  readonly refunded: number;
  readonly settled: number;
}

/** An advocate without a rate of its own, whose group or program decides. */
export interface Member {
  readonly shop: Shop;
  readonly slug: string;
}

/** A customer of a member, whom several callers report. */
export interface SharedCustomer {
  readonly shop: Shop;
  readonly uid: string;
}

/** An advocate who signs in with emails, of one caller at a time. */
export interface Person {
  readonly shop: Shop;
  readonly slug: string;
  /** The addresses it has had. It has the last one now. */
  readonly addresses: string[];
  erased: boolean;
  busy: boolean;
}

/** What the callers of a world were told, and which promises were broken. */
export class Knowledge {
  readonly own: OwnCustomer[] = [];
  readonly ownAdvocates: OwnAdvocate[] = [];
  /** The ids of referrals in successful responses. */
  readonly acknowledged = new Set<string>();
  /** Emails and uids of requests that were refused, and the claims that they do not have. */
  readonly refused: { readonly value: string; readonly claims: readonly Key[] }[] = [];
  /** The first response with each entry of the ledger, by program and id. */
  readonly entries = new Map<string, { readonly id: string }>();
  /** The entries of which Stripe was told, by program and id. */
  readonly reported = new Set<string>();
  readonly billed: BilledCustomer[] = [];
  /** Advocate, amount and currency of the payouts that were printed, by program and id. */
  readonly payouts = new Map<string, string>();
  readonly importedPayments: ImportedPayment[] = [];
  /** The lines of imported files, by program and sub id, and how many of them are clicks. */
  readonly imports = new Map<string, { readonly rows: number; readonly clicks: number }>();
  /** By the address of the receiver. */
  readonly webhooks = new Map<string, KnownWebhook>();
  readonly members: Member[] = [];
  readonly customers: SharedCustomer[] = [];
  /** Programs and names of groups that exist. */
  readonly groups = new Set<string>();
  /** The rules that were acknowledged, by program and id. */
  readonly rules = new Map<string, readonly OracleRule[]>();
  /** The owners of codes that were acknowledged, by program and code. */
  readonly codes = new Map<string, string>();
  readonly people: Person[] = [];
  /** The first response to somebody who asked for a link. */
  askedForLink: string | undefined;
  /** The first response to somebody who applied. */
  applied: string | undefined;
  /** The last click, which several callers convert. */
  lastClick: string | undefined;
  readonly broken: { readonly promise: PromiseName; readonly sentence: string }[] = [];

  /** Notes that an email or uid was refused. */
  refuse({ program: { id } }: Shop, value: string): void {
    this.refused.push({ value, claims: [emailKey(id, value), customerKey(id, value)] });
  }

  /** Notes an entry of a response. Later responses with the same entry must be equal. */
  noteEntry({ program }: Shop, entry: { readonly id: string }): void {
    const name = `${program.id} ${entry.id}`;
    const first = this.entries.get(name) ?? entry;
    if (!isDeepStrictEqual(first, entry)) this.report('ledger', `The entry ${name} was returned with other fields`);
    this.entries.set(name, first);
  }

  /** Notes that a promise was broken, and how. */
  report(promise: PromiseName, sentence: string): void {
    this.broken.push({ promise, sentence });
  }
}
