import type { Schemas } from '../../kit/api.ts';
import { cellsOf } from '../../kit/csv.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { Empty, Paged, Pager } from '../../kit/list.tsx';
import { pageOf, usePages } from '../../kit/pages.ts';
import { withRules } from '../../kit/rules.ts';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { type Filters, replaceFilters } from '../router.ts';
import { api, readRules } from '../service.ts';
import { ReferralTable } from './columns.tsx';
import { isByChange, NO_FILTERS, queryOf } from './filters.tsx';

const ROWS = 25;

/** The attributes of the API in the columns of the file. */
const FILE = [
  'id',
  'affiliate_slug',
  'email',
  'uid',
  'state',
  'state_set_at',
  'created_at',
  'converted_at',
  'updated_at',
  'sub_id',
  'commission_percentage',
  'commission_end_date',
  'flags',
] as const;

/** A referral, and what its rules pay if it has rules. */
type Row = Schemas['ReferralWithMoney'] & { readonly rules: string | null };

/** The referrals that match the filters, page by page. */
export function List({ filters }: { readonly filters: Filters }) {
  const read = (per_page: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...queryOf(filters, Date.now()), per_page, cursor };
    return pageOf(api.send('get', '/v2/referrals', { query, signal }));
  };
  const pages = usePages((cursor, signal) => read(ROWS, cursor, signal), [filters]);
  const hasFilters = Object.values(filters).some(Boolean);
  const { rows, next } = pages;
  return (
    <Paged pages={pages} lines={10}>
      {rows.length === 0 && next === undefined ? (
        <Empty undo={COMMON.clearFilters} {...(hasFilters && { onUndo: () => replaceFilters(NO_FILTERS) })}>
          {hasFilters ? COMMON.noMatches : REFERRALS.noReferrals}
        </Empty>
      ) : (
        <ReferralTable rows={rows} filters={filters} isByChange={isByChange(filters)} />
      )}
      <div class="list-foot">
        <Pager pages={pages} />
        {rows.length > 0 && (
          <CsvButton
            file="referrals.csv"
            columns={[...FILE, 'commission_rules']}
            cells={(row: Row) => [...cellsOf(FILE, row), row.rules]}
            read={async (cursor, signal) => {
              const page = await read(50, cursor, signal);
              return { ...page, rows: await withRules(page.rows, readRules, signal) };
            }}
            whenCut={ADVOCATES.cut}
          />
        )}
      </div>
    </Paged>
  );
}
