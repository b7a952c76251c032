import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/controls.tsx';
import { formatMoney, monthsBack } from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { linesOf } from '../../kit/statement-file.ts';
import { tell, tried } from '../../kit/toast.tsx';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { replaceFilters, useDashboard } from '../router.ts';
import { type Balance, canBePaid, collectBalances, minimumOf, nameOf, reasonOf } from './balances.ts';

interface List {
  readonly rows: readonly Balance[];
  readonly next: string | undefined;
}

export interface Selection {
  /** The selected rows by slug, also of pages that are not shown. */
  readonly rows: ReadonlyMap<string, Balance>;
  readonly isAll: boolean;
  readonly select: (row: Balance, isSelected: boolean) => void;
  readonly selectAll: (isSelected: boolean) => void;
  readonly clear: () => void;
}

/**
 * Who is selected. Nobody is at first, except for the advocate of the address. "Select all due" also reads the other pages,
 * and skips rows below the minimum and without a usable account.
 */
export function useSelection(
  chosen: string | undefined,
  list: List | undefined,
  advocate: string | undefined,
): Selection {
  const { api, program } = useDashboard();
  const [rows, setRows] = useState<ReadonlyMap<string, Balance>>(new Map());
  const [isAll, setAll] = useState(false);
  // The press may be taken back while other pages are read.
  const wantsAll = useRef(false);
  const clear = () => {
    setRows(new Map());
    setAll(false);
  };
  useEffect(clear, [chosen]);
  // What is due may have changed since it was selected.
  useEffect(() => {
    const read = new Map(list?.rows.map((row) => [row.id, row]));
    setRows((last) => new Map([...last].map(([slug, row]) => [slug, read.get(slug) ?? row])));
  }, [list]);
  const isRead = list !== undefined;
  useEffect(() => {
    if (!list || advocate === undefined) return;
    const row = list.rows.find(({ id }) => id === advocate);
    const now = Date.now();
    const reason = row && reasonOf(row, 0, now);
    if (row && canBePaid(row, now)) setRows(new Map([[row.id, row]]));
    else if (row && reason !== undefined) tell(`${nameOf(row)}: ${reason}`);
    else void tried(() => chooseCurrency(row ? nameOf(row) : advocate));
  }, [isRead, advocate]);
  /** Something may be due to the advocate of the address in another currency. */
  async function chooseCurrency(name: string): Promise<string | undefined> {
    const query = { month: monthsBack(Date.now(), 0), ...(advocate !== undefined && { affiliate_slug: advocate }) };
    const { data } = (await api.send('get', '/v2/statements', { query })).body;
    const due = [data]
      .flat()
      .flatMap(linesOf)
      .find(({ payable }) => payable > 0);
    if (chosen !== undefined || due === undefined) return PAYOUTS.nothingDue(name);
    replaceFilters({ currency: due.currency });
    return undefined;
  }
  async function selectAllDue(): Promise<string | undefined> {
    const isWhole = list?.next === undefined && list !== undefined;
    const all = isWhole ? { rows: list.rows, isCut: false } : await collectBalances(api, chosen);
    if (!wantsAll.current) return undefined;
    const now = Date.now();
    const due = all.rows.filter((row) => {
      const minimum = minimumOf(program, row.attributes.currency);
      return canBePaid(row, now) && reasonOf(row, minimum, now) === undefined;
    });
    setRows(new Map(due.map((row) => [row.id, row])));
    return all.isCut ? PAYOUTS.onlyFirst : undefined;
  }
  return {
    rows,
    isAll,
    select: (row, isSelected) => {
      const next = new Map(rows);
      if (isSelected) next.set(row.id, row);
      else next.delete(row.id);
      setRows(next);
      if (!isSelected) setAll(false);
    },
    selectAll: (isSelected) => {
      wantsAll.current = isSelected;
      setAll(isSelected);
      if (isSelected) void tried(selectAllDue);
      else setRows(new Map());
    },
    clear,
  };
}

interface SelectionBarProps {
  readonly selection: Selection;
  readonly currency: string;
  readonly onPay: () => void;
}

/** Stays in sight: how many are selected, their total, and the button that pays them. */
export function SelectionBar({ selection: { rows, isAll, selectAll }, currency, onPay }: SelectionBarProps) {
  const total = [...rows.values()].reduce((sum, { attributes }) => sum + attributes.payable, 0);
  return (
    <div class="selection-bar">
      <CheckField label={PAYOUTS.selectAllDue} isChecked={isAll} onChange={selectAll} />
      <p role="status" aria-label={PAYOUTS.selection}>
        {rows.size === 0 ? PAYOUTS.nobodySelected : PAYOUTS.selected(rows.size, formatMoney(total, currency))}
      </p>
      <Button
        label={PAYOUTS.payOut}
        kind="primary"
        aria-disabled={rows.size === 0}
        onClick={() => rows.size > 0 && onPay()}
      />
    </div>
  );
}
