import { COMMON } from '../words/common.ts';
import { isRange, RANGES, type Range } from './ranges.ts';

interface RangePickerProps {
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

/** Chooses the range of numbers and chart. */
export function RangePicker({ range, onChange }: RangePickerProps) {
  return (
    <label class="field inline">
      <span>{COMMON.range}</span>
      <select
        value={range}
        onChange={({ currentTarget }) => {
          if (isRange(currentTarget.value)) onChange(currentTarget.value);
        }}
      >
        {RANGES.map((each) => (
          <option key={each} value={each}>
            {COMMON.ranges[each]}
          </option>
        ))}
      </select>
    </label>
  );
}
