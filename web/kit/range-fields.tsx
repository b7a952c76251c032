import { useEffect, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { dayOf } from './days.ts';
import { SelectField } from './fields.tsx';
import { BYS, byOf, isCustom, MAX_DAYS, periodOf, RANGES } from './period.ts';

/** Filters of a view, as its address has them. */
export type Filters = Readonly<Record<string, string | undefined>>;

interface RangeFieldsProps {
  readonly filters: Filters;
  readonly onFilters: (changes: Filters) => void;
  /** True if the days are grouped. */
  readonly withBy?: boolean;
  /** The name of the first option, which is no range, for a list that has all by default. */
  readonly allTime?: string;
}

/** The choice of a range. A custom one takes effect when its two days are valid. */
export function RangeFields({ filters, onFilters, withBy = false, allTime }: RangeFieldsProps) {
  const period = periodOf(filters, Date.now());
  const { from, to } = period;
  const range = allTime !== undefined && !filters['range'] ? '' : period.range;
  const none = { from: undefined, to: undefined, by: undefined };
  return (
    <div class="range-fields">
      <SelectField
        label={COMMON.range}
        isInline
        value={range}
        options={allTime === undefined ? RANGES : [['', allTime], ...RANGES]}
        names={COMMON.ranges}
        onChange={(next) => onFilters({ ...none, range: next || undefined, ...(next === 'custom' && { from, to }) })}
      />
      {range === 'custom' && <CustomDays from={from} to={to} onFilters={onFilters} />}
      {withBy && (
        <SelectField
          label={COMMON.by}
          isInline
          value={byOf(period, filters['by'])}
          options={BYS}
          names={COMMON.bys}
          onChange={(by) => onFilters({ by })}
        />
      )}
    </div>
  );
}

interface CustomDaysProps extends Pick<RangeFieldsProps, 'onFilters'> {
  readonly from: string;
  readonly to: string;
}

function CustomDays({ from, to, onFilters }: CustomDaysProps) {
  const [typed, setTyped] = useState({ from, to });
  useEffect(() => setTyped({ from, to }), [from, to]);
  const today = dayOf(Date.now());
  const isValid = isCustom(typed.from, typed.to, today);
  const type = (changes: Partial<typeof typed>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    if (isCustom(next.from, next.to, today)) onFilters(next);
  };
  return (
    <>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} class="field inline">
          <span>{name === 'from' ? COMMON.from : COMMON.to}</span>
          <input
            type="date"
            max={today}
            value={typed[name]}
            aria-invalid={!isValid}
            onChange={({ currentTarget }) => type({ [name]: currentTarget.value })}
          />
        </label>
      ))}
      <p class="fault" role="status">
        {!isValid && COMMON.wrongDays(MAX_DAYS)}
      </p>
    </>
  );
}
