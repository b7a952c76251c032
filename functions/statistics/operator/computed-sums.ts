import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { type Day, dayOf } from '../../kernel/days.ts';
import { indexPages, pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { later, type Seconds } from '../../kernel/time.ts';
import { parseEntry } from '../../ledger/table/entries.ts';
import { entryPages } from '../../ledger/table/sums.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { parseListedReferral, parseReferral } from '../../referrals/table/referral-item.ts';
import { type Addend, addendOf, addendsOf, CUSTOMERS, type Field } from '../rules/addend.ts';
import { isPayingCustomer, type Occurrence, occurrencesIn } from '../rules/occurrences.ts';

/** One number: of an advocate (`null`: of the program), on a day (`null`: its lifetime total). */
export type Place = Field & { readonly day: Day | null; readonly slug: string | null };

/** Numbers that are not 0, and where they are, by `nameOf`. */
export type Sums = Map<string, { readonly place: Place; readonly value: bigint }>;

/** The name of a number. Names sort by day, advocate and kind: clicks come before rejections. */
export const nameOf = ({ day, slug, kind, currency }: Place): string =>
  `${day ?? ''} ${slug ?? ''} ${currency ?? ''} ${kind}`;

/** Adds to a number. */
export function addTo(sums: Sums, place: Place, value: bigint): void {
  const name = nameOf(place);
  const sum = (sums.get(name)?.value ?? 0n) + value;
  if (sum === 0n) sums.delete(name);
  else sums.set(name, { place, value: sum });
}

/** What follows from the rows of a program. */
export interface ComputedSums {
  /** The numbers of all days. */
  readonly days: Sums;
  /** The totals of customers who paid and are not rejected. */
  readonly customers: Sums;
  /** By slug: when a referral of the advocate, or one that it had, was last changed. */
  readonly changedAt: ReadonlyMap<string, Seconds>;
}

/** Computes the numbers of a program from its rows, their histories and its ledger. */
export async function computedSums(table: Table, program: string): Promise<ComputedSums> {
  const [days, customers]: [Sums, Sums] = [new Map(), new Map()];
  const changedAt = new Map<string, Seconds>();
  const addRow = (referral: Referral) => {
    const { advocateSlug: slug, updatedAt, history } = referral;
    if (isPayingCustomer(referral)) addTo(customers, { day: null, slug, kind: CUSTOMERS, currency: null }, 1n);
    for (const owner of [slug, ...history.flatMap((entry) => (entry.type === 'reassignment' ? [entry.from] : []))]) {
      changedAt.set(owner, later(updatedAt, changedAt.get(owner) ?? updatedAt));
    }
  };
  for await (const { amount, ...addend } of addendsInRows(table, program, addRow)) {
    for (const slug of [null, addend.slug]) addTo(days, { ...addend, slug }, BigInt(amount));
  }
  return { days, customers, changedAt };
}

/** Reads all rows of a program, advocate by advocate, and passes each referral on. */
async function* addendsInRows(
  table: Table,
  program: string,
  addRow: (referral: Referral) => void,
): AsyncGenerator<Addend, void> {
  for await (const advocates of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { slug } of advocates.map(parseListedAdvocate)) {
      // Clicks last: a click that converts in between is missing instead of counted twice, and clicks are never lowered.
      for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
        const referrals = items.map(parseReferral);
        referrals.forEach(addRow);
        yield* referrals.flatMap(occurrencesIn).map(addendOf);
      }
      for await (const rows of indexPages(table, 'by_state', advocateState(program, slug, 'clicked'))) {
        yield* rows.map(parseListedReferral).map(({ createdAt }) => addendOf(clickOf(createdAt, slug)));
      }
      for await (const { items } of entryPages(table, { program, slug }, '')) {
        yield* items.map(parseEntry).flatMap(addendsOf);
      }
    }
  }
}

const clickOf = (createdAt: Seconds, slug: string): Occurrence => ({ kind: 'clicks', day: dayOf(createdAt), slug });
