import { useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { columnsOf } from './columns.tsx';
import { findReferrals } from './search.ts';

interface ResultsProps {
  readonly text: string;
  readonly onOpen: (id: string) => void;
  readonly onClear: () => void;
}

/** The referrals with exactly this email or id. */
export function Results({ text, onOpen, onClear }: ResultsProps) {
  const { api } = useDashboard();
  const [found, reload] = useLoaded((signal) => findReferrals(api, text, signal), [text]);
  return (
    <WhenReady loaded={found} onRetry={reload} skeleton={<Skeleton lines={2} height={2} />}>
      {(rows) =>
        rows.length > 0 ? (
          <Table name={REFERRALS.title} columns={columnsOf(onOpen)} rows={rows} keyOf={({ id }) => id} />
        ) : (
          <p class="empty">
            {REFERRALS.noResult}{' '}
            <button type="button" class="link" onClick={onClear}>
              {REFERRALS.showAll}
            </button>
          </p>
        )
      }
    </WhenReady>
  );
}
