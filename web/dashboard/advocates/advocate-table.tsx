import { useState } from 'preact/hooks';
import { readyOf } from '../../kit/load.ts';
import { Problem } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { ADVOCATES } from '../../words/dashboard-advocates.ts';
import { MONEY } from '../../words/dashboard-money.ts';
import { useActions } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Confirm } from '../form-dialog.tsx';
import { Adjust } from '../money/adjust.tsx';
import type { Advocate } from './advocate.ts';
import { columnsOf } from './columns.tsx';
import { useNumbers } from './numbers.ts';

interface AdvocateTableProps {
  readonly rows: readonly Advocate[];
  readonly onEdit: (advocate: Advocate) => void;
  readonly onChanged: () => void;
}

/** A page of advocates with their numbers, and what the merchant can do about each. */
export function AdvocateTable({ rows, onEdit, onChanged }: AdvocateTableProps) {
  const { api, can, program } = useDashboard();
  const { run, finish, report } = useActions();
  const [adjusted, setAdjusted] = useState<string>();
  const [ending, setEnding] = useState<string>();
  const [numbers, reloadNumbers] = useNumbers(rows.map(({ attributes: { slug } }) => slug));
  const error = numbers.kind === 'failed' ? numbers.error : undefined;
  const isLeftOut = error?.isRefusal || error?.status === 0;
  const actions = can('advocates')
    ? {
        edit: onEdit,
        openPage: ({ attributes: { slug } }: Advocate) =>
          void run(async () => {
            // It lasts an hour, or until this page's token ends.
            const { data } = (await api.send('post', '/v2/advocates/{slug}/tokens', { params: { slug }, body: {} }))
              .body;
            // Without `noopener`, the tab would get a copy of this tab's storage, with the program's token.
            window.open(`portal#token=${data.attributes.token}`, '_blank', 'noopener,noreferrer');
            return ADVOCATES.opened(slug);
          }),
        setActive: ({ attributes: { slug } }: Advocate, active: boolean) =>
          void run(async () => {
            await api.send('patch', '/v2/advocates/{slug}', { params: { slug }, body: { active } });
            onChanged();
            return active ? ADVOCATES.activated(slug) : ADVOCATES.deactivated(slug);
          }),
        endSessions: ({ attributes: { slug } }: Advocate) => setEnding(slug),
      }
    : undefined;
  async function endSessions(slug: string): Promise<void> {
    await api.send('delete', '/v2/advocates/{slug}/tokens', { params: { slug } });
    setEnding(undefined);
    finish(ADVOCATES.sessionsEnded(slug));
  }
  const columns = columnsOf({
    numbers: readyOf(numbers)?.value,
    rate: program?.attributes.commission_percentage ?? null,
    actions,
    adjust: can('payouts') ? ({ attributes: { slug } }) => setAdjusted(slug) : undefined,
  });
  return (
    <>
      <Table name={ADVOCATES.title} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {error && !isLeftOut && <Problem error={error} onRetry={reloadNumbers} />}
      {isLeftOut && (
        <p class="soft">
          {ADVOCATES.noNumbers} {error.message}
        </p>
      )}
      {report}
      {ending !== undefined && (
        <Confirm
          title={ADVOCATES.endSessions}
          onClose={() => setEnding(undefined)}
          onConfirm={() => endSessions(ending)}
        >
          <p>{ADVOCATES.endSessionsAdvice(ending)}</p>
        </Confirm>
      )}
      {adjusted !== undefined && (
        <Adjust
          slug={adjusted}
          onClose={() => setAdjusted(undefined)}
          onAdjusted={() => {
            setAdjusted(undefined);
            finish(MONEY.adjusted(adjusted));
          }}
        />
      )}
    </>
  );
}
