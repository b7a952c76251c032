import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { indexPages, pagesByOwner } from '../../kernel/dynamodb/index-pages.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { advocateReferrals, advocateState, programAdvocates } from '../../kernel/dynamodb/keys.ts';
import { type Pages, prefetch } from '../../kernel/dynamodb/prefetch.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import type { KeysIn } from '../../kernel/fields/field-list.ts';
import type { Brought } from '../rules/money.ts';
import type { Referral } from '../rules/referral.ts';
import { NO_VALUES, type REFERRAL_FIELDS } from '../rules/referral-fields.ts';
import { readBrought } from '../table/money.ts';
import { parseListedReferral, parseReferral } from '../table/referral-item.ts';

/** A referral as an export contains it. */
export interface ExportedReferral {
  readonly referral: Pick<Referral, 'id' | 'advocateSlug' | KeysIn<typeof REFERRAL_FIELDS, 'file'>>;
  readonly brought: Brought;
}

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
    if (rows.length > 0) yield rows.map((row) => ({ referral: clickOf(row, slug), brought: NOTHING }));
  }
  // Indexes lack what no list returns. A click has nothing of the kind.
  for await (const items of pagesByOwner(table, advocateReferrals(program, slug))) {
    if (items.length > 0) yield await readBrought(table, program, items.map(parseReferral));
  }
}

const NOTHING: Brought = { payments: 0, money: [] };
const clickOf = (row: Item, advocateSlug: string) => ({ ...NO_VALUES, ...parseListedReferral(row), advocateSlug });
