import { CsvButton } from '../../kit/csv-button.tsx';
import { useLoaded } from '../../kit/load.ts';
import { isRange, RANGES } from '../../kit/ranges.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { Pager, Table, useCursors } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { cellsOf, columnsOf, FILE } from './columns.tsx';
import { queryOf, type ReferralFilters, STATES } from './filters.ts';

interface ListProps {
  readonly filters: ReferralFilters;
  readonly onChange: (changes: Partial<ReferralFilters>) => void;
  readonly onOpen: (id: string) => void;
}

const ROWS = 25;

/** The list of the filters, latest change first, page by page. */
export function List({ filters, onChange, onOpen }: ListProps) {
  const { api } = useDashboard();
  const { state, range, advocate, isFlagged } = filters;
  const inputs = [state, range, advocate, isFlagged];
  const cursors = useCursors(inputs);
  const read = async (signal: AbortSignal, per_page: number, cursor: string | undefined) => {
    const query = { ...queryOf(filters, Date.now()), per_page, ...(cursor !== undefined && { cursor }) };
    const { body, next } = await api.send('get', '/v2/referrals', { query, signal });
    return { rows: body.data, next };
  };
  const [list, reload] = useLoaded((signal) => read(signal, ROWS, cursors.cursor), [...inputs, cursors.cursor], inputs);
  const hasFilters = inputs.some(Boolean);
  const clear = () => onChange({ state: undefined, range: undefined, advocate: undefined, isFlagged: false });
  return (
    <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={8} height={2} />}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 && next === undefined ? (
            <Empty onClear={hasFilters ? clear : undefined} />
          ) : (
            <Table name={REFERRALS.title} columns={columnsOf(onOpen)} rows={rows} keyOf={({ id }) => id} />
          )}
          <div class="list-foot">
            <Pager cursors={cursors} next={next} isReading={list.kind !== 'ready' || list.isReloading} />
            {rows.length > 0 && (
              <CsvButton
                file="referrals.csv"
                columns={FILE}
                cells={cellsOf}
                read={(cursor, signal) => read(signal, 50, cursor)}
                whenCut={REFERRALS.cut}
              />
            )}
          </div>
        </>
      )}
    </WhenReady>
  );
}

function Empty({ onClear }: { readonly onClear: (() => void) | undefined }) {
  if (!onClear) return <p class="empty">{REFERRALS.noReferrals}</p>;
  return (
    <p class="empty">
      {REFERRALS.noMatches}{' '}
      <button type="button" class="link" onClick={onClear}>
        {REFERRALS.clearFilters}
      </button>
    </p>
  );
}

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
      <input
        type="search"
        aria-label={REFERRALS.search}
        placeholder={REFERRALS.searchExample}
        maxLength={254}
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <label class="field inline">
        <span>{REFERRALS.state}</span>
        <select
          value={filters.state ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ state: STATES.find((state) => state === value) })}
        >
          <option value="">{REFERRALS.all}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {state}
            </option>
          ))}
        </select>
      </label>
      <label class="field inline">
        <span>{COMMON.range}</span>
        <select
          value={filters.range ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ range: isRange(value) ? value : undefined })}
        >
          <option value="">{REFERRALS.allTime}</option>
          {RANGES.map((range) => (
            <option key={range} value={range}>
              {COMMON.ranges[range]}
            </option>
          ))}
        </select>
      </label>
      {filters.advocate === undefined ? (
        <label class="check">
          <input
            type="checkbox"
            checked={filters.isFlagged}
            onChange={({ currentTarget }) => onChange({ isFlagged: currentTarget.checked })}
          />
          {REFERRALS.selfReferrals}
        </label>
      ) : (
        <p class="soft">
          <bdi>{REFERRALS.ofAdvocate(filters.advocate)}</bdi>{' '}
          <button type="button" class="link" onClick={() => onChange({ advocate: undefined })}>
            {REFERRALS.showAll}
          </button>
        </p>
      )}
    </div>
  );
}
