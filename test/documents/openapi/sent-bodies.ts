import fc from 'fast-check';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { anySlug, anyUtf16, aUuid, program } from '../../support/samples.ts';

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
export const email = fc.oneof(
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
  fc.tuple(slug, fc.constantFrom('_', '-', ''), aUuid).map((parts) => parts.join('')),
  fc.tuple(anySlug, aUuid).map(([name, id]) => `${name}.${id.toUpperCase()}\n`),
  anyUtf16,
);
const publicKey = fc.oneof(
  { weight: 4, arbitrary: fc.constant(program.publicKey) },
  aUuid.map((id) => `pk_${id.replaceAll('-', '')}`),
  fc.constantFrom('pk_1', program.publicKey.toUpperCase(), `${program.publicKey}0`, ` ${program.publicKey}`),
);
const id = fc.oneof(
  aUuid,
  aUuid.map((valid) => valid.toUpperCase()),
  anyUtf16,
);
const name = fc.oneof(text, fc.constantFrom('x'.repeat(200), 'x'.repeat(201)));
const rate = fc.oneof(
  fc.double({ min: 0, max: 100, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-1, 0, -0, 100, 100.0000001, '25'),
);
const lifetime = fc.oneof(
  fc.integer({ min: 60, max: 31_536_000 }),
  fc.constantFrom(59, 60, 60.5, 1e3, 31_536_000, 31_536_001, '3600'),
);
const state = fc.oneof(fc.constantFrom(...STATES), fc.constantFrom('PAID', ''));

/** A field as clients send it: often valid, sometimes null or empty, and sometimes of another type. */
const sent = (values: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 6, arbitrary: values },
    { weight: 2, arbitrary: fc.constantFrom(null, '') },
    fc.constantFrom(1, true, []),
  );

/** A body with some fields of every route. */
export const body = fc.record(
  {
    email: sent(email),
    uid: sent(text),
    id: sent(id),
    first_name: sent(name),
    last_name: sent(name),
    slug: sent(slug),
    company_id: sent(text),
    company: sent(name),
    commission_percentage: sent(rate),
    active: sent(fc.boolean()),
    expires_in: sent(lifetime),
    affiliate_slug: sent(slug),
    gr_id: sent(grId),
    sub_id: sent(text),
    pk: sent(publicKey),
    state: sent(state),
    unknown: fc.anything(),
  },
  { requiredKeys: [] },
);
