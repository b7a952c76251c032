import { make } from './dom.ts';

/** The format of times within the last day. */
export const TIME_OF_DAY = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const MONTH = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

interface Commission {
  readonly commissionPercentage: number | null;
  readonly commissionEndDate: number | null;
}

/** Shows a time in Unix seconds. */
export function timeOf(second: number): HTMLElement {
  const date = new Date(second * 1000);
  const isLastDay = Date.now() / 1000 - second < 86_400;
  const time = make('time', '', (isLastDay ? TIME_OF_DAY : DATE).format(date));
  time.dateTime = date.toISOString();
  return time;
}

/** Shows an email. A narrow column breaks it before its domain. */
export function emailOf(email: string): (Node | string)[] {
  const [local = '', domain = ''] = email.split('@');
  return [local, make('wbr', ''), `@${domain}`];
}

/** Describes the rate of a referral and how long it lasts. */
export function commissionOf({ commissionPercentage, commissionEndDate }: Commission): string {
  if (commissionPercentage === null) return '–';
  const end = commissionEndDate === null ? '' : ` to ${MONTH.format(new Date(commissionEndDate * 1000))}`;
  return `${commissionPercentage} %${end}`;
}
