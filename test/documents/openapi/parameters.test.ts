import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { MOMENT_PATTERN } from '../../../functions/domain/time.ts';
import { startOf } from '../../../functions/http/list.ts';
import { parseCountsQuery, parseOwnCountsQuery, parseReferralsQuery } from '../../../functions/referrals/mapping.ts';
import { anySlug, anyUtf16, httpEvent, refusal } from '../../unit/samples.ts';

const ajv = new Ajv2020({ strict: false }).addSchema(openapiDocument(), 'openapi');
const documented = (name: string, value: unknown) =>
  ajv.getSchema(`openapi#/components/parameters/${name}/schema`)?.(value);
const accepts = (name: string, value: string | number) =>
  refusal(() => parseReferralsQuery(httpEvent({ rawQueryString: `${name}=${encodeURIComponent(value)}` }))) ===
  undefined;

const wellFormed = anyUtf16.filter((value) => value.isWellFormed());

describe('parameters in the document', () => {
  test.each(['page', 'per_page'])('the document accepts %s if and only if the code does', (name) => {
    const edges = fc.constantFrom(0, 1, 50, 51, 999_999_999, 1_000_000_000);
    fc.assert(
      fc.property(fc.oneof(edges, fc.nat(100), fc.nat()), (value) => documented(name, value) === accepts(name, value)),
    );
  });

  test.each([
    ['state_eq', fc.constantFrom('clicked', 'converted', 'paid', 'churned', 'rejected', 'PAID', '')],
    [
      'sub_id_eq',
      fc.oneof(
        wellFormed,
        fc.constantFrom('', 'x'.repeat(128), 'x'.repeat(129), '😀'.repeat(128), '😀'.repeat(129), 'a\n'),
      ),
    ],
  ])('the document accepts the texts of %s if and only if the code does', (name, values) => {
    fc.assert(
      fc.property(fc.oneof(values, wellFormed), (value) => documented(name, value) === accepts(name, value)),
      { numRuns: 500 },
    );
  });

  test.each([
    ['group_by', fc.constantFrom('day', 'month', 'sub_id', 'week', 'Day', '')],
    ['affiliate_slug', fc.oneof(anySlug, fc.constantFrom('', 'a_b', 'A-1', 'a b', 'x'.repeat(64), 'x'.repeat(65)))],
  ])('the document accepts %s of counts if and only if the code does', (name, values) => {
    const countsWith = (value: string) => {
      const required = name === 'affiliate_slug' ? '' : 'affiliate_slug=a&';
      return parseCountsQuery(httpEvent({ rawQueryString: `${required}${name}=${encodeURIComponent(value)}` }));
    };
    fc.assert(
      fc.property(fc.oneof(values, wellFormed), (value) => {
        expect(documented(name, value)).toBe(refusal(() => countsWith(value)) === undefined);
      }),
      { numRuns: 500 },
    );
  });

  test('the document accepts clicks if and only if the code does', () => {
    fc.assert(
      fc.property(fc.oneof(fc.boolean(), fc.constantFrom('', 'True', '0', 'no'), wellFormed), (value) => {
        const query = `clicks=${encodeURIComponent(value)}`;
        const isAccepted = refusal(() => parseOwnCountsQuery(httpEvent({ rawQueryString: query }))) === undefined;
        // In a query, a boolean and its name are the same text.
        expect(isAccepted).toBe(documented('clicks', value) || value === 'true' || value === 'false');
      }),
    );
  });

  const edited = fc
    .tuple(
      fc.stringMatching(new RegExp(MOMENT_PATTERN)),
      fc.nat(30),
      fc.constantFrom('', '0', '9', ' ', '+', ':', 'Z', '\n'),
    )
    .map(([moment, position, put]) => moment.slice(0, position) + put + moment.slice(position + 1));
  const edges = fc.constantFrom(
    '2026-01-31 00:00:00 +0000',
    '2026-01-31 00:00:00  0000',
    '2026-01-31T00:00:00Z',
    '2026-01-31t23:59:59.999z',
    '2026-01-31T00:00:00-14:00',
    '2026-01-31T00:00:00+14:01',
    '2026-01-31 24:00:00 +0000',
    '2026-01-31 00:00:60 +0000',
    '2026-13-01 00:00:00 +0000',
    '2026-00-10 00:00:00 +0000',
    '2026-01-31',
    '',
  );
  test.each(['created_at_gt', 'created_at_lt', 'state_set_at_gt', 'state_set_at_lt'])(
    'the document accepts the time %s if and only if the code does',
    (name) => {
      fc.assert(
        fc.property(fc.oneof(edges, edited, fc.stringMatching(new RegExp(MOMENT_PATTERN)), wellFormed), (value) => {
          // Only the code knows how many days a month has.
          const isLateDay = /^....-..-(?:29|3.)/.test(value);
          return documented(name, value) === accepts(name, value) || (isLateDay && !accepts(name, value));
        }),
        { numRuns: 1000 },
      );
    },
  );

  test('the document accepts a cursor if and only if its form is valid in the code', () => {
    const isCursor = (cursor: string) =>
      refusal(() => startOf({ page: 1, perPage: 25, cursor, nextQuery: [] }, 'a list')) === undefined;
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1 }), wellFormed, (bytes, value) => {
        expect(documented('cursor', Buffer.from(bytes).toString('base64url'))).toBe(true);
        if (!documented('cursor', value)) expect(isCursor(value)).toBe(false);
      }),
    );
    expect(documented('cursor', '')).toBe(false);
  });
});
