import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planAdvocates } from '../../../../functions/kernel/accounts/table/advocate-items.ts';
import { sortKey } from '../../../../functions/kernel/dynamodb/keys.ts';
import { listResponse, type Paging, parsePaging, startOf } from '../../../../functions/kernel/http/list.ts';
import { LIST_PARAMETERS } from '../../../../functions/kernel/http/schema.ts';
import { readQuery } from '../../../../functions/kernel/http/validation.ts';
import { seconds } from '../../../../functions/kernel/time.ts';
import { planReferrals } from '../../../../functions/referrals/table/advocate-referrals.ts';
import { anyUtf16, aSecond, aUuid, httpEvent, PROGRAM_ID, refusal } from '../../../support/samples.ts';

const FIRST: Paging = parsePaging({});
const LIST = { list: 'one' };
const EVENT = httpEvent();

/** The URL in the `Link` header of a page that has more. */
function nextAddress(paging: Paging, list: unknown, page: number, next: string): URL {
  const { headers } = listResponse(EVENT, paging, list, { page, next, data: [] });
  const [, address = ''] = /^<([^<>]+)>; rel="next"$/.exec(String(headers?.['link'])) ?? [];
  return new URL(address);
}

const cursorOf = (list: unknown, page: number, next: string) =>
  nextAddress(FIRST, list, page, next).searchParams.get('cursor') ?? '';
const continueList = (cursor: string, list: unknown) => startOf({ ...FIRST, cursor }, list);

describe('paging', () => {
  test('paging turns a page into an exact offset', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 1, max: 50 }), (page, size) => {
        const start = startOf(parsePaging({ page, per_page: size }), LIST);
        expect(start).toEqual({ page, start: { skip: (page - 1) * size } });
      }),
    );
  });

  test('paging rejects a page together with a cursor', () => {
    expect(refusal(() => parsePaging({ page: 1, cursor: 'x' }))).toMatch(/^cursor /);
    expect(refusal(() => parsePaging({ page: 1, cursor: '' }))).toMatch(/^cursor /);
  });
});

describe('the response of a list', () => {
  test('the response of a list has the data and the paging, and no Link if nothing follows', () => {
    const response = listResponse(EVENT, FIRST, LIST, { page: 3, next: undefined, data: [1, 2] });
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(response.body ?? '')).toEqual({
      data: [1, 2],
      meta: { pagination: { page: 3, per_page: 25, has_more: false } },
    });
    expect(Object.keys(response.headers ?? {})).not.toContain('link');
  });

  test('the response of a list links to the next page at its own path, with the filters unchanged', () => {
    const rawQueryString = 'per_page=7&created_at_gt=2026-01-31+00:00:00+%2B0100&page=2&unknown=1';
    const query = readQuery(httpEvent({ rawQueryString }), { properties: LIST_PARAMETERS });
    const paging = parsePaging(query);
    const response = listResponse(EVENT, paging, LIST, { page: 2, next: 'x', data: [] });
    expect(JSON.parse(response.body ?? '').meta).toEqual({
      pagination: { page: 2, per_page: 7, has_more: true },
    });
    const address = nextAddress(paging, LIST, 2, 'x');
    expect(address.origin + address.pathname).toBe('https://api.example.com/v1/advocates');
    expect([...address.searchParams.keys()].sort()).toEqual(['created_at_gt', 'cursor', 'per_page']);
    expect(address.searchParams.get('created_at_gt')).toBe('2026-01-31 00:00:00 +0100');
    expect(address.searchParams.get('per_page')).toBe('7');
  });
});

describe('cursors', () => {
  test('a cursor continues right after the last row, with the next page number and any page size', () => {
    fc.assert(
      fc.property(
        aSecond,
        aUuid,
        fc.integer({ min: 1, max: 999_999_998 }),
        fc.jsonValue(),
        (second, id, page, list) => {
          const next = sortKey(second, id);
          const address = nextAddress(FIRST, list, page, next);
          const query = readQuery(httpEvent({ rawQueryString: address.search.slice(1) }), {
            properties: LIST_PARAMETERS,
          });
          const paging = parsePaging({ ...query, per_page: 50 });
          expect(startOf(paging, list)).toEqual({ page: page + 1, start: { after: next } });
        },
      ),
    );
  });

  test('a cursor of another list, other filters or another owner is rejected', () => {
    const range = { from: seconds(1), to: seconds(2) };
    const none = { state: undefined, subId: undefined, createdAt: undefined, stateSetAt: undefined };
    const lists = [
      planAdvocates(PROGRAM_ID, undefined),
      planAdvocates(PROGRAM_ID, range),
      planReferrals(PROGRAM_ID, 'jane', none),
      planReferrals(PROGRAM_ID, 'john', none),
      planReferrals('019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6079', 'jane', none),
      planReferrals(PROGRAM_ID, 'jane', { ...none, state: 'paid' }),
      planReferrals(PROGRAM_ID, 'jane', { ...none, state: 'clicked' }),
      planReferrals(PROGRAM_ID, 'jane', { ...none, stateSetAt: range }),
      planReferrals(PROGRAM_ID, 'jane', { ...none, stateSetAt: range, subId: 'paid' }),
    ];
    for (const issuedFor of lists) {
      for (const list of lists) {
        const sentence = refusal(() => continueList(cursorOf(issuedFor, 1, 'x'), list));
        expect(sentence === undefined).toBe(issuedFor === list);
        expect(sentence ?? 'cursor ').toMatch(/^cursor /);
      }
    }
  });

  test('a cursor has one encoding only', () => {
    const cursor = cursorOf(LIST, 1, 'x');
    for (const other of [`${cursor}=`, `${cursor}~`, ` ${cursor}`]) {
      expect(refusal(() => continueList(other, LIST))).toMatch(/^cursor /);
    }
  });

  test('a cursor with any other text is rejected, and the error contains the parameter', () => {
    const forged = fc
      .tuple(fc.nat(), anyUtf16, anyUtf16)
      .map(([page, sum, after]) => Buffer.from(`${page}.${sum}.${after}`).toString('base64url'));
    fc.assert(
      fc.property(fc.oneof(anyUtf16, fc.base64String(), forged), (cursor) => {
        expect(refusal(() => continueList(cursor, LIST))).toBe(
          'cursor is not valid for this list and these filters: request the first page again',
        );
      }),
      { numRuns: 1000 },
    );
    expect(refusal(() => continueList('a'.repeat(100_000), LIST))).toMatch(/^cursor /);
  });
});
