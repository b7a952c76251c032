import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { PUBLIC_CONVERSION, usageOf } from '../../bench/flood.ts';
import { metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let advocate: Advocate;
let idle: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  const { slug } = await anAdvocate(table, program);
  idle = await updateAdvocate(table, program.id, slug, { active: false });
});

/** Measures a conversion, whether it succeeds or is rejected. */
const measured = (input: ConversionInput) =>
  metered(table, async () => {
    const [result] = await Promise.allSettled([track(table, program, input)]);
    return result;
  });

describe('the capacity of a conversion', () => {
  // Each item costs 2 units in a transaction: the referral, a claim, the idempotency record. Each index row costs 1 unit:
  // two are new, and one or two change their key, which costs a deletion and an insertion.
  test.each([
    ['of a click', null, false, null, usageOf('conversion of a click').writeUnits],
    ['of a click, with Idempotency-Key', null, true, null, 11],
    ['of a click with sub id', 'newsletter', false, null, 11],
    ['of a click with sub id, with Idempotency-Key', 'newsletter', true, null, 13],
    [
      'of a click with sub id, by email and uid, with Idempotency-Key',
      'newsletter',
      true,
      'most',
      usageOf('conversion of a click, with all fields').writeUnits,
    ],
  ])(
    'a conversion uses one consistent read of at most 3 units and one transaction: %s',
    async (_, subId, isIdempotent, uid, writeUnits) => {
      const click = await aClick(table, program, advocate, { subId });
      const by = { slug: advocate.slug, clickId: click.id };
      const reading = await measured({ by, uid, key: isIdempotent ? newId() : undefined });
      expect(reading.result).toMatchObject({ value: { referral: { id: click.id } } });
      expect(reading).toMatchObject({ requests: 2, readUnits: isIdempotent ? 3 : 2, writeUnits });
    },
  );

  test.each([
    ['without a click', {}, 8],
    ['without a click, with sub id', { subId: 'newsletter' }, 9],
    ['without a click, with Idempotency-Key', { key: 'first' }, 10],
    ['without a click, with sub id and Idempotency-Key', { subId: 'newsletter', key: 'second' }, 11],
    ['of a customer with email and uid', { uid: 'customer-1' }, 10],
    [
      'without a click, with all fields',
      { uid: 'customer-2', subId: 'newsletter', key: 'third' },
      PUBLIC_CONVERSION.writeUnits,
    ],
  ])('a conversion uses the documented read and write units: %s', async (_, more, writeUnits) => {
    const reading = await measured({ by: { slug: advocate.slug, clickId: newId() }, ...more });
    const readUnits = 'key' in more ? 3 : 2;
    expect(reading).toMatchObject({ result: { status: 'fulfilled' }, requests: 2, readUnits, writeUnits });
  });

  test('a conversion by public key and uid uses one consistent read and one transaction', async () => {
    const reading = await measured({ by: { publicKey: program.publicKey, uid: 'partner-1' } });
    expect(reading).toMatchObject({
      result: { status: 'fulfilled' },
      requests: 2,
      readUnits: 1,
      writeUnits: 8,
    });
  });
});

test('a replay uses only the read', async () => {
  const input = { by: { slug: advocate.slug, clickId: newId() }, email: anEmail(), key: newId() };
  await track(table, program, input);
  const reading = await measured(input);
  expect(reading).toMatchObject({ result: { value: { replayed: true } }, requests: 1, readUnits: 3, writeUnits: 0 });
});

test('a key that was used with other fields uses only the read', async () => {
  const input = { by: { slug: advocate.slug, clickId: newId() }, key: newId() };
  await track(table, program, input);
  const reading = await measured(input);
  expect(reading).toMatchObject({ result: { status: 'rejected' }, requests: 1, writeUnits: 0 });
});

test.each([
  ['unknown', () => 'nobody'],
  ['deactivated', () => idle.slug],
])('a conversion by an affiliate that is %s uses only the read', async (_, slug) => {
  const reading = await measured({ by: { slug: slug(), clickId: newId() }, key: newId() });
  expect(reading).toMatchObject({ result: { status: 'rejected' }, requests: 1, readUnits: 3, writeUnits: 0 });
});

test('a conversion of a known email uses two requests', async () => {
  const email = anEmail();
  const by = { slug: advocate.slug, clickId: newId() };
  await track(table, program, { by, email });
  const reading = await measured({ by, email });
  expect(reading).toMatchObject({ result: { status: 'rejected' }, requests: 2, readUnits: 2 });
});

describe('the capacity of a click', () => {
  test.each([
    ['and 2 write units without a sub id', null, 2],
    ['and 3 write units with a sub id', 'newsletter', 3],
  ])('storing a click uses one request %s', async (_, subId, writeUnits) => {
    const reading = await metered(table, () => aClick(table, program, advocate, { subId }));
    expect(reading).toMatchObject({ requests: 1, readUnits: 0, writeUnits });
  });

  test('storing a click with the largest slug and sub id uses one request and 3 write units', async () => {
    const longest = await anAdvocate(table, program, { slug: 'a'.repeat(64) });
    const reading = await metered(table, () => aClick(table, program, longest, { subId: '😀'.repeat(128) }));
    expect(reading).toMatchObject({ requests: 1, readUnits: 0, writeUnits: 3 });
  });
});
