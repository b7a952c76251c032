import type { Query } from '../../kit/api.ts';
import { dayOf } from '../../kit/days.ts';
import { SelectField } from '../../kit/fields.tsx';
import { FilterPanel } from '../../kit/filter-panel.tsx';
import { CheckField } from '../../kit/forms.tsx';
import { boundsOf, isCustom, periodOf, RANGES } from '../../kit/period.ts';
import { RangeFields } from '../../kit/range-fields.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { ChooseAdvocate } from '../choose-advocate.tsx';
import { type Filters, replaceFilters } from '../router.ts';

/** The states that a filter or a dialog offers. */
export const STATES = ['converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

const FLAG = 'self_referral';

/** Reads the filters of an address that anybody may have written. Others are dropped, such as days that are no range. */
export function parseFilters({ state, advocate, range, from, to, flag }: Filters): Filters {
  const isRange = range !== 'custom' || isCustom(from, to, dayOf(Date.now()));
  return {
    state: STATES.find((each) => each === state),
    advocate: advocate || undefined,
    range: RANGES.find((each) => isRange && each === range),
    ...(range === 'custom' && isRange && { from, to }),
    flag: flag === FLAG && !advocate ? flag : undefined,
  };
}

/** True if the API lists the latest change first. Referrals of one advocate without a range begin with the latest visit. */
export const isByChange = ({ advocate, range }: Filters) => advocate === undefined || range !== undefined;

/** The filters for the API. The flag is a filter of the whole program only, so one of the two can be set. */
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

export function FilterBar({ filters }: { readonly filters: Filters }) {
  const { state = '', advocate = '', flag } = filters;
  return (
    <FilterPanel>
      <SelectField
        label={COMMON.state}
        isInline
        value={state}
        options={[['', COMMON.all], ...STATES]}
        names={COMMON.states}
        onChange={(next) => replaceFilters({ state: next || undefined })}
      />
      <RangeFields filters={filters} onFilters={replaceFilters} allTime={REFERRALS.allTime} />
      {/* The API cannot combine the two. */}
      <fieldset class="form plain" disabled={flag !== undefined} title={flag && REFERRALS.eitherFilter}>
        <ChooseAdvocate
          mustChoose
          value={advocate}
          onChange={(slug) => replaceFilters({ advocate: slug || undefined })}
        />
      </fieldset>
      <fieldset class="form plain" disabled={advocate !== ''} title={advocate && REFERRALS.eitherFilter}>
        <CheckField
          label={REFERRALS.selfReferrals}
          isChecked={flag === FLAG}
          onChange={(isChecked) => replaceFilters({ flag: isChecked ? FLAG : undefined })}
        />
      </fieldset>
      <p class="soft">{REFERRALS.order}</p>
    </FilterPanel>
  );
}
