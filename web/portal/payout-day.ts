/** The next day on which a program pays, from a moment in Unix milliseconds on. Returns Unix seconds. */
export function nextPayout(payoutDay: number, from: number): number {
  const date = new Date(from);
  const months = date.getUTCMonth() + (date.getUTCDate() > payoutDay ? 1 : 0);
  return Date.UTC(date.getUTCFullYear(), months, payoutDay) / 1000;
}
