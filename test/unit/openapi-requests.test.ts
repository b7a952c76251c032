import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { EMAIL_PATTERN, parseEmail } from '../../functions/domain/fields.ts';
import { programIdOf } from '../../functions/domain/program.ts';
import { STATES } from '../../functions/domain/state.ts';
import { click, conversionV1, conversionV2, stateChange } from '../../functions/tracking/mapping.ts';
import { anyCharacter } from '../support/any-character.ts';
import { anySlug, anyUtf16, aUuid, program, refusal } from './samples.ts';

const ajv = new Ajv2020({ strict: false }).addSchema(openapiDocument(), 'openapi');
const documented = (name: string, body: unknown) => ajv.getSchema(`openapi#/components/schemas/${name}`)?.(body);

/** Throws as the table does for a public key that cannot be a program's. */
function requireProgram(publicKey: string): void {
  if (programIdOf(publicKey) === undefined) throw new Error('No program has this public key.');
}

/** The checks of a body that need no table. */
const PARSERS: Readonly<Record<string, (body: unknown) => void>> = {
  ConversionV1Request: (body) => {
    const { attribution } = conversionV1(body);
    if ('publicKey' in attribution) requireProgram(attribution.publicKey);
  },
  ConversionV2Request: conversionV2,
  StateRequest: stateChange,
  Click: (body) => requireProgram(click(body).publicKey),
};
const accepts = (name: string, body: unknown) => {
  try {
    PARSERS[name]?.(body);
    return true;
  } catch {
    return false;
  }
};

const space = fc.string({
  unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u3000', '\ufeff'),
  maxLength: 3,
});
const host = fc.oneof(
  fc.domain(),
  fc.constantFrom('bücher.example', 'BÜCHER。Example', 'xn--bcher-kva.example', `${'ü'.repeat(50)}.example`),
  fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map(([label, domain]) => `${label}.${domain}`),
);
const address = fc.tuple(
  fc.oneof(
    fc.emailAddress().map((text) => text.split('@')[0] ?? ''),
    fc.stringMatching(/^[A-Z.+]{1,64}$/),
  ),
  host,
);
const email = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(space, address, space)
      .map(([before, [local, domain], after]) => `${before}${local}@${domain}${after}`),
  },
  anyUtf16,
  fc.constantFrom('a@b', '@example.com', 'a b@example.com', `${'a'.repeat(65)}@example.com`, 'a@example.com\u0000'),
);
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 130 }),
  anyUtf16,
  fc.constantFrom(
    'x'.repeat(128),
    'x'.repeat(129),
    '😀'.repeat(128),
    '😀'.repeat(129),
    ' ',
    'a\n',
    'a\u0085',
    '\u2028',
    'a\ud800',
    '\udfff\ud800',
  ),
);
const slug = fc.oneof(
  anySlug,
  anySlug.map((valid) => valid.toUpperCase()),
  anyUtf16,
  fc.constantFrom('a'.repeat(65), 'jane doe', 'K'),
);
const grId = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(anySlug, aUuid).map(([name, id]) => `${name}.${id}`) },
  fc.tuple(slug, aUuid).map(([name, id]) => `${name}.${id}`),
  fc.tuple(anySlug, aUuid).map(([name, id]) => `${name}.${id.toUpperCase()}\n`),
  anyUtf16,
);
const publicKey = fc.oneof(
  { weight: 4, arbitrary: fc.constant(program.publicKey) },
  aUuid.map((id) => `pk_${id.replaceAll('-', '')}`),
  fc.constantFrom('pk_1', program.publicKey.toUpperCase(), `${program.publicKey}0`, ` ${program.publicKey}`),
);
const state = fc.oneof(fc.constantFrom(...STATES), fc.constantFrom('PAID', ''));

/** A field as clients send it: often valid, sometimes null or empty, and sometimes of another type. */
const sent = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 6, arbitrary: values },
    { weight: 2, arbitrary: fc.constantFrom(null, '') },
    fc.constantFrom(1, true, []),
  );

const body = fc.record(
  {
    email: sent(email),
    uid: sent(text),
    affiliate_slug: sent(slug),
    gr_id: sent(grId),
    sub_id: sent(text),
    pk: sent(publicKey),
    state: sent(state),
    unknown: fc.anything(),
  },
  { requiredKeys: [] },
);

/** True if only `parseEmail` can check the email: the documented pattern cannot check an IDN. */
const isUnclear = (value: unknown) =>
  typeof value === 'string' &&
  new RegExp(EMAIL_PATTERN, 'u').test(value) &&
  refusal(() => parseEmail('email', value)) !== undefined;

describe.each(Object.keys(PARSERS))('the document accepts a %s', (name) => {
  test('if and only if the code does', () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.oneof({ weight: 50, arbitrary: body }, fc.anything()), (value) => {
        const isAccepted = accepts(name, value);
        if (isAccepted) accepted += 1;
        return documented(name, value) === isAccepted || isUnclear(Object(value)['email']);
      }),
      { numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(20);
  });
});

describe('the documented email', () => {
  test('has every form that the code accepts', () => {
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

  test('may be as long as the longest that the code accepts', () => {
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
