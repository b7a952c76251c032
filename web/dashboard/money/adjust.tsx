import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { MONEY } from '../../words/dashboard-money.ts';
import { useOnceWritten } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Fields } from '../fields.tsx';
import { FormDialog, TextField } from '../form-dialog.tsx';
import { toAmount } from './lines.ts';

interface AdjustProps {
  readonly slug: string;
  readonly currency?: string;
  readonly onClose: () => void;
  readonly onAdjusted: () => void;
}

/** Records a bonus or a correction of an advocate. */
export function Adjust({ slug, currency: first = '', onClose, onAdjusted }: AdjustProps) {
  const { api } = useDashboard();
  const [adjustment_id] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const [typedCurrency, setCurrency] = useState(first);
  const [note, setNote] = useState('');
  const adjustment = useOnceWritten((body: { commission: number; currency: string; note: string }) =>
    api.send('post', '/v2/adjustments', { body: { affiliate_slug: slug, adjustment_id, ...body }, isRepeatable: true }),
  );
  async function save(): Promise<void> {
    const currency = typedCurrency.trim().toLowerCase();
    if (!/^[a-z]{3}$/.test(currency)) throw new ApiError(MONEY.wrongCurrency, -1);
    const commission = toAmount(typed, currency);
    await adjustment.write({ commission, currency, note: note.trim() });
    onAdjusted();
  }
  return (
    <FormDialog title={MONEY.adjust} onClose={onClose} onSave={save}>
      <p>
        <bdi>{slug}</bdi>
      </p>
      <Fields isLocked={adjustment.isUnanswered}>
        <TextField
          label={MONEY.amount}
          hint={MONEY.adjustHint}
          inputMode="text"
          isRequired
          value={typed}
          onInput={setTyped}
        />
        <TextField
          label={MONEY.currency}
          hint={MONEY.currencyHint}
          isRequired
          value={typedCurrency}
          onInput={setCurrency}
        />
        <TextField label={MONEY.note} hint={MONEY.noteHint} isRequired value={note} onInput={setNote} />
      </Fields>
      {adjustment.isUnanswered && <p class="soft">{MONEY.unanswered}</p>}
    </FormDialog>
  );
}
