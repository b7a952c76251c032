import type { Month } from '../../../kernel/days.ts';
import { InvalidAffiliate, InvalidField } from '../../../kernel/errors.ts';
import { isSlug } from '../../../kernel/fields/fields.ts';
import { parseCurrency } from '../../../kernel/fields/money.ts';
import { type Paging, parsePaging, parseRange } from '../../../kernel/http/list.ts';
import { type Checked, missingChoice, type QueryEvent, validQuery } from '../../../kernel/http/validation.ts';
import { parseId } from '../../../kernel/ids.ts';
import type { Seconds } from '../../../kernel/time.ts';
import { parseEntryId } from '../../rules/entry-id.ts';
import { parseMonth, parseMonthRange } from '../../rules/months.ts';
import type { Statement } from '../../rules/statement.ts';
import type { EntryFilters, ReferralEntries } from '../../table/entry-pages.ts';
import {
  ADVOCATES_PER_PAGE,
  LEDGER_QUERY,
  OWN_LEDGER_QUERY,
  OWN_STATEMENTS_QUERY,
  STATEMENTS_QUERY,
} from './schema.ts';
import { ledgerQuery, ownLedgerQuery, ownStatementsQuery, statementsQuery } from './validators.js';

/** A page of the entries of an advocate. */
interface EntriesInput {
  readonly paging: Paging;
  readonly filters: EntryFilters;
}

/** Statements of the months of one advocate. */
interface StatementsInput {
  /** Newest first. */
  readonly months: readonly Month[];
  /** True for `from` and `to`, false for `month`. */
  readonly isRange: boolean;
}

/** The entries of a referral, or of one advocate that it had. */
interface ReferralEntriesInput {
  readonly paging: Paging;
  readonly referral: ReferralEntries;
}

const BY_VALUE = ['kind_eq', 'currency_eq'] as const;
const FILTERS = ['referral_id_eq', ...BY_VALUE, 'created_at_gt', 'created_at_lt'] as const;

/** Parses the query of an affiliate's ledger. Throws `InvalidField`. */
export function parseOwnLedgerQuery(event: QueryEvent): EntriesInput | ReferralEntriesInput {
  const query = validQuery(event, OWN_LEDGER_QUERY, ownLedgerQuery);
  return parseReferralEntries(query, undefined) ?? parseEntriesInput(query);
}

/**
 * Parses the query of a merchant's ledger: of an advocate, a payment or a referral. Throws `InvalidField` or
 * `InvalidAffiliate`.
 */
export function parseLedgerQuery(
  event: QueryEvent,
):
  | (EntriesInput & { readonly slug: string })
  | ReferralEntriesInput
  | { readonly paymentId: string; readonly paging: Paging } {
  const query = validQuery(event, LEDGER_QUERY, ledgerQuery);
  const { affiliate_slug, payment_id_eq } = query;
  if (payment_id_eq !== undefined) {
    const other = (['affiliate_slug', ...FILTERS] as const).find((name) => query[name] !== undefined);
    if (other !== undefined) throw new InvalidField(other, 'cannot be combined with payment_id_eq: remove one of them');
    return { paymentId: parseEntryId('payment_id_eq', payment_id_eq), paging: parsePaging(query) };
  }
  const slug = affiliate_slug === undefined ? undefined : parseSlug(affiliate_slug);
  const ofReferral = parseReferralEntries(query, slug);
  if (ofReferral) return ofReferral;
  if (slug === undefined) throw missingChoice(['affiliate_slug'], ['payment_id_eq'], ['referral_id_eq']);
  return { ...parseEntriesInput(query), slug };
}

function parseReferralEntries(
  query: Checked<typeof OWN_LEDGER_QUERY>,
  slug: string | undefined,
): ReferralEntriesInput | undefined {
  const { referral_id_eq, created_at_gt, created_at_lt } = query;
  if (referral_id_eq === undefined) return undefined;
  const other = BY_VALUE.find((name) => query[name] !== undefined);
  if (other !== undefined) throw new InvalidField(other, 'cannot be combined with referral_id_eq: remove one of them');
  const referralId = parseId('referral_id_eq', referral_id_eq);
  const createdAt = parseRange('created_at', created_at_gt, created_at_lt);
  return { paging: parsePaging(query), referral: { referralId, slug, createdAt } };
}

function parseEntriesInput(query: Checked<typeof OWN_LEDGER_QUERY>): EntriesInput {
  const { kind_eq, currency_eq, created_at_gt, created_at_lt } = query;
  return {
    paging: parsePaging(query),
    filters: {
      kind: kind_eq,
      currency: currency_eq === undefined ? undefined : parseCurrency('currency_eq', currency_eq),
      createdAt: parseRange('created_at', created_at_gt, created_at_lt),
    },
  };
}

/** Parses the query of an affiliate's statements. Throws `InvalidField`. */
export function parseOwnStatementsQuery(event: QueryEvent, now: Seconds): StatementsInput {
  return parseMonths(validQuery(event, OWN_STATEMENTS_QUERY, ownStatementsQuery), now);
}

/**
 * Parses the query of a merchant's statements: of one advocate, or a page of the statements of a month. Throws
 * `InvalidField` or `InvalidAffiliate`.
 */
export function parseStatementsQuery(
  event: QueryEvent,
  now: Seconds,
): (StatementsInput & { readonly slug: string }) | { readonly month: Month; readonly paging: Paging } {
  const query = validQuery(event, STATEMENTS_QUERY, statementsQuery);
  const { affiliate_slug, month, from, to, cursor, per_page } = query;
  if (affiliate_slug !== undefined) {
    const other = cursor === undefined ? per_page && 'per_page' : 'cursor';
    if (other) throw new InvalidField(other, 'cannot be combined with affiliate_slug: remove it');
    return { ...parseMonths(query, now), slug: parseSlug(affiliate_slug) };
  }
  const ofOne = from === undefined ? to && 'to' : 'from';
  if (ofOne) throw new InvalidField(ofOne, 'requires affiliate_slug: add it, or send month instead');
  if (month === undefined) throw new InvalidField('month', 'is required');
  const paging = { ...parsePaging(query), perPage: per_page ?? ADVOCATES_PER_PAGE };
  return { month: parseMonth('month', month, now), paging };
}

function parseMonths({ month, from, to }: Checked<typeof OWN_STATEMENTS_QUERY>, now: Seconds): StatementsInput {
  if (month !== undefined) {
    if (from !== undefined || to !== undefined)
      throw new InvalidField('month', 'cannot be combined with from and to: remove it');
    return { months: [parseMonth('month', month, now)], isRange: false };
  }
  if (from === undefined || to === undefined) throw missingChoice(['month'], ['from', 'to']);
  return { months: parseMonthRange(from, to, now), isRange: true };
}

function parseSlug(text: string): string {
  if (!isSlug(text)) throw new InvalidAffiliate();
  return text.toLowerCase();
}

/** Builds the resource of a statement. Its sums are `bigint`: `exactNumbers` keeps all their digits in JSON. */
export function toStatement(slug: string, { month, currencies }: Statement) {
  const shown = currencies.map(({ settlementCount: settlement_count, ...sums }) => ({ ...sums, settlement_count }));
  return { id: slug, type: 'statement', attributes: { month, currencies: shown } } as const;
}
