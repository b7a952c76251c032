import { beforeAll, describe, expect, test } from '@jest/globals';
import { AmbiguousCustomer, ReferralNotFound } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { CustomerReference, Referral } from '../../../functions/domain/referral/referral.ts';
import { findReferralId, lookUpReferral } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { aReferralIn, move, set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { SITUATIONS } from '../../support/transitions.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

type Names = Partial<CustomerReference>;
const reference = (names: Names): CustomerReference => ({ email: null, uid: null, id: null, ...names });
const lookUp = (names: Names, of: Program = program) => lookUpReferral(table, of.id, reference(names));
const findId = (names: Names, of: Program = program) => findReferralId(table, of.id, reference(names));

/** A referral whose customer has an email and a uid. */
async function aCustomer() {
  const { email, uid } = { email: anEmail(), uid: newId() };
  const { referral } = await track(table, program, { by: { slug: advocate.slug, clickId: null }, email, uid });
  return { email, uid, id: referral.id };
}

/** Every way to name a customer. */
const WAYS: readonly (readonly [string, (keyof CustomerReference)[]])[] = [
  ['email', ['email']],
  ['uid', ['uid']],
  ['id', ['id']],
  ['email and uid', ['email', 'uid']],
  ['email and id', ['email', 'id']],
  ['uid and id', ['uid', 'id']],
  ['email, uid and id', ['email', 'uid', 'id']],
];
const pick = (names: CustomerReference, fields: readonly (keyof CustomerReference)[]): Names =>
  Object.fromEntries(fields.map((field) => [field, names[field]]));

describe('customers that are found', () => {
  test.each(WAYS)('a customer identified by %s is found', async (_, fields) => {
    const customer = await aCustomer();
    await aCustomer();
    const found = await lookUp(pick(customer, fields));
    expect(found).toEqual(await storedReferral(table, program, customer.id));
    expect(found).toMatchObject({ id: customer.id, email: customer.email, customerUid: customer.uid });
    expect(await findId(pick(customer, fields))).toBe(customer.id);
  });

  test.each(WAYS)('a customer identified by %s is unknown in another program', async (_, fields) => {
    const customer = await aCustomer();
    const elsewhere = await aProgram(table);
    await expect(lookUp(pick(customer, fields), elsewhere)).rejects.toThrow(ReferralNotFound);
  });

  test.each(WAYS)('a customer identified by %s is unknown if nobody has them', async (_, fields) => {
    const nobody = { email: anEmail(), uid: newId(), id: newId() };
    await expect(lookUp(pick(nobody, fields))).rejects.toThrow(ReferralNotFound);
  });
});

describe('identifiers of different customers', () => {
  const COMBINATIONS = WAYS.filter(([, fields]) => fields.length > 1);

  test.each(COMBINATIONS)('identifiers throw AmbiguousCustomer if one is unknown: %s', async (_, fields) => {
    const customer = await aCustomer();
    const nobody = { email: anEmail(), uid: newId(), id: newId() };
    for (const field of fields) {
      const names = { ...pick(customer, fields), [field]: nobody[field] };
      await expect(lookUp(names)).rejects.toThrow(AmbiguousCustomer);
      await expect(findId(names)).rejects.toThrow(AmbiguousCustomer);
    }
  });

  test.each(COMBINATIONS)(
    'identifiers throw AmbiguousCustomer if one belongs to another referral: %s',
    async (_, fields) => {
      const [customer, other] = [await aCustomer(), await aCustomer()];
      for (const field of fields) {
        const names = { ...pick(customer, fields), [field]: other[field] };
        await expect(lookUp(names)).rejects.toThrow(AmbiguousCustomer);
        await expect(findId(names)).rejects.toThrow(AmbiguousCustomer);
      }
    },
  );

  test('an id and an identifier that its referral does not have throw AmbiguousCustomer', async () => {
    const { email, id } = await aCustomer();
    const { referral } = await track(table, program, { by: { slug: advocate.slug, clickId: null } });
    await expect(lookUp({ id: referral.id, uid: newId() })).rejects.toThrow(AmbiguousCustomer);
    const click = await aClick(table, program, advocate);
    await expect(lookUp({ id: click.id, email })).rejects.toThrow(AmbiguousCustomer);
    expect(await lookUp({ id, email })).toMatchObject({ id });
  });

  test('identifiers are compared exactly: a uid in another case, or an email as uid, is unknown', async () => {
    const { email, uid } = await aCustomer();
    await expect(lookUp({ uid: uid.toUpperCase() })).rejects.toThrow(ReferralNotFound);
    await expect(lookUp({ uid: email })).rejects.toThrow(ReferralNotFound);
  });
});

describe('lookups', () => {
  test.each(SITUATIONS)('a lookup by id finds a referral that is %s', async (situation) => {
    const referral = await aReferralIn(table, program, advocate, situation);
    expect(await lookUp({ id: referral.id })).toEqual(referral);
  });

  test('a lookup shows the history with every change, and writes nothing', async () => {
    const { email, id } = await aCustomer();
    const other = await anAdvocate(table, program);
    await set(table, program, id, 'paid');
    await move(table, program, id, other.slug);
    await expectUnchanged(table, async () => {
      const { history, advocateSlug } = await lookUp({ email });
      expect(advocateSlug).toBe(other.slug);
      expect(history).toMatchObject([
        { type: 'state', state: 'converted', by: 'merchant' },
        { type: 'state', state: 'paid', by: 'merchant' },
        { type: 'reassignment', from: advocate.slug, to: other.slug, by: 'merchant' },
      ]);
    });
  });
});

describe('erased people', () => {
  let erased: Awaited<ReturnType<typeof aCustomer>>;
  let referral: Referral | undefined;
  beforeAll(async () => {
    erased = await aCustomer();
    await eraseReferral(table, program.id, erased.id, 'merchant');
    referral = await storedReferral(table, program, erased.id);
  });

  test('an erased person is found by id only, without email and uid', async () => {
    expect(await lookUp({ id: erased.id })).toEqual(referral);
    expect(referral).toMatchObject({ email: null, customerUid: null });
    for (const names of [{ email: erased.email }, { uid: erased.uid }, { email: erased.email, uid: erased.uid }]) {
      await expect(lookUp(names)).rejects.toThrow(ReferralNotFound);
    }
    await expect(lookUp(erased)).rejects.toThrow(AmbiguousCustomer);
  });

  test('an erased person is not found by an email that belongs to a new customer', async () => {
    const { referral: next } = await track(table, program, {
      by: { slug: advocate.slug, clickId: null },
      email: erased.email,
    });
    expect(await lookUp({ email: erased.email })).toMatchObject({ id: next.id });
    await expect(lookUp({ email: erased.email, id: erased.id })).rejects.toThrow(AmbiguousCustomer);
    await eraseReferral(table, program.id, next.id, 'merchant');
  });
});
