/** Returns the values of a vertical axis from 0 to at least `largest`: at most 5 round numbers. */
export function axisOf(largest: number): number[] {
  const rough = Math.max(1, largest) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? 1);
  return Array.from({ length: Math.ceil(Math.max(1, largest) / step) + 1 }, (_, index) => index * step);
}
