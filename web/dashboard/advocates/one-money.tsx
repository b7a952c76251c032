import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { formatMoney } from '../../kit/format.ts';
import { type Loaded, readyOf } from '../../kit/loaded.ts';
import type { StatementLine } from '../../kit/statement-file.ts';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import { navigate, useDashboard } from '../router.ts';
import { Stat } from '../stat.tsx';
import { Bonus } from './bonus.tsx';

type Sums = Schemas['Statistics']['attributes']['total']['money'];

interface MoneyProps {
  readonly slug: string;
  readonly sums: Loaded<readonly StatementLine[]>;
  readonly paid: Loaded<Sums>;
  readonly advocate: Schemas['Advocate'] | undefined;
  readonly onChanged: () => void;
}

/** What is due, on hold and paid, in each currency: exact, but for what was paid in all, which lags by two minutes. */
export function Money({ slug, sums, paid, advocate, onChanged }: MoneyProps) {
  const { can } = useDashboard();
  const [isOpen, setOpen] = useState(false);
  const lines = readyOf(sums)?.value;
  const due = lines?.map(({ currency, payable }) => formatMoney(payable, currency));
  const onHold = lines?.map(({ currency, closing, payable }) => formatMoney(closing - payable, currency));
  const paidSoFar = readyOf(paid)?.value.flatMap(({ currency, settled }) =>
    settled === 0 ? [] : formatMoney(settled, currency),
  );
  return (
    <div class="one-money">
      <div class="stats">
        <Amounts name={ADVOCATES.due} amounts={due} />
        <Amounts name={ADVOCATES.onHold} amounts={onHold} />
        <Amounts name={ADVOCATES.paidSoFar} amounts={paidSoFar} />
      </div>
      {can('payouts') && (
        <div class="buttons">
          <Button label={ADVOCATES.payOut} onClick={() => navigate('payouts', undefined, { advocate: slug })} />
          <Button label={ADVOCATES.bonus} aria-disabled={!advocate} onClick={() => setOpen(advocate !== undefined)} />
        </div>
      )}
      {isOpen && advocate && (
        <Bonus
          advocate={advocate}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onChanged();
          }}
        />
      )}
    </div>
  );
}

/** Amounts that belong to no range, one for each currency. */
function Amounts({ name, amounts }: { readonly name: string; readonly amounts: readonly string[] | undefined }) {
  return <Stat name={name} value={amounts ? amounts.join(' · ') || COMMON.noAmount : COMMON.unknown} />;
}
