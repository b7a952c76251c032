import { useRef, useState } from 'preact/hooks';
import type { Schemas } from '../kit/api.ts';
import { Card, Empty, Search, SelectField } from '../kit/controls.tsx';
import { cellsOf } from '../kit/csv.ts';
import { CsvButton } from '../kit/csv-button.tsx';
import { formatDate, formatPercentage } from '../kit/format.ts';
import { withRules } from '../kit/rules.ts';
import { Skeleton, WhenReady } from '../kit/status.tsx';
import { useSettled } from '../kit/store.ts';
import { type Column, numberColumn, Pager, Table, usePages } from '../kit/table.tsx';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { api, readRules } from './service.ts';

/** A referral, and what its rules pay if it has rules. */
type Referral = Schemas['OwnReferralWithMoney'] & { readonly rules: string | null };

const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;

const ROWS = 10;

const COLUMNS: readonly Column<Referral>[] = [
  { name: PORTAL.person, cell: ({ attributes: { email } }) => email ?? <span class="soft">{PORTAL.noEmail}</span> },
  {
    name: COMMON.state,
    cell: ({ attributes: { state } }) => <span class={`badge state-${state}`}>{state}</span>,
  },
  { name: COMMON.subId, cell: ({ attributes: { sub_id } }) => <bdi>{sub_id ?? '–'}</bdi> },
  { name: COMMON.created, cell: ({ attributes: { created_at } }) => formatDate(created_at) },
  numberColumn(COMMON.rate, ({ rules, attributes: { commission_percentage: rate } }) =>
    rules !== null ? <span class="sentence">{rules}</span> : rate === null ? '–' : formatPercentage(rate),
  ),
  { name: COMMON.earnsUntil, cell: endOf },
];

/** Rules say themselves how long the referral earns. */
function endOf({ rules, attributes: { state, commission_end_date: end } }: Referral): string {
  if (end !== null) return formatDate(end);
  return state === 'clicked' || rules !== null ? '–' : COMMON.always;
}

/** The attributes of the API in the columns of the file. */
const FILE = [
  'id',
  'email',
  'state',
  'state_set_at',
  'created_at',
  'updated_at',
  'sub_id',
  'commission_percentage',
  'commission_end_date',
] as const;

export function Referrals() {
  const [state, setState] = useState<'' | (typeof STATES)[number]>('');
  const [typed, setTyped] = useState('');
  const stateFilter = useRef<HTMLSelectElement>(null);
  const subId = useSettled(typed.trim());
  const read = async (per_page: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { state_eq: state || undefined, sub_id_eq: subId || undefined, per_page, cursor };
    const { body, next } = await api.send('get', '/v2/affiliate/referrals', { query, signal });
    return { rows: await withRules(body.data, readRules, signal), next };
  };
  const pages = usePages((cursor, signal) => read(ROWS, cursor, signal), [state, subId]);
  const hasFilters = state !== '' || subId !== '';
  const clear = () => {
    setState('');
    setTyped('');
    // The button disappears with the filters.
    stateFilter.current?.focus();
  };
  const filters = (
    <div class="filters">
      <SelectField
        label={COMMON.state}
        isInline
        selectRef={stateFilter}
        value={state}
        options={[['', COMMON.all], ...STATES]}
        onChange={setState}
      />
      <Search
        label={PORTAL.filterBySubId}
        example={PORTAL.filterBySubId}
        maxLength={128}
        value={typed}
        onInput={setTyped}
      />
    </div>
  );
  return (
    <Card title={PORTAL.referrals} beside={filters}>
      <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={ROWS / 2} height={1.75} />}>
        {({ rows, next }) => (
          <>
            {rows.length === 0 && pages.page === 1 ? (
              <Empty undo={COMMON.clearFilters} {...(hasFilters && { onUndo: clear })}>
                {hasFilters ? COMMON.noMatches : PORTAL.noReferrals}
              </Empty>
            ) : (
              <Table name={PORTAL.referrals} columns={COLUMNS} rows={rows} keyOf={(row) => row.id} />
            )}
            <div class="list-foot">
              <Pager pages={pages} next={next} />
              {(rows.length > 0 || hasFilters) && (
                <CsvButton
                  file="referrals.csv"
                  columns={[...FILE, 'commission_rules']}
                  cells={(row: Referral) => [...cellsOf(FILE, row), row.rules]}
                  read={(cursor, signal) => read(50, cursor, signal)}
                  whenCut={PORTAL.referralsCut}
                />
              )}
            </div>
          </>
        )}
      </WhenReady>
    </Card>
  );
}
