import type { Schemas } from '../../kit/api.ts';
import { Empty } from '../../kit/controls.tsx';
import { cellsOf } from '../../kit/csv.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { withRules } from '../../kit/rules.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { Pager, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { type Filters, replaceFilters, useDashboard } from '../router.ts';
import { readRules } from '../service.ts';
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
  const { api } = useDashboard();
  const read = async (per_page: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...queryOf(filters, Date.now()), per_page, cursor };
    const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
    return { rows: body.data, next };
  };
  const pages = usePages((cursor, signal) => read(ROWS, cursor, signal), [filters]);
  const hasFilters = Object.values(filters).some(Boolean);
  return (
    <WhenReady loaded={pages.list} skeleton={<Skeleton lines={10} height={3} />}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 && next === undefined ? (
            <Empty undo={COMMON.clearFilters} {...(hasFilters && { onUndo: () => replaceFilters(NO_FILTERS) })}>
              {hasFilters ? COMMON.noMatches : REFERRALS.noReferrals}
            </Empty>
          ) : (
            <ReferralTable rows={rows} filters={filters} isByChange={isByChange(filters)} />
          )}
          <div class="list-foot">
            <Pager pages={pages} next={next} />
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
        </>
      )}
    </WhenReady>
  );
}
