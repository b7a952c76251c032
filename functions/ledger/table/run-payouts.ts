import { parseAdvocate, parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import { advocateKey, entryClaimKey, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { type Pages, prefetch } from '../../kernel/dynamodb/prefetch.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { type Payout, type RunReference, settlementIdOf } from '../rules/payout-run.ts';
import { parseEntry } from './entries.ts';
import { claimedKey } from './entry-claims.ts';

/** Number of pages of advocates that are read at the same time. */
const AT_ONCE = 8;

/**
 * Reads all settlements of a run with their advocates as they are now, in the order of the list of advocates, from which
 * the ids of the settlements follow. Returns `undefined` if there are more than `max`.
 */
export async function readRunPayouts(
  table: Table,
  program: string,
  run: RunReference,
  max: number,
): Promise<Payout[] | undefined> {
  const sources: Pages<Payout[]>[] = [];
  for await (const rows of indexPages(table, 'by_created_at', programAdvocates(program))) {
    sources.push(
      payoutsOf(
        table,
        program,
        run,
        rows.map((row) => parseListedAdvocate(row).slug),
      ),
    );
  }
  const payouts: Payout[] = [];
  for await (const page of prefetch(sources, AT_ONCE)) {
    payouts.push(...page);
    if (payouts.length > max) return undefined;
  }
  return payouts;
}

async function* payoutsOf(table: Table, program: string, run: RunReference, slugs: readonly string[]): Pages<Payout[]> {
  const ids = slugs.map((slug) => ({ slug, id: settlementIdOf(run, slug) }));
  const claims = await batchGet(
    table,
    ids.map(({ id }) => entryClaimKey(program, 'settlement', id)),
  );
  const settled = ids.flatMap((each, index) => {
    const claim = claims[index];
    return claim ? [{ ...each, entry: claimedKey(program, claim) }] : [];
  });
  const keys = [...settled.map(({ entry }) => entry), ...settled.map(({ slug }) => advocateKey(program, slug))];
  const items = await batchGet(table, keys);
  yield settled.flatMap(({ slug, id }, index) => {
    const entry = parseEntry(items[index] ?? {});
    const advocate = parseAdvocate(items[settled.length + index] ?? {});
    // A settlement of another advocate or currency may have the id.
    if (entry.advocateSlug !== slug || entry.currency !== run.currency) return [];
    return [{ advocate, id, amount: -entry.commission, payoutVersion: entry.payoutVersion }];
  });
}
