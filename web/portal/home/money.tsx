import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { addDays, dayOf } from '../../kit/days.ts';
import { formatKey, formatMoney, formatUtcDate } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/status.tsx';
import * as WORDS from '../../words/portal/home.ts';
import { pendingUntil } from '../account/payout-account.ts';
import { nextPayout } from '../program.ts';
import { hrefOf } from '../router.ts';
import { type Affiliate, api, session } from '../service.ts';
import { type Amounts, firstHeldDay } from './amounts.ts';

interface MoneyProps {
  readonly about: Affiliate | undefined;
  /** By currency, the most important one first; `undefined` until they are known. */
  readonly amounts: readonly Amounts[] | undefined;
}

/** When does the advocate get how much? The present amounts, which no range changes. */
export function Money({ about, amounts }: MoneyProps) {
  const texts = (of: (amounts: Amounts) => number) =>
    amounts?.map((each) => formatMoney(of(each), each.currency)) ?? undefined;
  return (
    <div class="amounts">
      <Amount name={WORDS.nextPayout} values={texts(({ due }) => due)} isFirst>
        {about && amounts && <PayoutNote about={about} amounts={amounts} />}
      </Amount>
      <Amount name={WORDS.onHold} values={texts(({ onHold }) => onHold)}>
        {about && amounts && <HoldNote about={about} amounts={amounts} />}
      </Amount>
      <Amount name={WORDS.earnedInTotal} values={texts(({ earned }) => earned)} />
      <Amount name={WORDS.paidInTotal} values={texts(({ paid }) => paid)} />
    </div>
  );
}

interface AmountProps {
  readonly name: string;
  readonly values: readonly string[] | undefined;
  readonly isFirst?: boolean;
  readonly children?: ComponentChildren;
}

function Amount({ name, values, isFirst = false, children }: AmountProps) {
  const id = useId();
  const shown = values?.length === 0 ? [WORDS.noAmount] : values;
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

type NoteProps = { readonly about: Affiliate; readonly amounts: readonly Amounts[] };

/** When the next payout comes, and what it lacks. */
function PayoutNote(props: NoteProps) {
  const { about } = props;
  const { payout_day: day, name } = about.program;
  const from = Math.max(Date.now(), (pendingUntil(about) ?? 0) * 1000);
  return (
    <>
      <span>{day === null ? WORDS.noPayoutDay(name) : WORDS.payoutOn(formatUtcDate(nextPayout(day, from)))}</span>
      <span>{missingFor(props)}</span>
    </>
  );
}

function missingFor({ about, amounts }: NoteProps): ComponentChildren {
  const minima = about.program.minimum_payout;
  const due = amounts.filter(({ due: amount }) => amount > 0);
  const isPaid = ({ currency, due: amount }: Amounts) => amount >= (minima[currency] ?? 0);
  const [first] = due;
  const pending = pendingUntil(about);
  if (amounts.some(({ due: amount }) => amount < 0)) return WORDS.setOff;
  if (!first) return WORDS.nothingDue;
  if (!due.some(isPaid)) return WORDS.belowMinimum(formatMoney(minima[first.currency] ?? 0, first.currency));
  if (about.payout_account === null) {
    return session.isSignIn ? <a href={hrefOf('account')}>{WORDS.addAccount}</a> : WORDS.noAccount;
  }
  return pending !== undefined && WORDS.accountWaits(formatUtcDate(pending));
}

/** From when on the first part of what is on hold is due. */
function HoldNote({ about: { payable_after_days: days }, amounts }: NoteProps) {
  const held = amounts.find(({ onHold }) => onHold > 0)?.currency;
  const [first] = useLoaded(
    async (signal) => {
      if (held === undefined || days === 0) return undefined;
      const today = dayOf(Date.now());
      const query = { from: addDays(today, 1 - days), to: today, group_by: 'day' } as const;
      const { data } = (await api.send('get', '/v2/affiliate/statistics', { query, signal })).body;
      const day = firstHeldDay(data.attributes.groups, held);
      return day && addDays(day, days);
    },
    [held, days],
  );
  const day = readyOf(first)?.value;
  if (held === undefined) return null;
  return day ? WORDS.holdUntil(formatKey(day, 'long')) : WORDS.holdFor(days);
}
