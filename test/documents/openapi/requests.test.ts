import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { parseAdvocateChanges, parseNewAdvocate, parseTokenLifetime } from '../../../functions/advocates/mapping.ts';
import { EMAIL_PATTERN, parseEmail } from '../../../functions/domain/fields.ts';
import { programIdOf } from '../../../functions/domain/program.ts';
import { parseLookup } from '../../../functions/referrals/mapping.ts';
import {
  parseClick,
  parseConversionV1,
  parseConversionV2,
  parseErasure,
  parseReassignment,
  parseStateChange,
} from '../../../functions/tracking/mapping.ts';
import { refusal } from '../../unit/samples.ts';
import { body, email } from './sent-bodies.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into the schemas.
const DOCUMENT: any = openapiDocument();
const ajv = new Ajv2020({ strict: false }).addSchema(DOCUMENT, 'openapi');
const documented = (name: string, body: unknown) => ajv.getSchema(`openapi#/components/schemas/${name}`)?.(body);

/** Throws as the table does for a public key that cannot be a program's. */
function requireProgram(publicKey: string): void {
  if (programIdOf(publicKey) === undefined) throw new Error('No program has this public key.');
}

/** The checks of a body that need no table. */
const PARSERS: Readonly<Record<string, (body: unknown) => void>> = {
  ConversionV1Request: (body) => {
    const { attribution } = parseConversionV1(body);
    if ('publicKey' in attribution) requireProgram(attribution.publicKey);
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
const accepts = (name: string, body: unknown) => {
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

describe.each(Object.keys(PARSERS))('bodies of a %s', (name) => {
  test('the document accepts a body if and only if the code does', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 50, arbitrary: body }, fc.anything()), (value) => {
        const isAccepted = accepts(name, value);
        if (isAccepted) accepted += 1;
        if (isStricter(name, Object(value))) return documented(name, value) === false;
        if (namesSlug(name, Object(value))) return !isAccepted;
        return documented(name, value) === isAccepted || isUnclear(Object(value)['email']);
      }),
      { numRuns: 4000 },
    );
    // Few random bodies are valid: the property must not hold only because none is.
    expect(accepted).toBeGreaterThan(5);
  });
});

describe('the documented email', () => {
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

  test('the documented email may be as long as the longest that the code accepts', () => {
    const value = `a@${'\u00e4'.repeat(40)}.example`;
    const padded = `${' '.repeat(2000)}${value}${'\u3000'.repeat(2000)}`;
    expect([
      refusal(() => parseEmail('email', padded)),
      documented('StateRequest', { email: padded, state: 'paid' }),
    ]).toEqual([undefined, true]);
  });
});

test.each(['uid', 'email'])('null and "" count as an absent %s, and one of the two is needed', (name) => {
  const other = name === 'uid' ? { email: 'a@example.com' } : { uid: 'customer-1' };
  for (const absent of [null, '']) {
    expect(documented('StateRequest', { ...other, [name]: absent, state: 'paid' })).toBe(true);
    expect(documented('StateRequest', { uid: null, email: absent, state: 'paid' })).toBe(false);
  }
});

test.each(Object.keys(PARSERS))('no field of a %s has a default: client generators would require the field', (name) => {
  const fields = Object.entries<object>(DOCUMENT.components.schemas[name].properties);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter(([, field]) => 'default' in field)).toEqual([]);
});
