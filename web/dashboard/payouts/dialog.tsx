import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { TextField } from '../../kit/fields.tsx';
import { formatMoney, monthsBack } from '../../kit/format.ts';
import { refresh } from '../../kit/loaded.ts';
import { Alert } from '../../kit/messages.tsx';
import { Table } from '../../kit/table.tsx';
import { tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { Fields, Form } from '../form-dialog.tsx';
import type { Balance } from './balances.ts';
import { formatsOf, useDownloads } from './files.tsx';
import { isOpen, isPaid, isRecorded, type Line, newLine, type Run, recordRun } from './run.ts';

interface PayoutDialogProps {
  readonly rows: readonly Balance[];
  /** The names of earlier runs. */
  readonly taken: readonly string[];
  /** `hasBegun` is true if something was sent. */
  readonly onClose: (hasBegun: boolean) => void;
}

/** Reviews a payout, records it, and then offers its files. */
export function PayoutDialog({ rows, taken, onClose }: PayoutDialogProps) {
  const [lines, setLines] = useState<readonly Line[]>(() => rows.map(newLine));
  // What the view shows may change behind the dialog.
  const [currency] = useState(rows[0]?.attributes.currency ?? '');
  const [typed, setTyped] = useState<string>();
  const name = typed ?? freeName(taken);
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );
  const run: Run = { run: name.trim(), currency };
  const totalOf = (some: readonly Line[]) => {
    const sum = some.reduce((total, { amount }) => total + amount, 0);
    return PAYOUTS.totalOf(some.length, formatMoney(sum, currency));
  };
  const isDone = !lines.some(isOpen);
  const isUnanswered = lines.some(({ state }) => state === 'unanswered');
  const hasBegun = lines.some(({ state }) => state !== 'open' && state !== 'left_out');
  const close = () => onClose(hasBegun || isDone);
  const hasChanged = lines.some((line) => line.before !== undefined && !isRecorded(line));
  async function save(): Promise<void> {
    // The name stays, whatever other runs are read meanwhile.
    setTyped(name);
    try {
      await recordRun(run, lines, { show: setLines, isClosed: () => isClosed.current });
    } finally {
      // Nobody waited for the outcome, but the view has to show it.
      if (isClosed.current) refresh();
    }
  }
  const table = (
    <Table
      name={PAYOUTS.payout}
      columns={[...columnsOf(currency), ...(hasBegun || hasChanged || isDone ? [RESULT] : [])]}
      rows={lines}
      keyOf={({ slug }) => slug}
    />
  );
  return (
    <Dialog title={PAYOUTS.payout} onClose={close}>
      {isDone ? (
        <Recorded run={run} lines={lines} totalOf={totalOf} onClose={close}>
          {table}
        </Recorded>
      ) : (
        <Form save={PAYOUTS.record} onSave={save} isInDialog>
          {!hasBegun && <p class="soft">{PAYOUTS.advice}</p>}
          <Fields isLocked={hasBegun}>
            <TextField
              label={PAYOUTS.run}
              hint={taken.includes(run.run) ? PAYOUTS.runTaken : PAYOUTS.runHint}
              isRequired
              maxLength={100}
              value={name}
              onInput={setTyped}
            />
          </Fields>
          {table}
          {/* Beside the button, whose result they are. */}
          {hasChanged && (
            <Alert title={PAYOUTS.changed} tone="notice">
              <p>{PAYOUTS.changedAdvice}</p>
            </Alert>
          )}
          {isUnanswered && <p class="soft">{PAYOUTS.unanswered}</p>}
          <p role="status" aria-label={PAYOUTS.total} class="payout-total">
            {totalOf(lines.filter(isPaid))}
          </p>
        </Form>
      )}
    </Dialog>
  );
}

/** The month, with a number after the highest one of earlier runs: the first of them may not have been read. */
function freeName(taken: readonly string[]): string {
  const month = monthsBack(Date.now(), 0);
  const numbers = taken.map((name) => (name.startsWith(month) ? Number(name.slice(month.length + 1)) || 1 : 0));
  const last = Math.max(0, ...numbers);
  return last === 0 ? month : `${month}-${last + 1}`;
}

interface RecordedProps {
  readonly run: Run;
  readonly lines: readonly Line[];
  readonly totalOf: (some: readonly Line[]) => string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * What was recorded now, and what the run had recorded before, with the files: none before, because that invites paying
 * twice.
 */
function Recorded({ run, lines, totalOf, onClose, children }: RecordedProps) {
  const [done, setDone] = useState('');
  const sums = (['settled', 'settled_before'] as const).flatMap((state) => {
    const some = lines.filter((line) => line.state === state);
    return some.length === 0 ? [] : PAYOUTS.recorded(PAYOUTS.RESULTS[state], totalOf(some));
  });
  const names = new Map(lines.map(({ slug, name }) => [slug, name]));
  const downloads = useDownloads(
    (download) => {
      setDone('');
      void tried(async () => setDone(await download()));
    },
    (slug) => names.get(slug) ?? slug,
  );
  const total = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => total.current?.focus(), []);
  return (
    <div class="form">
      <p ref={total} role="status" aria-label={PAYOUTS.total} class="payout-total" tabIndex={-1}>
        {sums.length === 0 ? PAYOUTS.nothingRecorded : sums.join(' ')}
      </p>
      {lines.some(isPaid) && (
        <div class="buttons start">
          {formatsOf(run.currency).map((format) => (
            <Button key={format} label={PAYOUTS.DOWNLOADS[format]} onClick={() => downloads.start(run, format)} />
          ))}
        </div>
      )}
      <p role="status" class="soft">
        {done}
      </p>
      {children}
      <div class="buttons">
        <Button label={PAYOUTS.done} kind="primary" onClick={onClose} />
      </div>
      {downloads.dialog}
    </div>
  );
}

const RESULT: Column<Line> = text(
  COMMON.result,
  ({ state, reason }) => (reason ? PAYOUTS.NOT_PAID[reason] : PAYOUTS.RESULTS[state]),
  'below',
);

const columnsOf = (currency: string): readonly Column<Line>[] => [
  text(COMMON.advocate, ({ name }) => <bdi>{name}</bdi>, 'name'),
  text(PAYOUTS.method, ({ method }) => PAYOUTS.methodOf(method), 'below'),
  number(
    COMMON.amount,
    ({ amount, before }) => (
      <>
        {formatMoney(amount, currency)}
        {before !== undefined && <span class="person-line">{PAYOUTS.was(formatMoney(before, currency))}</span>}
      </>
    ),
    'key',
  ),
];
