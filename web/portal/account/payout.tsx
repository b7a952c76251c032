import { useState } from 'preact/hooks';
import { SelectField, TextField } from '../../kit/fields.tsx';
import { formatMoment } from '../../kit/format.ts';
import * as WORDS from '../../words/portal/account.ts';
import { type AccountProps, Part } from './part.tsx';
import { payoutAccountOf, pendingUntil } from './payout-account.ts';

const METHODS = ['paypal', 'bank', 'other'] as const;

/** Where the money goes. Nobody pays to a new account for three days. */
export function Payout({ about, ...props }: AccountProps) {
  const [method, setMethod] = useState<'' | (typeof METHODS)[number]>(about.payout_method ?? '');
  const [typed, setTyped] = useState('');
  const pending = pendingUntil(about);
  const account = method === '' ? null : typed.trim();
  return (
    <Part
      {...props}
      title={WORDS.payoutAccount}
      save={WORDS.savePayoutAccount}
      fields={{ payout_account: WORDS.payoutAccount }}
      change={() => ({ payout_method: method || null, payout_account: account })}
      onChanged={(changed) => {
        setTyped('');
        props.onChanged(changed);
      }}
    >
      {(faults) => (
        <>
          <p>{payoutAccountOf(about) ?? WORDS.noAccount}</p>
          {pending !== undefined && <p class="box">{WORDS.pending(formatMoment(pending))}</p>}
          <SelectField
            label={WORDS.method}
            value={method}
            options={[['', WORDS.noMethod], ...METHODS]}
            names={WORDS.methods}
            onChange={setMethod}
          />
          {method !== '' && (
            <TextField
              label={WORDS.payoutAccount}
              hint={WORDS.accountHints[method]}
              maxLength={254}
              isRequired
              value={typed}
              fault={faults.get('payout_account')}
              onInput={setTyped}
            />
          )}
        </>
      )}
    </Part>
  );
}
