import { useState } from 'preact/hooks';
import { useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { useSettled } from '../../kit/store.ts';
import { Pager, useCursors } from '../../kit/table.tsx';
import { ADVOCATES } from '../../words/dashboard-advocates.ts';
import { useDashboard } from '../context.ts';
import { type Advocate, findAdvocates, readAdvocates } from './advocate.ts';
import { AdvocateTable } from './advocate-table.tsx';
import { AdvocateDialog } from './dialog.tsx';

/** All advocates of the program, with their numbers. */
export function Advocates() {
  const { api, can } = useDashboard();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const [open, setOpen] = useState<{ readonly advocate: Advocate | undefined }>();
  const cursors = useCursors([text]);
  const [list, reload] = useLoaded(
    async (signal) =>
      text === ''
        ? await readAdvocates(api, cursors.cursor, signal)
        : { rows: await findAdvocates(api, text, signal), next: undefined },
    [text, cursors.cursor],
    [text],
  );
  return (
    <section class="card" aria-label={ADVOCATES.title}>
      <div class="card-head">
        <div class="filters">
          <input
            type="search"
            aria-label={ADVOCATES.search}
            placeholder={ADVOCATES.searchExample}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          <p class="soft">{ADVOCATES.order}</p>
        </div>
        {can('advocates') && (
          <button type="button" class="primary" onClick={() => setOpen({ advocate: undefined })}>
            {ADVOCATES.add}
          </button>
        )}
      </div>
      <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={8} height={2.5} />}>
        {({ rows, next }) => (
          <>
            {rows.length > 0 ? (
              <AdvocateTable rows={rows} onEdit={(advocate) => setOpen({ advocate })} onChanged={reload} />
            ) : (
              <Empty isSearch={text !== ''} onShowAll={() => setTyped('')} />
            )}
            <div class="list-foot">
              <Pager cursors={cursors} next={next} isReading={list.kind !== 'ready' || list.isReloading} />
            </div>
          </>
        )}
      </WhenReady>
      {open && (
        <AdvocateDialog
          advocate={open.advocate}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined);
            reload();
          }}
        />
      )}
    </section>
  );
}

function Empty({ isSearch, onShowAll }: { readonly isSearch: boolean; readonly onShowAll: () => void }) {
  if (!isSearch) return <p class="empty">{ADVOCATES.empty}</p>;
  return (
    <p class="empty">
      {ADVOCATES.noResult}{' '}
      <button type="button" class="link" onClick={onShowAll}>
        {ADVOCATES.showAll}
      </button>
    </p>
  );
}
