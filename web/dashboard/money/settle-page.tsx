import { useState } from 'preact/hooks';
import type { Api } from '../../kit/api.ts';
import { toApiError } from '../../kit/load.ts';
import { formatMoney } from '../../kit/money.ts';
import type { StatementLine as Line } from '../../kit/statement-file.ts';
import { Table } from '../../kit/table.tsx';
import { MONEY } from '../../words/dashboard-money.ts';
import { isUnanswered } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Fields } from '../fields.tsx';
import { FormDialog, TextField } from '../form-dialog.tsx';
import { type Balance, isOvertaken, keyOf, readBalance } from './lines.ts';

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

interface SettlePageProps {
  readonly lines: readonly Line[];
  readonly onClose: () => void;
}

/** Settles what is payable in the rows of a page, one after the other, and reports each result. */
export function SettlePage({ lines, onClose }: SettlePageProps) {
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
    <FormDialog title={MONEY.settlePage} onClose={onClose} onSave={save} {...(isDone && { save: MONEY.close })}>
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
            { name: MONEY.advocate, cell: ({ line }) => <bdi>{line.affiliate_slug}</bdi> },
            { name: MONEY.amount, cell: ({ amount, line }) => formatMoney(amount, line.currency), isNumber: true },
            { name: MONEY.result, cell: ({ result }) => result },
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
