import { isRange, RANGES } from '../../kit/ranges.ts';
import { COMMON } from '../../words/common.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { type ReferralFilters, STATES } from './filters.ts';

interface FilterBarProps {
  readonly filters: ReferralFilters;
  readonly onChange: (changes: Partial<ReferralFilters>) => void;
  readonly typed: string;
  readonly onType: (typed: string) => void;
}

/** Search and filters. What is searched for is personal: it never gets into the address. */
export function FilterBar({ filters, onChange, typed, onType }: FilterBarProps) {
  return (
    <div class="filters">
      <input
        type="search"
        aria-label={REFERRALS.search}
        placeholder={REFERRALS.searchExample}
        maxLength={254}
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <label class="field inline">
        <span>{REFERRALS.state}</span>
        <select
          value={filters.state ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ state: STATES.find((state) => state === value) })}
        >
          <option value="">{REFERRALS.all}</option>
          {STATES.map((state) => (
            <option key={state} value={state}>
              {state}
            </option>
          ))}
        </select>
      </label>
      <label class="field inline">
        <span>{COMMON.range}</span>
        <select
          value={filters.range ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ range: isRange(value) ? value : undefined })}
        >
          <option value="">{REFERRALS.allTime}</option>
          {RANGES.map((range) => (
            <option key={range} value={range}>
              {COMMON.ranges[range]}
            </option>
          ))}
        </select>
      </label>
      {filters.advocate === undefined ? (
        <label class="check">
          <input
            type="checkbox"
            checked={filters.isFlagged}
            onChange={({ currentTarget }) => onChange({ isFlagged: currentTarget.checked })}
          />
          {REFERRALS.selfReferrals}
        </label>
      ) : (
        <p class="soft">
          <bdi>{REFERRALS.ofAdvocate(filters.advocate)}</bdi>{' '}
          <button type="button" class="link" onClick={() => onChange({ advocate: undefined })}>
            {REFERRALS.showAll}
          </button>
        </p>
      )}
    </div>
  );
}
