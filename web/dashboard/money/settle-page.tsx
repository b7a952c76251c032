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
import { keyOf, readPayable } from './lines.ts';

/** One settlement of the page. Its id stays the same over every attempt. */
interface Settlement {
  readonly line: Line;
  readonly settlement_id: string;
  readonly amount: number;
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
  state: 'open',
  result: MONEY.waiting,
});

async function settle(api: Api, settlement: Settlement, reference: string): Promise<Settlement> {
  const { line, settlement_id, amount, state } = settlement;
  const { affiliate_slug, currency } = line;
  let isSent = state === 'unanswered';
  try {
    if (!isSent) {
      const payable = await readPayable(api, line);
      if (payable <= 0) return { ...settlement, amount: payable, state: 'nothing', result: MONEY.nothingPayable };
      if (payable !== amount) {
        return { ...settlement, amount: payable, result: MONEY.changedTo(formatMoney(payable, currency)) };
      }
    }
    isSent = true;
    const body = { affiliate_slug, settlement_id, amount, currency, reference };
    await api.send('post', '/v2/settlements', { body, isRepeatable: true });
    return { ...settlement, state: 'done', result: MONEY.settled };
  } catch (error) {
    const { message } = toApiError(error);
    const isUnknown = isSent && isUnanswered(error);
    return {
      ...settlement,
      state: isUnknown ? 'unanswered' : 'open',
      result: isUnknown ? MONEY.unknown(message) : MONEY.failed(message),
    };
  }
}
