import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { TextField } from '../../kit/fields.tsx';
import { formatMoney, parseMoney } from '../../kit/format.ts';
import { randomId } from '../../kit/random-id.ts';
import { tell } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { Fields, FormDialog, useOnceWritten } from '../form-dialog.tsx';
import { currencyIn, MoneyFields, readMoney } from '../money-fields.tsx';
import { nameOf } from '../person.tsx';
import { api } from '../service.ts';
import type { Advocate } from './actions.ts';

interface BonusProps {
  readonly advocate: Advocate;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Adds to a balance, or with a minus takes away. The id of the write is made once, so that retries write once. */
export function Bonus({ advocate: { attributes }, onClose, onDone }: BonusProps) {
  const { slug } = attributes;
  const name = nameOf(attributes);
  const [adjustment_id] = useState(randomId);
  const [typed, setTyped] = useState({ amount: '', currency: '' });
  const [note, setNote] = useState('');
  const bonus = useOnceWritten((body: { commission: number; currency: string; note: string }) =>
    api.send('post', '/v2/adjustments', { body: { affiliate_slug: slug, adjustment_id, ...body }, isRepeatable: true }),
  );
  async function save(): Promise<void> {
    const { amount, currency } = readMoney(typed);
    if (amount === 0) throw new ApiError(ADVOCATES.zero, -1);
    await bonus.write({ commission: amount, currency, note: note.trim() });
    tell(ADVOCATES.bonusDone(name, formatMoney(amount, currency)));
    onDone();
  }
  return (
    <FormDialog title={ADVOCATES.bonus} onClose={onClose} onSave={save}>
      <Fields isLocked={bonus.isUnanswered}>
        <MoneyFields typed={typed} onInput={setTyped} amountHint={ADVOCATES.bonusHint} inputMode="text" />
        <TextField
          label={COMMON.note}
          hint={ADVOCATES.bonusNote}
          maxLength={200}
          isRequired
          value={note}
          onInput={setNote}
        />
      </Fields>
      <p role="status">{effectOf(name, typed)}</p>
      {bonus.isUnanswered && <p class="soft">{ADVOCATES.unanswered}</p>}
    </FormDialog>
  );
}

/** Says whom the typed amount gives or takes how much; the name alone until an amount is typed. */
function effectOf(name: string, typed: { readonly amount: string; readonly currency: string }): string {
  const currency = currencyIn(typed.currency);
  const amount = currency && parseMoney(typed.amount, currency);
  if (!amount) return name;
  const money = formatMoney(Math.abs(amount), currency);
  return amount > 0 ? ADVOCATES.gives(name, money) : ADVOCATES.takes(name, money);
}
