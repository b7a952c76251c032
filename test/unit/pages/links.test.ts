import { describe, expect, test } from '@jest/globals';
import {
  axisOf,
  beforeFirstDayOf,
  boundsOfMonth,
  firstDayOf,
  formatChange,
  formatRate,
  monthsBack,
  queryOf,
  splitGroups,
} from '../../../web/kit/format.ts';
import { cursorOf, secondsUntilRetry } from '../../../web/kit/responses.ts';
import { deepLink, type LinkFault } from '../../../web/portal/deep-link.ts';

const RULES = { slug: 'jane-doe', siteUrl: 'https://www.acme.example/start', linkParameter: 'via' };
const link = (page: string, subId = '', rules = RULES) => deepLink(page, subId, rules);

describe('a page of the site', () => {
  test.each([
    ['', 'https://www.acme.example/start?via=jane-doe'],
    ['/pricing', 'https://www.acme.example/pricing?via=jane-doe'],
    ['pricing', 'https://www.acme.example/pricing?via=jane-doe'],
    ['  https://acme.example/a#b ', 'https://acme.example/a?via=jane-doe#b'],
    ['https://blog.acme.example/', 'https://blog.acme.example/?via=jane-doe'],
    ['acme.example/pricing', 'https://acme.example/pricing?via=jane-doe'],
    ['WWW.ACME.EXAMPLE/Pricing', 'https://www.acme.example/Pricing?via=jane-doe'],
    ['/a?x=%20y&flag', 'https://www.acme.example/a?x=%20y&flag&via=jane-doe'],
    ['/a?via=other&x=1&via=third', 'https://www.acme.example/a?x=1&via=jane-doe'],
    ['/a?v%69a=other', 'https://www.acme.example/a?via=jane-doe'],
    // Not addresses without a scheme, but paths.
    ['index.html', 'https://www.acme.example/index.html?via=jane-doe'],
    ['@jane/a', 'https://www.acme.example/@jane/a?via=jane-doe'],
    ['v1.2/notes', 'https://www.acme.example/v1.2/notes?via=jane-doe'],
    ['/a?%zz=1', 'https://www.acme.example/a?%zz=1&via=jane-doe'],
  ])('%j is linked as %s', (page, expected) => {
    expect(link(page)).toEqual({ link: expected });
  });

  test('the sub id replaces the address’s own, and any text is encoded', () => {
    expect(link('/a?gr_sub=old', 'News & =1 +é')).toEqual({
      link: 'https://www.acme.example/a?via=jane-doe&gr_sub=News%20%26%20%3D1%20%2B%C3%A9',
    });
    expect(link('/a', 'x\ud800')).toEqual({ link: 'https://www.acme.example/a?via=jane-doe&gr_sub=x%EF%BF%BD' });
    expect(link('/a?gr_sub=old')).toEqual({ link: 'https://www.acme.example/a?gr_sub=old&via=jane-doe' });
  });

  test('a site on a port of this machine has pages on this port only', () => {
    const rules = { ...RULES, siteUrl: 'http://localhost:3000/', linkParameter: 'ref' };
    expect(link('/a', '', rules)).toEqual({ link: 'http://localhost:3000/a?ref=jane-doe' });
    expect(link('http://localhost:4000/a', '', rules)).toEqual({ fault: 'otherPort' });
    expect(link('localhost:3000/a', '', rules)).toEqual({ link: 'http://localhost:3000/a?ref=jane-doe' });
  });
});

test.each<[string, LinkFault]>([
  ['https://evil.example/', 'otherSite'],
  ['https://acme.example.evil.example/', 'otherSite'],
  ['https://notacme.example/', 'otherSite'],
  ['//evil.example/', 'otherSite'],
  ['/\\evil.example/', 'otherSite'],
  ['evil.example/pricing', 'otherSite'],
  ['evil.example:443', 'otherSite'],
  ['acme.example@evil.example/', 'credentials'],
  ['jane@acme.example/pricing', 'credentials'],
  ['jane:secret@acme.example', 'credentials'],
  ['https://jane:secret@acme.example/', 'credentials'],
  ['http://acme.example/', 'otherScheme'],
  ['javascript:alert(1)', 'otherScheme'],
  ['data:text/html,x', 'otherScheme'],
  ['https://acme.example:8443/', 'otherPort'],
  ['https://', 'invalid'],
  ['https://a b/', 'invalid'],
])('%j is refused: %s', (page, fault) => {
  expect(link(page)).toEqual({ fault });
});

const NOW = Date.UTC(2028, 1, 29, 23, 59, 59);

test('a range of days includes today and as many days before, in UTC', () => {
  expect(queryOf('7d', NOW)).toEqual({ from: '2028-02-16', to: '2028-02-29', group_by: 'day' });
  expect(queryOf('30d', NOW)).toEqual({ from: '2028-01-01', to: '2028-02-29', group_by: 'day' });
  expect(queryOf('90d', NOW).from).toBe('2027-09-03');
  expect([firstDayOf('7d', NOW), beforeFirstDayOf('7d', NOW)]).toEqual(['2028-02-23', '2028-02-22T23:59:59.000Z']);
});

test('12 months are this month and the 11 before', () => {
  expect(queryOf('12m', NOW)).toEqual({ from: '2027-03-01', to: '2028-02-29', group_by: 'month' });
  expect(monthsBack(Date.UTC(2027, 0, 31), 1)).toBe('2026-12');
  expect(monthsBack(Date.UTC(2027, 2, 31), 1)).toBe('2027-02');
});

test('the groups are split into the range and the days before it, which 12 months do not have', () => {
  const days = Array.from({ length: 14 }, (_, index) => index);
  expect(splitGroups('7d', days)).toEqual([days.slice(0, 7), days.slice(7)]);
  expect(splitGroups('12m', days)).toEqual([days.slice(0, 12), undefined]);
});

test('the bounds of a month exclude the seconds around it', () => {
  expect(boundsOfMonth('2026-12')).toEqual({ after: '2026-11-30T23:59:59.000Z', before: '2027-01-01T00:00:00Z' });
});

test('a rate is shown only if it is at most 100 %', () => {
  expect([formatRate(1, 8), formatRate(3, 3), formatRate(4, 3), formatRate(0, 0)]).toEqual(['12.5%', '100%', '–', '–']);
  expect([formatChange(3, 2), formatChange(1, 2), formatChange(2, 2), formatChange(2, 0)]).toEqual([
    '+50%',
    '-50%',
    '0%',
    undefined,
  ]);
});

test.each([
  [0, [0, 1]],
  [1, [0, 1]],
  [4, [0, 1, 2, 3, 4]],
  [5, [0, 2, 4, 6]],
  [60, [0, 20, 40, 60]],
  [1234, [0, 500, 1000, 1500]],
])('the axis for at most %i has the values %j', (largest, values) => {
  expect(axisOf(largest)).toEqual(values);
});

test('only the cursor of a link is used', () => {
  const link = '<https://evil.example/v1/affiliate/referrals?per_page=5&cursor=a%2Bb&x=1>; rel="next"';
  expect([cursorOf(link), cursorOf('<https://x.example/?cursor=a>; rel="prev"'), cursorOf(null)]).toEqual([
    'a+b',
    undefined,
    undefined,
  ]);
});

test('Retry-After is read in whole seconds, at most a minute', () => {
  expect(['3', '0', '9999', '1.5', '', 'Mon, 23 Nov 2026 10:00:00 GMT', null].map(secondsUntilRetry)).toEqual([
    3,
    1,
    60,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
