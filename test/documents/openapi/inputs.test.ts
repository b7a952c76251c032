import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import {
  parseAdvocateChanges,
  parseNewAdvocate,
  parseTokenLifetime,
} from '../../../functions/advocates/http/mapping.ts';
import { programIdOf } from '../../../functions/kernel/accounts/rules/program.ts';
import { EMAIL_PATTERN, parseEmail } from '../../../functions/kernel/fields/fields.ts';
import { startOf } from '../../../functions/kernel/http/list.ts';
import { MOMENT_PATTERN } from '../../../functions/kernel/time.ts';
import {
  parseCountsQuery,
  parseLookup,
  parseOwnCountsQuery,
  parseReferralsQuery,
} from '../../../functions/referrals/http/mapping.ts';
import { ROUTES } from '../../../functions/routes.ts';
import {
  parseClick,
  parseConversionV1,
  parseConversionV2,
  parseErasure,
  parseReassignment,
  parseStateChange,
} from '../../../functions/tracking/http/mapping.ts';
import { BODY_TARGETS, invalidBodies } from '../../support/bad-bodies.ts';
import { LONG_DOMAIN } from '../../support/bad-values.ts';
import { DOCUMENT } from '../../support/openapi.ts';
import { anySlug, anyUtf16, httpEvent, program, refusal } from '../../support/samples.ts';
import { body, email } from './sent-bodies.ts';

const ajv = new Ajv2020({ strict: false }).addSchema(DOCUMENT, 'openapi');

const isDocumentedBody = (name: string, body: unknown) => ajv.getSchema(`openapi#/components/schemas/${name}`)?.(body);

/** Throws as the table does for a public key that cannot be a program's. */
function requireProgram(publicKey: string): void {
  if (programIdOf(publicKey) === undefined) throw new Error('No program has this public key.');
}

/** The checks of a body that need no table. */
const PARSERS: Readonly<Record<string, (body: unknown) => void>> = {
  ConversionV1Request: (body) => {
    const { attribution } = parseConversionV1(body);
    if (attribution && 'publicKey' in attribution) requireProgram(attribution.publicKey);
  },
  ConversionV2Request: parseConversionV2,
  StateRequest: parseStateChange,
  LookupRequest: parseLookup,
  EraseRequest: parseErasure,
  ReassignRequest: parseReassignment,
  NewAdvocateRequest: parseNewAdvocate,
  AdvocateChanges: parseAdvocateChanges,
  AdvocateTokenRequest: parseTokenLifetime,
  Click: (body) => requireProgram(parseClick(body).publicKey),
};
const acceptsBody = (name: string, body: unknown) => {
  try {
    PARSERS[name]?.(body);
    return true;
  } catch {
    return false;
  }
};

/**
 * True if the document is stricter than the code on purpose: an empty text counts as an absent number, but the type of a
 * number in generated clients would then allow every text.
 */
const isStricter = (name: string, value: object) =>
  NUMBERS[name]?.some((field) => Object.entries(value).some(([key, each]) => key === field && each === '')) ?? false;
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  NewAdvocateRequest: ['commission_percentage'],
  AdvocateTokenRequest: ['expires_in'],
};

/** True if a change contains the slug, which the code rejects with a sentence of its own. */
const namesSlug = (name: string, value: object) => name === 'AdvocateChanges' && Object.hasOwn(value, 'slug');

/** True if only `parseEmail` can check the email: the documented pattern cannot check an IDN. */
const isUnclear = (value: unknown) =>
  typeof value === 'string' &&
  new RegExp(EMAIL_PATTERN, 'u').test(value) &&
  refusal(() => parseEmail('email', value)) !== undefined;

test.each(Object.keys(PARSERS))('the document accepts a %s if and only if the code does', (name) => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 50, arbitrary: body }, fc.anything()), (value) => {
      const isAccepted = acceptsBody(name, value);
      if (isAccepted) accepted += 1;
      if (isStricter(name, Object(value))) return isDocumentedBody(name, value) === false;
      if (namesSlug(name, Object(value))) return !isAccepted;
      return isDocumentedBody(name, value) === isAccepted || isUnclear(Object(value)['email']);
    }),
    { numRuns: 4000 },
  );
  // Few random bodies are valid: the property must not hold only because none is.
  expect(accepted).toBeGreaterThan(5);
});

test('the documented email has every form that the code accepts', () => {
  let accepted = 0;
  fc.assert(
    fc.property(email, (value) => {
      if (refusal(() => parseEmail('email', value)) !== undefined) return true;
      accepted += 1;
      // Also for readers whose regular expressions work on UTF-16 units.
      return new RegExp(EMAIL_PATTERN, 'u').test(value) && new RegExp(EMAIL_PATTERN).test(value);
    }),
    { numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

test.each(Object.keys(PARSERS))('no field of a %s has a default: client generators would require the field', (name) => {
  const fields = Object.entries<object>(DOCUMENT.components.schemas[name].properties);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(([, field]) => 'default' in field)).toEqual([]);
});

test.each(BODY_TARGETS)('$name: the document accepts the valid body and no invalid one', (target) => {
  const { method, path } = ROUTES[target.operation];
  const pointer = `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}`;
  const matches = ajv.getSchema(`openapi#${pointer}/requestBody/content/application~1json/schema`);
  const valid = target.validBody({ publicKey: program.publicKey, slug: 'jane-doe' });
  const invalid = invalidBodies(target).flatMap(({ bodies }) => [...bodies(valid)]);
  expect(matches?.(valid)).toBe(true);
  expect(invalid.filter((each) => Object(each).email !== LONG_DOMAIN && matches?.(each))).toEqual([]);
});

const isDocumentedParameter = (name: string, value: unknown) =>
  ajv.getSchema(`openapi#/components/parameters/${name}/schema`)?.(value);
const acceptsParameter = (name: string, value: string | number) =>
  refusal(() => parseReferralsQuery(httpEvent({ rawQueryString: `${name}=${encodeURIComponent(value)}` }))) ===
  undefined;

const wellFormed = anyUtf16.filter((value) => value.isWellFormed());

describe('parameters in the document', () => {
  test.each(['page', 'per_page'])('the document accepts %s if and only if the code does', (name) => {
    const edges = fc.constantFrom(0, 1, 50, 51, 999_999_999, 1_000_000_000);
    fc.assert(
      fc.property(
        fc.oneof(edges, fc.nat(100), fc.nat()),
        (value) => isDocumentedParameter(name, value) === acceptsParameter(name, value),
      ),
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
      fc.property(
        fc.oneof(values, wellFormed),
        (value) => isDocumentedParameter(name, value) === acceptsParameter(name, value),
      ),
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
        expect(isDocumentedParameter(name, value)).toBe(refusal(() => countsWith(value)) === undefined);
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
        expect(isAccepted).toBe(isDocumentedParameter('clicks', value) || value === 'true' || value === 'false');
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
          return (
            isDocumentedParameter(name, value) === acceptsParameter(name, value) ||
            (isLateDay && !acceptsParameter(name, value))
          );
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
        expect(isDocumentedParameter('cursor', Buffer.from(bytes).toString('base64url'))).toBe(true);
        if (!isDocumentedParameter('cursor', value)) expect(isCursor(value)).toBe(false);
      }),
    );
    expect(isDocumentedParameter('cursor', '')).toBe(false);
  });
});
