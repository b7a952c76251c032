import type { Query, Schemas } from '../../kit/api.ts';
import { Button, Empty, Search, SelectField } from '../../kit/controls.tsx';
import { cellsOf } from '../../kit/csv.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import {
  beforeFirstDayOf,
  formatDate,
  formatDateAndTime,
  formatPercentage,
  isRange,
  RANGES,
  type Range,
} from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { withRules } from '../../kit/rules.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { type Filters, useDashboard } from '../router.ts';
import { readRules } from '../service.ts';

interface ListProps {
  readonly filters: ReferralFilters;
  readonly onChange: (changes: Partial<ReferralFilters>) => void;
  readonly onOpen: (id: string) => void;
}

const ROWS = 25;

export function List({ filters, onChange, onOpen }: ListProps) {
  const { api } = useDashboard();
  const { state, range, advocate, isFlagged } = filters;
  const inputs = [state, range, advocate, isFlagged];
  const read = async (per_page: number, cursor: string | undefined, signal: AbortSignal) => {
    const query = { ...queryOf(filters, Date.now()), per_page, cursor };
    const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
    return { rows: body.data, next };
  };
  const pages = usePages((cursor, signal) => read(ROWS, cursor, signal), inputs);
  const hasFilters = inputs.some(Boolean);
  const clear = () => onChange({ state: undefined, range: undefined, advocate: undefined, isFlagged: false });
  return (
    <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={8} height={2} />}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 && next === undefined ? (
            <Empty undo={COMMON.clearFilters} {...(hasFilters && { onUndo: clear })}>
              {hasFilters ? COMMON.noMatches : REFERRALS.noReferrals}
            </Empty>
          ) : (
            <Table name={REFERRALS.title} columns={columnsOf(onOpen)} rows={rows} keyOf={({ id }) => id} />
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
                whenCut={REFERRALS.cut}
              />
            )}
          </div>
        </>
      )}
    </WhenReady>
  );
}

/** A referral, and what its rules pay if it has rules. */
type Row = Schemas['ReferralWithMoney'] & { readonly rules: string | null };

interface FilterBarProps {
  readonly filters: ReferralFilters;
  readonly onChange: (changes: Partial<ReferralFilters>) => void;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** Search and filters. What is searched for is personal: it never gets into the address. */
export function FilterBar({ filters, onChange, typed, onType }: FilterBarProps) {
  return (
    <div class="filters">
      <Search label={COMMON.search} example={REFERRALS.searchExample} value={typed} onInput={onType} />
      <SelectField
        label={COMMON.state}
        isInline
        value={filters.state ?? ''}
        options={[['', COMMON.all], ...STATES]}
        onChange={(state) => onChange({ state: state || undefined })}
      />
      <SelectField
        label={COMMON.range}
        isInline
        value={filters.range ?? ''}
        options={[['', REFERRALS.allTime], ...RANGES.map((range) => [range, COMMON.ranges[range]] as const)]}
        onChange={(range) => onChange({ range: range || undefined })}
      />
      {filters.advocate === undefined ? (
        <CheckField
          label={REFERRALS.selfReferrals}
          isChecked={filters.isFlagged}
          onChange={(isChecked) => onChange({ isFlagged: isChecked })}
        />
      ) : (
        <p class="soft">
          <bdi>{REFERRALS.ofAdvocate(filters.advocate)}</bdi>{' '}
          <Button label={COMMON.showAll} kind="link" onClick={() => onChange({ advocate: undefined })} />
        </p>
      )}
    </div>
  );
}

export const STATES = ['converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];
const isState = (text: unknown): text is State => STATES.some((state) => state === text);

export interface ReferralFilters {
  readonly state: State | undefined;
  readonly range: Range | undefined;
  readonly advocate: string | undefined;
  readonly isFlagged: boolean;
  readonly id: string | undefined;
}

/** Reads the filters of an address that anybody may have written. */
export function parseFilters({ state, range, advocate, flag, id }: Filters): ReferralFilters {
  return {
    state: isState(state) ? state : undefined,
    range: isRange(range) ? range : undefined,
    advocate: advocate || undefined,
    isFlagged: flag === 'self_referral',
    id: id || undefined,
  };
}

export function toFilters({ state, range, advocate, isFlagged, id }: ReferralFilters): Filters {
  return { state, range, advocate, flag: isFlagged ? 'self_referral' : undefined, id };
}

/** The filters for the API. The flag is a filter of the whole program only. */
function queryOf(filters: ReferralFilters, now: number): NonNullable<Query<'/v2/referrals', 'get'>> {
  const { state, range, advocate, isFlagged } = filters;
  return {
    ...(state && { state_eq: state }),
    ...(range && { state_set_at_gt: beforeFirstDayOf(range, now) }),
    ...(advocate !== undefined ? { affiliate_slug: advocate } : isFlagged && { flag_eq: 'self_referral' }),
  };
}

type Referral = Schemas['Referral'];
type Attributes = Referral['attributes'];

export function columnsOf(onOpen: (id: string) => void): readonly Column<Referral>[] {
  return [
    {
      name: REFERRALS.customer,
      cell: ({ id, attributes }) => (
        <button type="button" class="link" onClick={() => onOpen(id)}>
          <Person {...attributes} />
        </button>
      ),
    },
    {
      name: COMMON.state,
      cell: ({ attributes: { state, flags } }) => (
        <span class="badges">
          <StateBadge state={state} />
          {flags.includes('self_referral') && <span class="badge warn">{REFERRALS.flagged}</span>}
        </span>
      ),
    },
    { name: COMMON.advocate, cell: ({ attributes: { affiliate_slug } }) => <bdi>{affiliate_slug}</bdi> },
    { name: COMMON.yourId, cell: ({ attributes: { uid } }) => <bdi>{uid ?? '–'}</bdi> },
    { name: COMMON.subId, cell: ({ attributes: { sub_id } }) => <bdi>{sub_id ?? '–'}</bdi> },
    { name: REFERRALS.changed, cell: ({ attributes: { state_set_at } }) => formatDateAndTime(state_set_at) },
  ];
}

export function endOf({ state, commission_end_date: end }: Pick<Attributes, 'state' | 'commission_end_date'>): string {
  if (end !== null) return formatDate(end);
  return state === 'clicked' ? '–' : COMMON.always;
}

export const rateOf = (rate: number | null) => (rate === null ? '–' : formatPercentage(rate));

/** The attributes of the API in the columns of the file. */
const FILE = [
  'id',
  'affiliate_slug',
  'email',
  'uid',
  'state',
  'state_set_at',
  'created_at',
  'updated_at',
  'sub_id',
  'commission_percentage',
  'commission_end_date',
  'flags',
] as const;

/** The customer of a referral: its email, or else the merchant's id. */
export function Person({ email, uid, state }: Pick<Attributes, 'email' | 'uid' | 'state'>) {
  const name = email ?? uid;
  if (name !== null) return <bdi>{name}</bdi>;
  return <span>{state === 'clicked' ? REFERRALS.visitor : COMMON.erased}</span>;
}

export function StateBadge({ state }: Pick<Attributes, 'state'>) {
  return <span class={`badge state-${state}`}>{state}</span>;
}

/** A referral with its history, as `POST /v2/referrals/lookup` returns it. */
export type ReferralDetails = Schemas['ReferralDetails'];
