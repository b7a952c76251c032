import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { Fields } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { amountsText, parseAmounts } from './amounts.ts';
import { type Draft, type Field, textOrNull, typed, wholeOrNull } from './fields.ts';
import { StoredForm } from './form.tsx';
import type { ProgramSectionProps, ProgramSettings } from './stored.ts';

/** The fields. An amount without a currency has the only one that the ledger or the setting has. */
const fieldsOf = (only: string | undefined): readonly Field[] => [
  {
    name: 'minimum_payout',
    label: SETTINGS.minimumPayout,
    hint: SETTINGS.minimumPayoutHint,
    parse: (text, name) => parseAmounts(text, name, only),
  },
  {
    name: 'payout_day',
    label: SETTINGS.payoutDay,
    hint: SETTINGS.payoutDayHint,
    inputMode: 'numeric',
    parse: wholeOrNull,
  },
  { name: 'payout_name', label: SETTINGS.debtor, hint: SETTINGS.debtorHint, parse: textOrNull },
  { name: 'payout_iban', label: SETTINGS.iban, parse: textOrNull },
];

const draftOf = (settings: ProgramSettings): Draft => ({
  minimum_payout: amountsText(settings.minimum_payout),
  payout_day: typed(settings.payout_day),
  payout_name: typed(settings.payout_name),
  payout_iban: typed(settings.payout_iban),
});

export function PayoutsSection(program: ProgramSectionProps) {
  const { stored, isLocked } = program;
  const { can } = useDashboard();
  const [balances] = useLoaded(
    async (signal) => (await api.send('get', '/v2/balances', { query: { per_page: 1 }, signal })).body.meta.currencies,
    [],
  );
  const used = readyOf(balances)?.value.map(({ currency }) => currency) ?? [];
  const known = new Set([...used, ...Object.keys(stored.minimum_payout)]);
  const [only] = known.size === 1 ? known : [];
  return (
    <StoredForm {...program} fields={fieldsOf(only)} draftOf={draftOf} isLocked={isLocked && !can('payouts')}>
      {(view) => (
        <>
          <Fields isLocked={isLocked}>{view('minimum_payout', 'payout_day')}</Fields>
          {can('payouts') ? view('payout_name', 'payout_iban') : <p class="soft">{SETTINGS.accountNeedsScope}</p>}
        </>
      )}
    </StoredForm>
  );
}
