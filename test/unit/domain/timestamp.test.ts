import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseMoment } from '../../../functions/domain/time.ts';
import { dayNumber, daysInMonth } from '../calendar.ts';

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0');

interface WrittenMoment {
  readonly text: string;
  readonly second: number;
  readonly fraction: string;
}

/** A moment in one of the accepted forms, with its second by the calendar's arithmetic. */
const written: fc.Arbitrary<WrittenMoment> = fc
  .record({
    year: fc.integer({ min: 0, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    dayChoice: fc.integer({ min: 0, max: 30 }),
    timeOfDay: fc.integer({ min: 0, max: 86_399 }),
    offset: fc.integer({ min: -840, max: 840 }),
    form: fc.constantFrom('contract', 'T', 't'),
    zulu: fc.constantFrom('', 'Z', 'z'),
    plus: fc.constantFrom('+', ' '),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\d{1,30}$/)),
  })
  .map(({ year, month, dayChoice, timeOfDay, offset, form, zulu, plus, fraction }) => {
    const day = 1 + (dayChoice % daysInMonth(year, month));
    const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
    const hour = Math.floor(timeOfDay / 3600);
    const time = `${pad(hour)}:${pad(Math.floor(timeOfDay / 60) % 60)}:${pad(timeOfDay % 60)}`;
    const sign = offset < 0 ? '-' : plus;
    const hours = pad(Math.floor(Math.abs(offset) / 60));
    const minutes = pad(Math.abs(offset) % 60);
    const local = dayNumber({ year, month, day }) * 86_400 + timeOfDay;
    if (form === 'contract') {
      const text = `${date} ${time} ${sign}${hours}${minutes}`;
      return { text, second: local - offset * 60, fraction: '' };
    }
    const end = zulu || `${sign}${hours}:${minutes}`;
    const text = `${date}${form}${time}${fraction && `.${fraction}`}${end}`;
    return { text, second: zulu ? local : local - offset * 60, fraction };
  });

/** A reference parser with digits at fixed positions. Returns the second, or `undefined` for invalid texts. */
function referenceSecond(text: string): number | undefined {
  const number = (from: number, to: number) => {
    const digits = text.slice(from, to);
    return [...digits].every((digit) => '0123456789'.includes(digit)) ? Number(digits) : Number.NaN;
  };
  const marks = text.slice(4, 5) + text.slice(7, 8) + text.slice(13, 14) + text.slice(16, 17);
  if (text.length < 20 || marks !== '--::') return undefined;
  const [year, month, day] = [number(0, 4), number(5, 7), number(8, 10)];
  const [hour, minute, second] = [number(11, 13), number(14, 16), number(17, 19)];
  const isDate = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDate || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
  const offset = referenceOffset(text.slice(10, 11), text.slice(19));
  if (offset === undefined) return undefined;
  return dayNumber({ year, month, day }) * 86_400 + hour * 3600 + minute * 60 + second - offset * 60;
}

/** The offset in minutes east of UTC, from the separator of date and time and the text after the seconds. */
function referenceOffset(separator: string, end: string): number | undefined {
  if (separator === ' ') return /^ [-+ ][0-9]{4}$/.test(end) ? minutesEast(end.slice(1)) : undefined;
  if (separator !== 'T' && separator !== 't') return undefined;
  const zone = end.replace(/^\.[0-9]+/, '');
  if (zone === 'Z' || zone === 'z') return 0;
  return /^[-+ ][0-9]{2}:[0-9]{2}$/.test(zone) ? minutesEast(zone.replace(':', '')) : undefined;
}

/** The minutes of a sign and four digits, such as `+0130`; `undefined` if they are out of range. */
function minutesEast(offset: string): number | undefined {
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(3))];
  const total = hours * 60 + minutes;
  if (total > 840 || minutes > 59) return undefined;
  return offset.startsWith('-') ? -total : total;
}

describe('moments', () => {
  test('a moment in either form is parsed to the second of its date, time and offset', () => {
    fc.assert(
      fc.property(written, ({ text, second }) => {
        expect(parseMoment(text)?.second).toBe(second);
      }),
      { numRuns: 1000 },
    );
  });

  test('a moment has a fraction exactly if the fraction is not zero, however long', () => {
    fc.assert(
      fc.property(written, ({ text, fraction }) => {
        expect(parseMoment(text)?.hasFraction).toBe(BigInt(fraction || '0') !== 0n);
      }),
    );
    expect(parseMoment(`2026-01-31T00:00:00.${'0'.repeat(400)}1Z`)).toEqual({
      second: 1_769_817_600,
      hasFraction: true,
    });
  });

  test('a moment with one edit is parsed as by the reference parser', () => {
    const change = fc.record({
      position: fc.nat(30),
      cut: fc.integer({ min: 0, max: 2 }),
      put: fc.oneof(fc.constantFrom('', '0', '9', ' ', '+', '-', ':', '.', 'Z', 'T', '\n', '٣', '−'), fc.string()),
    });
    fc.assert(
      fc.property(written, change, ({ text }, { position, cut, put }) => {
        const changed = text.slice(0, position) + put + text.slice(position + cut);
        return parseMoment(changed)?.second === referenceSecond(changed);
      }),
      { numRuns: 5000 },
    );
  });

  test.each([
    '2026-01-31 00:00:00 +0000',
    '2026-01-31 00:00:00  0000',
    '2026-01-31 00:00:00 -0000',
    '2026-01-31 14:00:00 +1400',
    '2026-01-30 10:00:00 -1400',
    '2026-01-31T00:00:00Z',
    '2026-01-31t00:00:00z',
    '2026-01-31T00:00:00.000+00:00',
    '2026-01-31T05:30:00 05:30',
  ])('the moment %p is midnight of 31 January 2026', (text) => {
    expect(parseMoment(text)).toEqual({ second: 1_769_817_600, hasFraction: false });
  });

  test.each([
    ['a date that the calendar lacks', '2026-02-29T00:00:00Z'],
    ['a date that the calendar lacks', '2100-02-29 00:00:00 +0000'],
    ['a date that the calendar lacks', '2026-13-01T00:00:00Z'],
    ['the hour 24', '2026-01-31T24:00:00Z'],
    ['the second 60', '2016-12-31T23:59:60Z'],
    ['an offset beyond 14 hours', '2026-01-31 00:00:00 +1401'],
    ['60 minutes of an offset', '2026-01-31 00:00:00 +0060'],
    ['a date alone', '2026-01-31'],
    ['no offset', '2026-01-31 00:00:00'],
    ['a fraction in the form of the contract', '2026-01-31 00:00:00.5 +0000'],
    ['the letter Z in the form of the contract', '2026-01-31 00:00:00 Z'],
    ['a colon in the offset of the contract', '2026-01-31 00:00:00 +00:00'],
    ['no colon in the offset of RFC 3339', '2026-01-31T00:00:00+0000'],
    ['a year of five digits', '+12026-01-31T00:00:00Z'],
    ['a line break at the end', '2026-01-31T00:00:00Z\n'],
    ['Unix seconds', '1769817600'],
    ['nothing', ''],
  ])('a moment with %s is rejected: %p', (_, text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});
