import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { type Day, dayOf } from '../../kernel/days.ts';
import { indexPages, pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { Seconds } from '../../kernel/time.ts';
import { parseEntry } from '../../ledger/table/entries.ts';
import { entryPages } from '../../ledger/table/sums.ts';
import { parseListedReferral, parseReferral } from '../../referrals/table/referral-item.ts';
import { type Addend, addendOf, addendsOf, type Field } from '../rules/addend.ts';
import { type Occurrence, occurrencesIn } from '../rules/occurrences.ts';

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

/** Computes the numbers of all days of a program from its rows, their histories and its ledger. */
export async function computedSums(table: Table, program: string): Promise<Sums> {
  const sums: Sums = new Map();
  for await (const { amount, ...addend } of addendsInRows(table, program)) {
    for (const slug of [null, addend.slug]) addTo(sums, { ...addend, slug }, BigInt(amount));
  }
  return sums;
}

/** Reads all rows of a program, advocate by advocate. */
async function* addendsInRows(table: Table, program: string): AsyncGenerator<Addend, void> {
  for await (const advocates of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { slug } of advocates.map(parseListedAdvocate)) {
      // Clicks last: a click that converts in between is missing instead of counted twice, and clicks are never lowered.
      for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
        yield* items.map(parseReferral).flatMap(occurrencesIn).map(addendOf);
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
