import { dayOf, formatKey, formatMoney } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as WORDS from '../../words/portal/home.ts';
import { readFirstDue } from '../earnings/ledger.ts';
import { Amount, NextPayout } from '../next-payout.tsx';
import { nextPayout } from '../payout-day.ts';
import type { Affiliate } from '../service.ts';
import type { Amounts } from './amounts.ts';

interface MoneyProps {
  readonly about: Affiliate | undefined;
  /** By currency, the most important one first; `undefined` until they are known. */
  readonly amounts: readonly Amounts[] | undefined;
}

/** When does the advocate get how much? The present amounts, which no range changes. */
export function Money({ about, amounts }: MoneyProps) {
  const texts = (of: (amounts: Amounts) => number) => amounts?.map((each) => formatMoney(of(each), each.currency));
  return (
    <div class="amounts">
      <NextPayout about={about} sums={amounts} />
      <Amount name={WORDS.onHold} values={texts(({ onHold }) => onHold)}>
        {about && amounts && <HoldNote about={about} amounts={amounts} />}
      </Amount>
      <Amount name={WORDS.earnedInTotal} values={texts(({ earned }) => earned)} />
      <Amount name={WORDS.paidInTotal} values={texts(({ paid }) => paid)} />
    </div>
  );
}

type NoteProps = { readonly about: Affiliate; readonly amounts: readonly Amounts[] };

/** From when on the first part of what is on hold is due, and which payout pays it. */
function HoldNote({ about: { payable_after_days: days, program }, amounts }: NoteProps) {
  const held = amounts.find(({ onHold }) => onHold > 0)?.currency;
  const [first] = useLoaded(
    async (signal) => (held === undefined ? undefined : readFirstDue(held, days, signal)),
    [held, days],
  );
  const day = readyOf(first)?.value;
  if (held === undefined) return null;
  if (day === undefined) return WORDS.holdFor(days);
  const { payout_day: payoutDay } = program;
  const payout = payoutDay === null ? undefined : dayOf(nextPayout(payoutDay, Date.parse(day)) * 1000);
  return WORDS.holdUntil(formatKey(day, 'short'), payout && formatKey(payout, 'short'));
}
