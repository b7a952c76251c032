import { useState } from 'preact/hooks';
import { decimalsOf } from '../../../functions/ledger/rules/units.ts';
import type { RequestBody } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { SelectField, TextField } from '../../kit/fields.tsx';
import { formatMoney, parseMoney, parsePercentage } from '../../kit/format.ts';
import { hasTerms, termsText } from '../../kit/rules.ts';
import { tell } from '../../kit/toast.tsx';
import * as START from '../../words/dashboard/start.ts';
import { Form } from '../form-dialog.tsx';
import { currencyIn, MoneyFields, readMoney } from '../money-fields.tsx';
import { type Program, reloadProgram, useDashboard } from '../router.ts';
import { api } from '../service.ts';

const KINDS = ['percentage', 'amount'] as const;
const DURATIONS = ['all', 'first', 'months'] as const;

interface Typed {
  readonly kind: (typeof KINDS)[number];
  readonly percentage: string;
  readonly amount: string;
  readonly currency: string;
  readonly duration: (typeof DURATIONS)[number];
  readonly months: string;
  readonly days: string;
}

interface CommissionStepProps {
  readonly program: Program;
  readonly onDone: () => void;
}

/** What advocates earn of each payment, with an example. */
export function CommissionStep({ program: { attributes }, onDone }: CommissionStepProps) {
  const { can } = useDashboard();
  const [typed, setTyped] = useState<Typed>({
    ...({ kind: 'percentage', percentage: '', amount: '', currency: '', duration: 'all', months: '12' } as const),
    days: String(attributes.payable_after_days),
  });
  const field = (name: 'percentage' | 'months' | 'days') => ({
    value: typed[name],
    inputMode: name === 'percentage' ? ('decimal' as const) : ('numeric' as const),
    isRequired: true,
    onInput: (value: string) => setTyped((last) => ({ ...last, [name]: value })),
  });
  async function save(): Promise<void> {
    await api.send('patch', '/v2/program', { body: termsOf(typed) });
    tell(START.commissionSaved);
    reloadProgram();
    onDone();
  }
  if (hasTerms(attributes)) return <p>{START.rulesNow(termsText(attributes))}</p>;
  if (!can('admin')) return <p class="soft">{START.notAllowed('admin')}</p>;
  return (
    <Form onSave={save}>
      <div class="step-fields">
        <SelectField
          label={START.commission}
          value={typed.kind}
          options={KINDS}
          names={START.KINDS}
          onChange={(kind) => setTyped({ ...typed, kind })}
        />
        {typed.kind === 'percentage' ? (
          <TextField label={START.percentage} placeholder="20" {...field('percentage')} />
        ) : (
          <MoneyFields
            typed={typed}
            onInput={(money) => setTyped((last) => ({ ...last, ...money }))}
            amountHint=""
            inputMode="decimal"
          />
        )}
        <SelectField
          label={START.duration}
          value={typed.duration}
          options={DURATIONS}
          names={START.DURATIONS}
          onChange={(duration) => setTyped({ ...typed, duration })}
        />
        {typed.duration === 'months' && <TextField label={START.months} {...field('months')} />}
        <TextField label={START.holdPeriod} hint={START.holdPeriodHint} {...field('days')} />
      </div>
      <output class="example">{exampleOf(typed)}</output>
    </Form>
  );
}

/** The body that sets the terms. Throws a sentence to show. */
function termsOf({ kind, duration, ...typed }: Typed): RequestBody<'/v2/program', 'patch'> {
  const payable_after_days = wholeOf(typed.days, START.holdPeriod);
  const months = duration === 'months' ? wholeOf(typed.months, START.months) : null;
  const limits = { ...(duration === 'first' && { payments: 1 }), ...(months !== null && { months }) };
  if (kind === 'amount') {
    const { amount, currency } = readMoney(typed);
    return { payable_after_days, commission_rules: [{ amounts: { [currency]: amount }, ...limits }] };
  }
  const percentage = parsePercentage(typed.percentage);
  if (percentage === undefined) throw new ApiError(START.wrongPercentage, -1);
  if (duration === 'first') return { payable_after_days, commission_rules: [{ percentage, ...limits }] };
  return { payable_after_days, commission_percentage: percentage, commission_months: months };
}

function wholeOf(text: string, label: string): number {
  if (!/^\d+$/.test(text.trim())) throw new ApiError(START.wrongNumber(label), -1);
  return Number(text);
}

/** What a payment of 50 earns; nothing while a value is not valid. */
function exampleOf({ kind, percentage, amount, currency: code }: Typed): string {
  const currency = kind === 'amount' ? currencyIn(code) : 'eur';
  if (currency === undefined) return '';
  const fifty = 50 * 10 ** decimalsOf(currency);
  const rate = parsePercentage(percentage);
  const earned =
    kind === 'amount'
      ? parseMoney(amount, currency)
      : rate === undefined
        ? undefined
        : Math.round((fifty * rate) / 100);
  if (earned === undefined) return '';
  return START.example(formatMoney(Math.max(fifty, earned), currency), formatMoney(earned, currency));
}
