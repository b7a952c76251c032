import type { KeysIn } from '../../domain/field-list.ts';
import type { Referral } from '../../domain/referral/referral.ts';
import { NO_VALUES, type REFERRAL_FIELDS } from '../../domain/referral/referral-fields.ts';
import { parseListedAdvocate } from '../advocates.ts';
import { indexPages, pagesByOwner } from '../dynamodb/index-pages.ts';
import type { Table } from '../dynamodb/table.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../keys.ts';
import { parseListedReferral, parseReferral } from '../referrals/referral-item.ts';

/** A referral as an export contains it. */
export type ExportedReferral = Pick<Referral, 'id' | 'advocateSlug' | KeysIn<typeof REFERRAL_FIELDS, 'file'>>;

type Pages<Page> = AsyncGenerator<Page, void>;

/** Number of advocates that are read ahead at the same time. */
const AT_ONCE = 4;

/** Reads all referrals and clicks of a program page by page: by advocate, newest first. */
export async function* exportReferrals(table: Table, program: string): Pages<ExportedReferral[]> {
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    const advocates = rows.map((row) => pagesOfAdvocate(table, program, parseListedAdvocate(row).slug));
    yield* prefetch(advocates, AT_ONCE);
  }
}

async function* pagesOfAdvocate(table: Table, program: string, slug: string): Pages<ExportedReferral[]> {
  // Clicks first: a click that converts during the export is exported twice, with the same id, instead of not at all.
  for await (const rows of indexPages(table, 'by_state', advocateState(program, slug, 'clicked'))) {
    if (rows.length > 0) yield rows.map((row) => ({ ...NO_VALUES, ...parseListedReferral(row), advocateSlug: slug }));
  }
  // Indexes lack what no list returns. A click has nothing of the kind.
  for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
    if (items.length > 0) yield items.map(parseReferral);
  }
}

/**
 * Yields all pages of all sources in order. Reads ahead the first pages of the next `atOnce` sources and the next page
 * of the current one, so that table and consumer work at the same time.
 */
export async function* prefetch<Page>(sources: Iterable<Pages<Page>>, atOnce: number): Pages<Page> {
  const started: Pages<Page>[] = [];
  for (const source of sources) {
    started.push(prefetchNext(source));
    if (started.length > atOnce) yield* started.shift() ?? [];
  }
  for (const pages of started) yield* pages;
}

/**
 * Yields the same pages. Requests the first page immediately, and each later page before it yields the current page.
 */
function prefetchNext<Page>(pages: Pages<Page>): Pages<Page> {
  const request = () => {
    const requested = pages.next();
    // A consumer that stops early never awaits it, so its failure must not become an unhandled rejection.
    requested.catch(() => undefined);
    return requested;
  };
  let requested = request();
  async function* yieldAll(): Pages<Page> {
    for (let page = await requested; !page.done; page = await requested) {
      requested = request();
      yield page.value;
    }
  }
  return yieldAll();
}
