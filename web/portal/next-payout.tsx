import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { formatMoney, formatUtcDate } from '../kit/format.ts';
import * as COMMON from '../words/common.ts';
import * as EARNINGS from '../words/portal/earnings.ts';
import * as WORDS from '../words/portal/home.ts';
import { pendingUntil } from './account/payout-account.ts';
import type { OpenPayout } from './earnings/payout-dialog.tsx';
import { nextPayout } from './payout-day.ts';
import { hrefOf } from './router.ts';
import { type Affiliate, session } from './service.ts';

interface AmountProps {
  readonly name: string;
  /** Of each currency; `undefined` until they are known. */
  readonly values: readonly string[] | undefined;
  readonly isFirst?: boolean;
  readonly children?: ComponentChildren;
}

export function Amount({ name, values, isFirst = false, children }: AmountProps) {
  const id = useId();
  const shown = values?.length === 0 ? [COMMON.noAmount] : values;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms.
    <div class={isFirst ? 'card amount first' : 'card amount'} role="group" aria-labelledby={id}>
      <p id={id} class="stat-name">
        {name}
      </p>
      {shown ? (
        shown.map((value) => (
          <p key={value} class="stat-value">
            {value}
          </p>
        ))
      ) : (
        <div class="bone" />
      )}
      <p class="stat-note">{children}</p>
    </div>
  );
}

/** What is due to an advocate in one currency. It may be negative, after a refund or a payout of more than was due. */
interface Sum {
  readonly currency: string;
  readonly payable: number;
}

interface NextPayoutProps {
  readonly about: Affiliate | undefined;
  /** The most important currency first; `undefined` until they are known. */
  readonly sums: readonly Sum[] | undefined;
  /** Shows the customers behind an amount. Without it, a link leads to where they are shown. */
  readonly onOpen?: (sum: OpenPayout) => void;
}

/** How much the advocate gets next, when, and what it lacks. */
export function NextPayout({ about, sums, onOpen }: NextPayoutProps) {
  return (
    <Amount
      name={WORDS.nextPayout}
      values={sums?.map(({ payable, currency }) => formatMoney(payable, currency))}
      isFirst
    >
      {about && sums && (
        <>
          <span>{dateFor(about)}</span>
          <span>{missingFor(about, sums)}</span>
          {sums
            .filter(({ payable }) => payable > 0)
            .map(({ currency, payable }) => {
              const label = EARNINGS.customersBehind(formatMoney(payable, currency));
              const open = onOpen && (() => onOpen({ amount: payable, currency }));
              return open ? (
                <Button key={currency} label={label} kind="link" onClick={open} />
              ) : (
                <a key={currency} href={hrefOf('earnings')}>
                  {label}
                </a>
              );
            })}
        </>
      )}
    </Amount>
  );
}

function dateFor(about: Affiliate): string {
  const { payout_day: day, name } = about.program;
  const from = Math.max(Date.now(), (pendingUntil(about) ?? 0) * 1000);
  return day === null ? WORDS.noPayoutDay(name) : WORDS.payoutOn(formatUtcDate(nextPayout(day, from)));
}

function missingFor(about: Affiliate, sums: readonly Sum[]): ComponentChildren {
  const minima = about.program.minimum_payout;
  const owed = sums.filter(({ payable }) => payable > 0);
  const [first] = owed;
  const pending = pendingUntil(about);
  const isSetOff = sums.some(({ payable }) => payable < 0);
  if (!first) return isSetOff ? WORDS.setOff : WORDS.nothingDue;
  if (!owed.some(({ currency, payable }) => payable >= (minima[currency] ?? 0))) {
    return WORDS.belowMinimum(formatMoney(minima[first.currency] ?? 0, first.currency));
  }
  if (about.payout_account === null) {
    return session.isSignIn ? <a href={hrefOf('account')}>{WORDS.addAccount}</a> : WORDS.noAccount;
  }
  if (pending !== undefined) return WORDS.accountWaits(formatUtcDate(pending));
  return isSetOff && WORDS.setOff;
}
