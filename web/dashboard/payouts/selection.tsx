import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { formatMoney } from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { replaceFilters, useDashboard } from '../router.ts';
import { api } from '../service.ts';
import {
  type Balance,
  type BalancePage,
  canBePaid,
  collectBalances,
  isDue,
  minimumOf,
  readBalances,
  readDue,
  reasonOf,
} from './balances.ts';
import { nameOf } from './run.ts';

interface Selected {
  /** The selected rows by slug, also of pages that are not shown. All are in one currency. */
  readonly rows: ReadonlyMap<string, Balance>;
  /** Whether "Select all due" is checked. `part` has enough advocates for one payout, and more follow. */
  readonly all: 'no' | 'reading' | 'part' | 'yes';
}

export interface Selection extends Selected {
  readonly select: (row: Balance, isSelected: boolean) => void;
  readonly selectAll: (isSelected: boolean) => void;
  readonly clear: () => void;
}

const NOBODY: Selected = { rows: new Map(), all: 'no' };

/** The number of advocates after which "Select all due" reads no further page. */
const ENOUGH = 1000;

/**
 * Who is selected. Nobody is at first, except for the advocate of the address. "Select all due" reads all pages, and skips
 * rows below the minimum and without a usable account.
 */
export function useSelection(currency: string, list: BalancePage | undefined, advocate: string | undefined): Selection {
  const { program, route } = useDashboard();
  const [selected, setSelected] = useState(NOBODY);
  const isRead = list !== undefined;
  const clear = () => setSelected(NOBODY);
  // A payout never mixes currencies, whether a choice or a refresh changes the currency, which is '' until it is known.
  useLayoutEffect(() => (currency ? clear : undefined), [currency]);
  // What is due may have changed since it was selected.
  useEffect(() => {
    const read = new Map(list?.rows.map((row) => [row.id, row]));
    setSelected(({ rows, all }) => ({
      rows: new Map([...rows].map(([slug, row]) => [slug, read.get(slug) ?? row])),
      all,
    }));
  }, [list]);
  useEffect(() => {
    if (!isRead || advocate === undefined) return;
    const row = list.rows.find(({ id }) => id === advocate);
    const now = Date.now();
    const reason = row && reasonOf(row, 0, now);
    if (row && canBePaid(row, now)) setSelected({ rows: new Map([[row.id, row]]), all: 'no' });
    else if (row && reason !== undefined) tell(`${nameOf(row)}: ${reason}`);
    else void tried(() => chooseCurrency(row ? nameOf(row) : advocate));
  }, [isRead, advocate]);
  /** Something may be due to the advocate of the address in another currency. */
  async function chooseCurrency(name: string): Promise<string | undefined> {
    const lines = await readDue(api, advocate ?? '');
    const due = lines.find(({ payable }) => payable > 0);
    if (route.filters['currency'] !== undefined || due === undefined) return PAYOUTS.nothingDue(name);
    replaceFilters({ currency: due.currency });
    return undefined;
  }
  // "Select all due" needs the currency and the minimum.
  const readsAll = selected.all === 'reading' && isRead && program !== undefined;
  useEffect(() => {
    if (!readsAll) return;
    const controller = new AbortController();
    void tried(() => selectAllDue(controller.signal));
    return () => controller.abort();
  }, [readsAll]);
  async function selectAllDue(signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const minimum = minimumOf(program, currency);
    const read = (cursor: string | undefined) => readBalances(api, currency, cursor, signal);
    try {
      const { rows, isCut } = await collectBalances(read, (row) => isDue(row, minimum, now), ENOUGH);
      signal.throwIfAborted();
      const all = { rows: new Map(rows.map((row) => [row.id, row])), all: isCut ? 'part' : 'yes' } as const;
      setSelected((last) => (last.all === 'reading' ? all : last));
    } catch (error) {
      if (signal.aborted) return;
      clear();
      throw error;
    }
  }
  return {
    ...selected,
    select: (row, isSelected) => {
      const rows = new Map(selected.rows);
      if (isSelected) rows.set(row.id, row);
      else rows.delete(row.id);
      // The press takes "Select all due" back while its rows are read.
      setSelected({ rows, all: isSelected && selected.all !== 'reading' ? selected.all : 'no' });
    },
    selectAll: (isSelected) => setSelected({ ...NOBODY, all: isSelected ? 'reading' : 'no' }),
    clear,
  };
}

interface SelectionBarProps {
  readonly selection: Selection;
  readonly currency: string;
  readonly onPay: () => void;
}

/** Stays in sight: how many are selected, their total, and the button that pays them. */
export function SelectionBar({ selection: { rows, all, selectAll }, currency, onPay }: SelectionBarProps) {
  const { can } = useDashboard();
  const total = [...rows.values()].reduce((sum, { attributes }) => sum + attributes.payable, 0);
  const sums = rows.size === 0 ? PAYOUTS.nobodySelected : PAYOUTS.selected(rows.size, formatMoney(total, currency));
  const mayPay = rows.size > 0 && can('payouts');
  return (
    <div class="selection-bar">
      <CheckField label={PAYOUTS.selectAllDue} isChecked={all !== 'no'} onChange={selectAll} />
      <p role="status" aria-label={PAYOUTS.selection}>
        {all === 'reading' ? COMMON.reading : sums} {all === 'part' && PAYOUTS.notAll}
      </p>
      <Button label={PAYOUTS.payOut} kind="primary" aria-disabled={!mayPay} onClick={() => mayPay && onPay()} />
    </div>
  );
}
