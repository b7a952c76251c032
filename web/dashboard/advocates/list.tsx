import { useState } from 'preact/hooks';
import { Button, Empty, Search, SelectField } from '../../kit/controls.tsx';
import { CsvButton } from '../../kit/csv-button.tsx';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { useSettled } from '../../kit/store.ts';
import { Pager, Table, usePages } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { FilterPanel } from '../filter-panel.tsx';
import { optional } from '../optional.ts';
import { nameOf } from '../person.tsx';
import { hrefOf, navigate, replaceFilters, useDashboard } from '../router.ts';
import { isErased, openTheirPage, setActive } from './actions.ts';
import { useChanges } from './changes.ts';
import { columnsOf } from './columns.tsx';
import { AdvocateDialog } from './edit.tsx';
import { groupOptions, useGroups } from './groups.tsx';
import { ImportDialog } from './import/import.tsx';
import { CSV_COLUMNS, csvCells, newRow, parseFilters, type Row, readCurrencies, readRows } from './rows.ts';
import { SelectionBar } from './selection.tsx';

const ROWS = 25;

export function List() {
  const { api, can, route } = useDashboard();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim().slice(0, 100));
  const filters = parseFilters(route.filters);
  const { status, group, sort } = filters;
  const query = { ...filters, search, per_page: ROWS };
  const pages = usePages((cursor, signal) => readRows(api, query, cursor, signal), [query]);
  const { list, reload } = pages;
  const groups = useGroups();
  const [loaded] = useLoaded((signal) => readCurrencies(api, signal), []);
  const currencies = readyOf(loaded)?.value;
  const currency = filters.currency ?? (currencies && (currencies[0] ?? ''));
  const [open, setOpen] = useState<'add' | 'import'>();
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [added, setAdded] = useState<readonly Row[]>([]);
  const { changed, onChanged } = useChanges();
  const select = (row: Row, isSelected: boolean) => {
    const next = new Map(selected);
    if (isSelected) next.set(row.id, row);
    else next.delete(row.id);
    setSelected(next);
  };
  const clear = () => {
    setTyped('');
    replaceFilters({ status: undefined, group: undefined });
  };
  const columns = columnsOf({
    groups,
    currency,
    actions: can('advocates')
      ? {
          open: (advocate) => void openTheirPage(api, advocate),
          setActive: (advocate, active) => void setActive(api, [advocate], active, onChanged),
        }
      : undefined,
    sorting: search === '' ? { by: sort, onSort: (by) => replaceFilters({ sort: by }) } : undefined,
  });
  const chosen = [...selected.values()].map(changed(list));
  return (
    <section class="card advocates" aria-label={ADVOCATES.title}>
      <div class="tools">
        <Search label={COMMON.search} example={ADVOCATES.searchHint} maxLength={100} value={typed} onInput={setTyped} />
        <FilterBar groups={groupOptions(groups)} currencies={currencies ?? []} currency={currency} />
        {can('advocates') && (
          <>
            <div class="buttons more">
              <ApplicationsLink />
              <Button label={ADVOCATES.importCsv} onClick={() => setOpen('import')} />
            </div>
            <Button label={ADVOCATES.add} kind="primary add" onClick={() => setOpen('add')} />
          </>
        )}
        <p class="soft note">{search === '' ? ADVOCATES.allTime : ADVOCATES.sortingOff}</p>
      </div>
      <WhenReady loaded={list} skeleton={<Skeleton lines={10} height={3} />}>
        {({ rows, next }) => {
          const isFirst = pages.page === 1 && search === '' && status === undefined && group === undefined;
          const known = new Set(rows.map(({ id }) => id));
          const shown = [...(isFirst ? added.filter(({ id }) => !known.has(id)) : []), ...rows].map(changed(list));
          return (
            <>
              {shown.length > 0 || next !== undefined ? (
                <Table
                  name={ADVOCATES.title}
                  columns={columns}
                  rows={shown}
                  keyOf={({ id }) => id}
                  onOpen={({ attributes }) => navigate('advocates', attributes.slug)}
                  selection={{
                    selected: new Set(selected.keys()),
                    onSelect: (key, isSelected) => {
                      const row = shown.find(({ id }) => id === key);
                      if (row) select(row, isSelected);
                    },
                    labelOf: ({ attributes }) => nameOf(attributes),
                    cannot: isErased,
                  }}
                />
              ) : (
                <Empty undo={COMMON.showAll} {...(!isFirst && { onUndo: clear })}>
                  {isFirst ? ADVOCATES.empty : ADVOCATES.noMatch}
                </Empty>
              )}
              <div class="list-foot">
                <Pager pages={pages} next={next} />
                {shown.length > 0 && (
                  <CsvButton
                    file="advocates.csv"
                    columns={CSV_COLUMNS}
                    cells={(row: Row) => csvCells(row, currency)}
                    read={async (cursor, signal) =>
                      chosen.length > 0
                        ? { rows: chosen, next: undefined }
                        : readRows(api, { ...query, per_page: 2 * ROWS }, cursor, signal)
                    }
                    whenCut={ADVOCATES.cut}
                  />
                )}
              </div>
            </>
          );
        }}
      </WhenReady>
      {chosen.length > 0 && (
        <SelectionBar rows={chosen} groups={groups} onChanged={onChanged} onClear={() => setSelected(new Map())} />
      )}
      {open === 'add' && (
        <AdvocateDialog
          advocate={undefined}
          onClose={() => setOpen(undefined)}
          onSaved={(advocate) => {
            setOpen(undefined);
            setAdded([newRow(advocate), ...added]);
            tell(ADVOCATES.addedOne(nameOf(advocate.attributes)));
          }}
        />
      )}
      {open === 'import' && (
        <ImportDialog
          onClose={() => {
            setOpen(undefined);
            reload();
          }}
        />
      )}
    </section>
  );
}

/** Leads to the applications, and says how many wait. A deployment without emails has none. */
function ApplicationsLink() {
  const { api } = useDashboard();
  const [loaded] = useLoaded(
    (signal) => optional(api.send('get', '/v2/applications', { query: { per_page: 2 * ROWS }, signal })),
    [],
  );
  const waiting = readyOf(loaded)?.value;
  if (!waiting) return null;
  const { body, next } = waiting;
  return (
    <a class={body.data.length > 0 ? 'button waiting' : 'button'} href={hrefOf('applications')}>
      {ADVOCATES.applications(body.data.length, next !== undefined)}
    </a>
  );
}

interface FilterBarProps {
  readonly groups: readonly (readonly [string, string])[];
  readonly currencies: readonly string[];
  readonly currency: string | undefined;
}

function FilterBar({ groups, currencies, currency }: FilterBarProps) {
  const { route } = useDashboard();
  const { status, group } = parseFilters(route.filters);
  return (
    <FilterPanel>
      <SelectField
        label={ADVOCATES.status}
        isInline
        value={status ?? ''}
        options={[['', COMMON.all], ...STATUSES]}
        onChange={(next) => replaceFilters({ status: next })}
      />
      {groups.length > 0 && (
        <SelectField
          label={ADVOCATES.group}
          isInline
          value={group ?? ''}
          options={[['', COMMON.all], ...groups]}
          onChange={(next) => replaceFilters({ group: next })}
        />
      )}
      {currencies.length > 1 && (
        <SelectField
          label={ADVOCATES.currency}
          isInline
          value={currency ?? ''}
          options={currencies.map((code) => [code, code.toUpperCase()] as const)}
          onChange={(next) => replaceFilters({ currency: next })}
        />
      )}
    </FilterPanel>
  );
}

const STATUSES = [
  ['active', ADVOCATES.statuses.active],
  ['paused', ADVOCATES.statuses.paused],
] as const;
