import type { Referral } from '../../domain/referral.ts';
import { listedAdvocateOf } from '../advocates.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../keys.ts';
import { type ListedReferral, listedReferralOf, referralOf } from '../referral-item.ts';
import type { Table } from '../table.ts';
import { indexPages, pagesByOwner } from './lists.ts';

/** A referral as an export tells it. */
export type ExportedReferral = ListedReferral & Pick<Referral, 'advocateSlug' | 'customerUid'>;

/** Advocates that are read at the same time. */
const AT_ONCE = 4;

/**
 * All referrals of a program with its clicks, page by page: advocate after advocate, the newest first. Each request has
 * a deadline of its own. Throws `Unavailable`.
 */
export async function* exportReferrals(table: Table, program: string): AsyncGenerator<ExportedReferral[], void> {
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    const slugs = rows.map((row) => listedAdvocateOf(row).slug);
    yield* prefetch(
      slugs.map((slug) => ofAdvocate(table, program, slug)),
      AT_ONCE,
    );
  }
}

async function* ofAdvocate(table: Table, program: string, slug: string): AsyncGenerator<ExportedReferral[], void> {
  // Clicks come first: one that converts meanwhile is told twice, with one id, where the other order would lose it.
  const clicks = advocateState(program, slug, 'clicked');
  for await (const rows of indexPages(table, 'by_state', clicks)) {
    const told = rows.map((row) => ({ ...listedReferralOf(row), advocateSlug: slug, customerUid: null }));
    if (told.length > 0) yield told;
  }
  // No index has a customer's uid: it is in the items themselves.
  for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
    yield items.map(referralOf);
  }
}

/** Pages that are read one after the other. */
type Pages<Page> = AsyncGenerator<Page, void>;

/**
 * Yields all pages of all sources in their order. The sources that come next are read already, as many as `atOnce`, and of
 * each the page that follows the one in use, so that whoever uses the pages and the table work at the same time.
 */
export async function* prefetch<Page>(sources: Iterable<Pages<Page>>, atOnce: number): Pages<Page> {
  const begun: Pages<Page>[] = [];
  for (const source of sources) {
    begun.push(pageAhead(source));
    if (begun.length > atOnce) yield* begun.shift() ?? [];
  }
  for (const pages of begun) yield* pages;
}

/** The same pages. The first one is asked for at once, and each other one before the page in front of it is used. */
function pageAhead<Page>(pages: Pages<Page>): Pages<Page> {
  const ask = () => {
    const asked = pages.next();
    // Who stops early never awaits it: then its failure is nobody's.
    asked.catch(() => undefined);
    return asked;
  };
  let asked = ask();
  async function* answers(): Pages<Page> {
    for (let page = await asked; !page.done; page = await asked) {
      asked = ask();
      yield page.value;
    }
  }
  return answers();
}
