import { useState } from 'preact/hooks';
import type { Query } from '../../kit/api.ts';
import { Button, SelectField } from '../../kit/controls.tsx';
import { dayOf } from '../../kit/days.ts';
import { CheckField } from '../../kit/forms.tsx';
import { boundsOf, isCustom, periodOf, RANGES } from '../../kit/period.ts';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { ChooseAdvocate } from '../choose-advocate.tsx';
import { type Filters, replaceFilters } from '../router.ts';

/** The states that a filter or a dialog offers. */
export const STATES = ['converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

const FLAG = 'self_referral';

/** The fields of a custom range. */
const DAYS = [
  ['from', COMMON.from],
  ['to', COMMON.to],
] as const;

/** Reads the filters of an address that anybody may have written. Others are dropped. */
export function parseFilters({ state, advocate, range, from, to, flag }: Filters): Filters {
  return {
    state: STATES.find((each) => each === state),
    advocate: advocate || undefined,
    range: RANGES.find((each) => each === range),
    ...(range === 'custom' && { from, to }),
    flag: flag === FLAG ? flag : undefined,
  };
}

/** The filters for the API. The flag is a filter of the whole program only. */
export function queryOf(filters: Filters, now: number): NonNullable<Query<'/v2/referrals', 'get'>> {
  const { advocate, flag, range } = filters;
  const bounds = range === undefined ? undefined : boundsOf(periodOf(filters, now));
  return {
    state_eq: STATES.find((each) => each === filters['state']),
    ...(bounds && { state_set_at_gt: bounds.after, state_set_at_lt: bounds.before }),
    ...(advocate === undefined ? flag && { flag_eq: FLAG } : { affiliate_slug: advocate }),
  };
}

export const NO_FILTERS: Filters = {
  state: undefined,
  advocate: undefined,
  range: undefined,
  from: undefined,
  to: undefined,
  flag: undefined,
};

/** The filters of the list. On a phone, they stand behind a button. */
export function FilterBar({ filters }: { readonly filters: Filters }) {
  const [isOpen, setOpen] = useState(false);
  const { state = '', advocate = '', range = '', flag } = filters;
  const today = dayOf(Date.now());
  return (
    <>
      <Button label={REFERRALS.filters} kind="filters-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      <div class={isOpen ? 'filters' : 'filters closed'}>
        <SelectField
          label={COMMON.state}
          isInline
          value={state}
          options={[['', COMMON.all], ...STATES.map((each) => [each, REFERRALS.STATES[each]] as const)]}
          onChange={(next) => replaceFilters({ state: next || undefined })}
        />
        <SelectField
          label={COMMON.range}
          isInline
          value={range}
          options={[['', REFERRALS.allTime], ...RANGES.map((each) => [each, COMMON.ranges[each]] as const)]}
          onChange={(next) => replaceFilters({ range: next || undefined, ...daysOf(next) })}
        />
        {range === 'custom' &&
          DAYS.map(([name, label]) => (
            <label key={name} class="field inline">
              <span>{label}</span>
              <input
                type="date"
                max={today}
                aria-invalid={!isCustom(filters['from'], filters['to'], today)}
                value={filters[name]}
                onChange={({ currentTarget }) => replaceFilters({ [name]: currentTarget.value })}
              />
            </label>
          ))}
        <ChooseAdvocate
          mustChoose
          value={advocate}
          onChange={(slug) => replaceFilters({ advocate: slug || undefined, ...(slug && { flag: undefined }) })}
        />
        <CheckField
          label={REFERRALS.selfReferrals}
          isChecked={flag === FLAG}
          onChange={(isChecked) =>
            replaceFilters(isChecked ? { flag: FLAG, advocate: undefined } : { flag: undefined })
          }
        />
      </div>
    </>
  );
}

/** A custom range begins as the last 30 days. */
function daysOf(range: string): Filters {
  if (range !== 'custom') return { from: undefined, to: undefined };
  const { from, to } = periodOf({}, Date.now());
  return { from, to };
}
