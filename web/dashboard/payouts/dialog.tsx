import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, Dialog, TextField } from '../../kit/controls.tsx';
import { formatMoney, monthsBack } from '../../kit/format.ts';
import { Alert, refresh } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import { Fields, Form, useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import type { Balance } from './balances.ts';
import { formatsOf, useDownloads } from './files.tsx';
import { isOpen, isPaid, type Line, newLine, type Run, recordRun } from './run.ts';

interface PayoutDialogProps {
  readonly rows: readonly Balance[];
  readonly currency: string;
  /** The names of earlier runs. */
  readonly taken: readonly string[];
  /** `hasBegun` is true if something was sent. */
  readonly onClose: (hasBegun: boolean) => void;
}

/** Reviews a payout, records it, and then offers its files. */
export function PayoutDialog({ rows, currency, taken, onClose }: PayoutDialogProps) {
  const { api } = useDashboard();
  const [lines, setLines] = useState<readonly Line[]>(() => rows.map(newLine));
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
  const paid = lines.filter(isPaid);
  const sum = formatMoney(
    paid.reduce((total, { amount }) => total + amount, 0),
    currency,
  );
  const isDone = !lines.some(isOpen);
  const isUnanswered = lines.some(({ state }) => state === 'unanswered');
  const hasBegun = lines.some(({ state }) => state !== 'open' && state !== 'left_out');
  const close = () => onClose(hasBegun || isDone);
  const hasChanged = lines.some(({ before }) => before !== undefined);
  async function save(): Promise<void> {
    // The name stays, whatever other runs are read meanwhile.
    setTyped(name);
    try {
      await recordRun(api, run, lines, { show: setLines, isClosed: () => isClosed.current });
    } finally {
      // Nobody waited for the outcome, but the view has to show it.
      if (isClosed.current) refresh();
    }
  }
  const table = (
    <Table
      name={PAYOUTS.payout}
      columns={hasBegun || hasChanged || isDone ? [...columnsOf(currency), RESULT] : columnsOf(currency)}
      rows={lines}
      keyOf={({ slug }) => slug}
    />
  );
  return (
    <Dialog title={PAYOUTS.payout} onClose={close}>
      {isDone ? (
        <Recorded
          run={run}
          lines={lines}
          sentence={paid.length === 0 ? PAYOUTS.nothingRecorded : PAYOUTS.recorded(paid.length, sum)}
          onClose={close}
        >
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
            {PAYOUTS.totalOf(paid.length, sum)}
          </p>
        </Form>
      )}
    </Dialog>
  );
}

/** The month, with a number if earlier runs have its name. */
function freeName(taken: readonly string[]): string {
  const month = monthsBack(Date.now(), 0);
  const names = [month, ...taken.map((_, index) => `${month}-${index + 2}`), `${month}-${taken.length + 2}`];
  return names.find((each) => !taken.includes(each)) ?? month;
}

interface RecordedProps {
  readonly run: Run;
  readonly lines: readonly Line[];
  readonly sentence: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** What was recorded, with the files: none before, because that invites paying twice. */
function Recorded({ run, lines, sentence, onClose, children }: RecordedProps) {
  const { run: act, report } = useActions();
  const names = new Map(lines.map(({ slug, name }) => [slug, name]));
  const downloads = useDownloads(
    (download) => void act(download),
    (slug) => names.get(slug) ?? slug,
  );
  const total = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => total.current?.focus(), []);
  return (
    <div class="form">
      <p ref={total} role="status" aria-label={PAYOUTS.total} class="payout-total" tabIndex={-1}>
        {sentence}
      </p>
      {lines.some(isPaid) && (
        <div class="buttons start">
          {formatsOf(run.currency).map((format) => (
            <Button key={format} label={PAYOUTS.DOWNLOADS[format]} onClick={() => downloads.start(run, format)} />
          ))}
        </div>
      )}
      {report}
      {children}
      <div class="buttons">
        <Button label={PAYOUTS.done} kind="primary" onClick={onClose} />
      </div>
      {downloads.dialog}
    </div>
  );
}

const RESULT: Column<Line> = { id: 'result', name: COMMON.result, onPhone: 'below', cell: ({ result }) => result };

const columnsOf = (currency: string): readonly Column<Line>[] => [
  { id: 'advocate', name: COMMON.advocate, onPhone: 'name', cell: ({ name }) => <bdi>{name}</bdi> },
  {
    id: 'method',
    name: PAYOUTS.method,
    onPhone: 'below',
    cell: ({ method }) => PAYOUTS.methodOf(method),
  },
  {
    id: 'amount',
    name: COMMON.amount,
    isNumber: true,
    onPhone: 'key',
    cell: ({ amount, before }) => (
      <>
        {formatMoney(amount, currency)}
        {before !== undefined && <span class="person-line">{PAYOUTS.was(formatMoney(before, currency))}</span>}
      </>
    ),
  },
];
