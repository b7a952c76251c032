import { useState } from 'preact/hooks';
import { inUnits } from '../../../functions/ledger/rules/units.ts';
import type { Api } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { TextField } from '../../kit/controls.tsx';
import { formatMoment, formatMoney } from '../../kit/format.ts';
import { type StatementLine as Line, linesOf } from '../../kit/statement-file.ts';
import { Alert, readyOf, toApiError, useLoaded } from '../../kit/status.tsx';
import { numberColumn, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { MONEY } from '../../words/dashboard.ts';
import {
  Fields,
  FormDialog,
  isUnanswered,
  MoneyFields,
  readAmount,
  readMoney,
  useOnceWritten,
} from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';

interface SettleProps {
  readonly line: Line;
  readonly onClose: () => void;
  readonly onSettled: () => void;
}

/**
 * Records what the merchant paid to an advocate. It reads the payable amount once more before it writes, because another
 * person may have settled it, and shows the new one if somebody does so meanwhile.
 */
export function Settle({ line, onClose, onSettled }: SettleProps) {
  const { api } = useDashboard();
  const { affiliate_slug, currency } = line;
  const [settlement_id] = useState(() => crypto.randomUUID());
  const [balance, setBalance] = useState<Balance>(line);
  const [before, setBefore] = useState<Balance>();
  const [typed, setTyped] = useState(inUnits(line.payable, currency));
  const [reference, setReference] = useState('');
  const [loaded] = useLoaded(
    async (signal) => {
      const { body } = await api.send('get', '/v2/advocates/{slug}', { params: { slug: affiliate_slug }, signal });
      return body.data.attributes.payout_pending_until ?? 0;
    },
    [affiliate_slug],
  );
  const pending = readyOf(loaded)?.value ?? 0;
  const settlement = useOnceWritten((body: { amount: number; reference: string; settlement_count: number }) =>
    api.send('post', '/v2/settlements', {
      body: { affiliate_slug, settlement_id, currency, ...body },
      isRepeatable: true,
    }),
  );
  /** Shows the balance, and the balance that the dialog showed before. */
  function show(now: Balance, amount: number): void {
    setBefore(balance);
    setBalance(now);
    if (amount === balance.payable) setTyped(now.payable > 0 ? inUnits(now.payable, currency) : '');
  }
  async function save(): Promise<void> {
    const amount = readAmount(typed, currency);
    if (amount <= 0) throw new ApiError(MONEY.notPositive, -1);
    // The service may have recorded an earlier attempt, which is no longer payable then.
    const now = settlement.isUnanswered ? balance : await readBalance(api, line);
    if (now.payable !== balance.payable) return show(now, amount);
    setBefore(undefined);
    try {
      await settlement.write({ amount, reference: reference.trim(), settlement_count: now.settlement_count });
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      return show(await readBalance(api, line), amount);
    }
    onSettled();
  }
  return (
    <FormDialog title={MONEY.settle} onClose={onClose} onSave={save}>
      <p>
        <bdi>{affiliate_slug}</bdi>
      </p>
      <p class="soft">{MONEY.payableNow(formatMoney(balance.payable, currency))}</p>
      {pending * 1000 > Date.now() && <Alert title={MONEY.pending(formatMoment(pending))} tone="notice" />}
      {before !== undefined && (
        <Alert
          title={before.settlement_count === balance.settlement_count ? MONEY.changed : MONEY.overtaken}
          tone="notice"
        >
          <p>{MONEY.changedAdvice(formatMoney(before.payable, currency), formatMoney(balance.payable, currency))}</p>
        </Alert>
      )}
      <Fields isLocked={settlement.isUnanswered}>
        <TextField
          label={COMMON.amount}
          hint={currency.toUpperCase()}
          inputMode="decimal"
          isRequired
          value={typed}
          onInput={setTyped}
        />
        <TextField label={MONEY.reference} hint={MONEY.referenceHint} value={reference} onInput={setReference} />
      </Fields>
      {settlement.isUnanswered && <p class="soft">{MONEY.unanswered}</p>}
    </FormDialog>
  );
}

/** One settlement of the page. Its id stays the same over every attempt. */
interface Settlement {
  readonly line: Line;
  readonly settlement_id: string;
  readonly amount: number;
  /** Of the balance that the amount comes from. */
  readonly settlement_count: number;
  /** `unanswered` is sent again as it was, without a look at what is payable: the service may have recorded it. */
  readonly state: 'open' | 'unanswered' | 'done' | 'nothing';
  readonly result: string;
}

/** Settles what is payable in the rows of a page, one after the other, and reports each result. */
export function SettlePage({ lines, onClose }: { readonly lines: readonly Line[]; readonly onClose: () => void }) {
  const { api } = useDashboard();
  const [settlements, setSettlements] = useState<readonly Settlement[]>(() => lines.map(newSettlement));
  const [reference, setReference] = useState('');
  const isDone = settlements.every(({ state }) => state === 'done' || state === 'nothing');
  const isLocked = settlements.some(({ state }) => state === 'unanswered');
  async function save(): Promise<void> {
    if (isDone) return onClose();
    for (const settlement of settlements) {
      if (settlement.state === 'done' || settlement.state === 'nothing') continue;
      const next = await settle(api, settlement, reference.trim());
      setSettlements((all) => all.map((each) => (each.settlement_id === next.settlement_id ? next : each)));
    }
  }
  return (
    <FormDialog title={MONEY.settlePage} onClose={onClose} onSave={save} {...(isDone && { save: COMMON.close })}>
      <p class="soft">{isDone ? MONEY.allDone : MONEY.settlePageAdvice(lines.length)}</p>
      <Fields isLocked={isLocked || isDone}>
        <TextField label={MONEY.reference} hint={MONEY.referenceHint} value={reference} onInput={setReference} />
      </Fields>
      <div role="status">
        <Table
          name={MONEY.settlePage}
          rows={settlements}
          keyOf={({ line }) => keyOf(line)}
          columns={[
            { name: COMMON.advocate, cell: ({ line }) => <bdi>{line.affiliate_slug}</bdi> },
            numberColumn<Settlement>(COMMON.amount, ({ amount, line }) => formatMoney(amount, line.currency)),
            { name: COMMON.result, cell: ({ result }) => result },
          ]}
          isNarrow
        />
      </div>
    </FormDialog>
  );
}

const newSettlement = (line: Line): Settlement => ({
  line,
  settlement_id: crypto.randomUUID(),
  amount: line.payable,
  settlement_count: line.settlement_count,
  state: 'open',
  result: MONEY.waiting,
});

async function settle(api: Api, settlement: Settlement, reference: string): Promise<Settlement> {
  const { line, settlement_id, state } = settlement;
  const { affiliate_slug, currency } = line;
  let sent = state === 'unanswered' ? settlement : undefined;
  try {
    if (!sent) {
      const balance = await readBalance(api, line);
      if (balance.payable !== settlement.amount) return changed(settlement, balance, MONEY.changedTo);
      sent = { ...settlement, settlement_count: balance.settlement_count };
    }
    const { amount, settlement_count } = sent;
    const body = { affiliate_slug, settlement_id, amount, currency, reference, settlement_count };
    await api.send('post', '/v2/settlements', { body, isRepeatable: true });
    return { ...settlement, state: 'done', result: MONEY.settled };
  } catch (error) {
    const { message } = toApiError(error);
    if (sent && isUnanswered(error)) return { ...sent, state: 'unanswered', result: MONEY.unknown(message) };
    const failed = { ...settlement, state: 'open', result: MONEY.failed(message) } as const;
    if (!isOvertaken(error)) return failed;
    return readBalance(api, line).then(
      (balance) => changed(settlement, balance, MONEY.overtakenTo),
      () => failed,
    );
  }
}

/** Shows what is payable now, which was not settled. */
function changed(settlement: Settlement, { payable: amount }: Balance, result: (now: string) => string): Settlement {
  if (amount <= 0) return { ...settlement, amount, state: 'nothing', result: MONEY.nothingPayable };
  return { ...settlement, amount, state: 'open', result: result(formatMoney(amount, settlement.line.currency)) };
}

export const SUMS = ['opening', 'commissions', 'adjustments', 'settlements', 'closing', 'payable'] as const;
export const keyOf = ({ affiliate_slug, currency }: Line) => `${affiliate_slug} ${currency}`;

/** Sums above 2^53 were rounded when the page read them, so they are not settled here. */
export const canBeSettled = ({ payable }: Line) => payable > 0 && Number.isSafeInteger(payable);

export async function readStatements(api: Api, month: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { month, cursor };
  const { body, next } = await api.send('get', '/v2/statements', { query, signal });
  return { rows: [body.data].flat().flatMap(linesOf), next };
}

type Balance = Pick<Line, 'payable' | 'settlement_count'>;

/** Reads what is payable to an advocate now, and how many settlements that includes. */
async function readBalance(api: Api, { month, affiliate_slug, currency }: Line): Promise<Balance> {
  const { body } = await api.send('get', '/v2/statements', { query: { month, affiliate_slug } });
  const lines = [body.data].flat().flatMap(linesOf);
  return lines.find((line) => line.currency === currency) ?? { payable: 0, settlement_count: 0 };
}

/** True if a settlement was refused because another one came first. */
const isOvertaken = (error: unknown) => error instanceof ApiError && error.code === 'balance_changed';

interface AdjustProps {
  readonly slug: string;
  readonly currency?: string;
  readonly onClose: () => void;
  readonly onAdjusted: () => void;
}

export function Adjust({ slug, currency = 'usd', onClose, onAdjusted }: AdjustProps) {
  const { api } = useDashboard();
  const [adjustment_id] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState({ amount: '', currency });
  const [note, setNote] = useState('');
  const adjustment = useOnceWritten((body: { commission: number; currency: string; note: string }) =>
    api.send('post', '/v2/adjustments', { body: { affiliate_slug: slug, adjustment_id, ...body }, isRepeatable: true }),
  );
  async function save(): Promise<void> {
    const { amount, currency: code } = readMoney(typed);
    await adjustment.write({ commission: amount, currency: code, note: note.trim() });
    onAdjusted();
  }
  return (
    <FormDialog title={MONEY.adjust} onClose={onClose} onSave={save}>
      <p>
        <bdi>{slug}</bdi>
      </p>
      <Fields isLocked={adjustment.isUnanswered}>
        <MoneyFields typed={typed} onInput={setTyped} amountHint={MONEY.adjustHint} inputMode="text" />
        <TextField label={COMMON.note} hint={MONEY.noteHint} isRequired value={note} onInput={setNote} />
      </Fields>
      {adjustment.isUnanswered && <p class="soft">{MONEY.unanswered}</p>}
    </FormDialog>
  );
}
