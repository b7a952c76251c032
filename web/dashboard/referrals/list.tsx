import { CsvButton } from '../../kit/csv-button.tsx';
import { useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { Pager, Table, useCursors } from '../../kit/table.tsx';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { cellsOf, columnsOf, FILE } from './columns.tsx';
import { queryOf, type ReferralFilters } from './filters.ts';

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
