import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import type { Column } from '../../kit/columns.ts';
import { CsvButton } from '../../kit/csv-button.tsx';
import { CurrencyField, Search, SelectField } from '../../kit/fields.tsx';
import { FilterPanel } from '../../kit/filter-panel.tsx';
import { Empty, Paged, Pager } from '../../kit/list.tsx';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { usePages } from '../../kit/pages.ts';
import { selectColumn } from '../../kit/select-column.tsx';
import { useSettled } from '../../kit/store.ts';
import { Table } from '../../kit/table.tsx';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { optional } from '../optional.ts';
import { nameOf } from '../person.tsx';
import { hrefOf, navigate, replaceFilters, useDashboard } from '../router.ts';
import { api } from '../service.ts';
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
  const { can, route } = useDashboard();
  const [typed, setTyped] = useState('');
  const search = useSettled(typed.trim().slice(0, 100));
  const filters = parseFilters(route.filters);
  const { status, group, sort } = filters;
  const query = { ...filters, search, per_page: ROWS };
  const pages = usePages((cursor, signal) => readRows(query, cursor, signal), [query]);
  const { list, rows, next, reload } = pages;
  const groups = useGroups();
  const { currencies, currency } = useCurrencies(filters.currency);
  const [open, setOpen] = useState<'add' | 'import'>();
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  const [added, setAdded] = useState<readonly Row[]>([]);
  const { changed, onChanged } = useChanges();
  const clear = () => {
    setTyped('');
    replaceFilters({ status: undefined, group: undefined });
  };
  const columns = columnsOf({
    groups,
    currency,
    actions: can('advocates')
      ? {
          open: (advocate) => void openTheirPage(advocate),
          setActive: (advocate, active) => void setActive([advocate], active, onChanged),
        }
      : undefined,
    sorting: search === '' ? { by: sort, onSort: (by) => replaceFilters({ sort: by }) } : undefined,
  });
  const chosen = [...selected.values()].map(changed(list));
  const isFirst = pages.page === 1 && search === '' && status === undefined && group === undefined;
  const shown = withAdded(rows, isFirst ? added : []).map(changed(list));
  const readForFile = (cursor: string | undefined, signal: AbortSignal) =>
    readRows({ ...query, per_page: 2 * ROWS }, cursor, signal);
  const readChosen = async () => ({ rows: chosen, next: undefined });
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
      <Paged pages={pages} lines={10}>
        {shown.length > 0 || next !== undefined ? (
          <AdvocateTable columns={columns} rows={shown} selected={selected} onSelected={setSelected} />
        ) : (
          <Nobody isFirst={isFirst} onClear={clear} />
        )}
        <div class="list-foot">
          <Pager pages={pages} />
          {shown.length > 0 && (
            <CsvButton
              file="advocates.csv"
              columns={CSV_COLUMNS}
              cells={(row: Row) => csvCells(row, currency)}
              read={chosen.length > 0 ? readChosen : readForFile}
              whenCut={ADVOCATES.cut}
            />
          )}
        </div>
      </Paged>
      {chosen.length > 0 && (
        <SelectionBar rows={chosen} groups={groups} onChanged={onChanged} onClear={() => setSelected(new Map())} />
      )}
      {open && (
        <OpenDialog
          open={open}
          onClose={() => setOpen(undefined)}
          onAdded={(row) => setAdded([row, ...added])}
          onImported={reload}
        />
      )}
    </section>
  );
}

/** The currencies with money, and the shown currency; `undefined` until they are known, `''` without any. */
function useCurrencies(chosen: string | undefined) {
  const [loaded] = useLoaded(readCurrencies, []);
  const currencies = readyOf(loaded)?.value;
  return { currencies, currency: chosen ?? (currencies && (currencies[0] ?? '')) };
}

/** Who was just added stands first, until the list has it. */
function withAdded(rows: readonly Row[], added: readonly Row[]): readonly Row[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...added.filter(({ id }) => !known.has(id)), ...rows];
}

interface AdvocateTableProps {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Also of other pages. */
  readonly selected: ReadonlyMap<string, Row>;
  readonly onSelected: (selected: ReadonlyMap<string, Row>) => void;
}

function AdvocateTable({ columns, rows, selected, onSelected }: AdvocateTableProps) {
  const selection = selectColumn<Row>({
    selected,
    onSelect: (row, isSelected) => {
      const next = new Map(selected);
      if (isSelected) next.set(row.id, row);
      else next.delete(row.id);
      onSelected(next);
    },
    labelOf: ({ attributes }) => nameOf(attributes),
    cannot: isErased,
  });
  return (
    <Table
      name={ADVOCATES.title}
      columns={[selection, ...columns]}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ attributes }) => navigate('advocates', attributes.slug)}
    />
  );
}

/** Stands in place of the table: nobody matches, or there is nobody at all. */
function Nobody({ isFirst, onClear }: { readonly isFirst: boolean; readonly onClear: () => void }) {
  return (
    <Empty undo={COMMON.showAll} {...(!isFirst && { onUndo: onClear })}>
      {isFirst ? ADVOCATES.empty : ADVOCATES.noMatch}
    </Empty>
  );
}

interface OpenDialogProps {
  readonly open: 'add' | 'import';
  readonly onClose: () => void;
  readonly onAdded: (row: Row) => void;
  readonly onImported: () => void;
}

function OpenDialog({ open, onClose, onAdded, onImported }: OpenDialogProps) {
  if (open === 'import') {
    return (
      <ImportDialog
        onClose={() => {
          onClose();
          onImported();
        }}
      />
    );
  }
  return (
    <AdvocateDialog
      advocate={undefined}
      onClose={onClose}
      onSaved={(advocate) => {
        onClose();
        onAdded(newRow(advocate));
        tell(ADVOCATES.addedOne(nameOf(advocate.attributes)));
      }}
    />
  );
}

/** Leads to the applications, and says how many wait. A deployment without emails has none. */
function ApplicationsLink() {
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
      <CurrencyField value={currency} codes={currencies} onChange={(next) => replaceFilters({ currency: next })} />
    </FilterPanel>
  );
}

const STATUSES = [
  ['active', ADVOCATES.statuses.active],
  ['paused', ADVOCATES.statuses.paused],
] as const;
