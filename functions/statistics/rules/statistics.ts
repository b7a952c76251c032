import {
  KINDS,
  type Kind,
  MONEY_KINDS,
  type Money,
  type MoneyKind,
  NO_MONEY,
  NO_NUMBERS,
  type Numbers,
  type Totals,
} from '../../kernel/accounts/rules/totals.ts';
import { type Day, type DayGrouping, type DayRange, daysIn, monthOf } from '../../kernel/days.ts';

/** The numbers of each day that has some. */
export type DailyNumbers = ReadonlyMap<Day, Numbers>;
/** The money of each day that has some, by currency. */
export type DailyMoney = ReadonlyMap<string, ReadonlyMap<Day, Money>>;

/** What is known of each day. */
export interface Daily {
  readonly numbers: DailyNumbers;
  readonly money: DailyMoney;
}

export const NO_DAYS: Daily = { numbers: new Map(), money: new Map() };

/** The statistics of a range. */
export interface Statistics {
  readonly total: Totals;
  /** Every day or month of the range, newest first. */
  readonly groups: readonly ({ readonly key: string } & Totals)[];
}

/** Adds numbers up. */
export function sumOf(all: Iterable<Numbers>): Numbers {
  const sum: Record<Kind, number> = { ...NO_NUMBERS };
  for (const numbers of all) for (const kind of KINDS) sum[kind] += numbers[kind];
  return sum;
}

/** Adds money of one currency up. */
export function sumOfMoney(all: Iterable<Money>): Money {
  const sum: Record<MoneyKind, bigint> = { ...NO_MONEY };
  for (const money of all) for (const kind of MONEY_KINDS) sum[kind] += money[kind];
  return sum;
}

/** Groups the days of a range. Days outside the range do not count. */
export function statisticsOf(daily: Daily, range: DayRange, grouping: DayGrouping): Statistics {
  const keyOf = grouping === 'day' ? (day: Day) => day : monthOf;
  const days = daysIn(range);
  const groups = [...Map.groupBy(days, keyOf)].map(([key, own]) => ({ key, ...sumsOf(daily, own) }));
  return { total: sumsOf(daily, days), groups };
}

/** The sums of some days. */
export function sumsOf({ numbers, money }: Daily, days: readonly Day[]): Totals {
  const ofDays = <Value>(byDay: ReadonlyMap<Day, Value>) => days.flatMap((day) => byDay.get(day) ?? []);
  return {
    numbers: sumOf(ofDays(numbers)),
    money: new Map([...money].map(([currency, byDay]) => [currency, sumOfMoney(ofDays(byDay))])),
  };
}

/** Adds two sums. */
export function added(one: Totals, other: Totals): Totals {
  const currencies = new Set([...one.money.keys(), ...other.money.keys()]);
  const inBoth = (currency: string) => [one, other].flatMap(({ money }) => money.get(currency) ?? []);
  return {
    numbers: sumOf([one.numbers, other.numbers]),
    money: new Map([...currencies].map((currency) => [currency, sumOfMoney(inBoth(currency))])),
  };
}
