import { useState } from 'preact/hooks';
import { Button, Empty, Search } from '../../kit/controls.tsx';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { useSettled } from '../../kit/store.ts';
import { Pager, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { ADVOCATES } from '../../words/dashboard.ts';
import { useDashboard } from '../router.ts';
import { type Advocate, AdvocateTable, findAdvocates, readAdvocates } from './advocate-table.tsx';
import { AdvocateDialog } from './dialog.tsx';

export function Advocates() {
  const { api, can } = useDashboard();
  const [typed, setTyped] = useState('');
  const text = useSettled(typed.trim());
  const [open, setOpen] = useState<{ readonly advocate: Advocate | undefined }>();
  const pages = usePages(
    async (cursor, signal) =>
      text === ''
        ? await readAdvocates(api, cursor, signal)
        : { rows: await findAdvocates(api, text, signal), next: undefined },
    [text],
  );
  const { list, reload } = pages;
  return (
    <section class="card" aria-label={ADVOCATES.title}>
      <div class="card-head">
        <div class="filters">
          <Search label={COMMON.search} example={ADVOCATES.searchExample} value={typed} onInput={setTyped} />
          <p class="soft">{ADVOCATES.order}</p>
        </div>
        {can('advocates') && (
          <Button label={ADVOCATES.add} kind="primary" onClick={() => setOpen({ advocate: undefined })} />
        )}
      </div>
      <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={8} height={2.5} />}>
        {({ rows, next }) => (
          <>
            {rows.length > 0 ? (
              <AdvocateTable rows={rows} onEdit={(advocate) => setOpen({ advocate })} onChanged={reload} />
            ) : (
              <Empty undo={COMMON.showAll} {...(text !== '' && { onUndo: () => setTyped('') })}>
                {text === '' ? ADVOCATES.empty : ADVOCATES.noResult}
              </Empty>
            )}
            <div class="list-foot">
              <Pager pages={pages} next={next} />
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
