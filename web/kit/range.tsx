import { COMMON } from '../words/common.ts';
import { SelectField } from './controls.tsx';
import { RANGES, type Range } from './ranges.ts';

interface RangePickerProps {
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

/** Chooses the range of numbers and chart. */
export function RangePicker({ range, onChange }: RangePickerProps) {
  const options = RANGES.map((each) => [each, COMMON.ranges[each]] as const);
  return <SelectField label={COMMON.range} isInline value={range} options={options} onChange={onChange} />;
}
