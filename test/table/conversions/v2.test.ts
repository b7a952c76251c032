import { describe, expect, test } from '@jest/globals';
import { InvalidField, ReferralExists, ReferralNotFound } from '../../../functions/domain/errors.ts';
import type { Customer } from '../../../functions/domain/referral/referral.ts';
import { NO_VALUES } from '../../../functions/domain/referral/referral-fields.ts';
import { findReferralId } from '../../../functions/table/referrals/customers.ts';
import { aClick, aProgram, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

const bySlug = () => ({ slug: advocate.slug, clickId: null });

async function expectTaken(customer: Customer): Promise<void> {
  const before = await allItems(table);
  const taken = track(table, program, { by: bySlug(), ...customer, key: newId() });
  await expect(taken).rejects.toThrow(ReferralExists);
  expect(await allItems(table)).toEqual(before);
}

describe('conversions with only a slug', () => {
  test('a conversion with only a slug creates a referral with a new id and leaves clicks unchanged', async () => {
    const click = await aClick(table, program, advocate);
    const id = newId();
    const email = anEmail();
    const input = { by: bySlug(), email, uid: 'customer-1', subId: 'news', newId: id };
    const { referral } = await track(table, program, input);
    expect(await storedReferral(table, program, id)).toEqual({
      ...NO_VALUES,
      id,
      advocateSlug: advocate.slug,
      email,
      customerUid: 'customer-1',
      state: 'converted',
      stateSetAt: referral.createdAt,
      createdAt: referral.createdAt,
      updatedAt: referral.createdAt,
      convertedAt: referral.createdAt,
      subId: 'news',
      commissionPercentage: 20,
      commissionEndDate: expect.any(Number),
      history: [{ type: 'state', state: 'converted', setAt: referral.createdAt, by: 'merchant' }],
      stripe: null,
      version: 1,
    });
    expect(await storedReferral(table, program, click.id)).toEqual(click);
  });

  test('a conversion with only a slug is replayed for the same key, but not if a click id is added', async () => {
    const input = { by: bySlug(), email: anEmail(), key: newId(), newId: newId() };
    await track(table, program, input);
    expect(await track(table, program, input)).toMatchObject({ replayed: true, referral: { id: input.newId } });
    const other = { ...input, by: { slug: advocate.slug, clickId: newId() } };
    await expect(track(table, program, other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });
});

test.each(['merchant', 'page'] as const)(
  'the history records that the %s reported the conversion',
  async (reporter) => {
    const click = await aClick(table, program, advocate);
    await track(table, program, { by: { slug: advocate.slug, clickId: click.id }, reporter });
    const fresh = await track(table, program, { by: bySlug(), reporter });
    for (const id of [click.id, fresh.referral.id]) {
      const { history } = (await storedReferral(table, program, id)) ?? {};
      expect(history?.at(-1)).toMatchObject({ state: 'converted', by: reporter });
    }
  },
);

describe('customers with an email and a uid', () => {
  test('a customer with an email and a uid is recognized by either one in later conversions', async () => {
    const customer = { email: anEmail(), uid: newId() };
    await track(table, program, { by: bySlug(), ...customer });
    await expectTaken(customer);
    await expectTaken({ ...customer, uid: null });
    await expectTaken({ ...customer, email: null });
    await expectTaken({ ...customer, uid: newId() });
    await expectTaken({ ...customer, email: anEmail() });
  });

  test('a customer whose email and uid have different referrals throws ReferralExists and writes nothing', async () => {
    const email = anEmail();
    const uid = newId();
    await track(table, program, { by: bySlug(), email });
    await track(table, program, { by: bySlug(), email: null, uid });
    await expectTaken({ email, uid });
    expectConsistent(await itemsOf(table, program), program);
  });
});

describe('lookups of a customer', () => {
  const find = (customer: Customer, of = program) => findReferralId(table, of.id, { id: null, ...customer });

  test('a lookup succeeds by email, by uid and by both', async () => {
    const customer = { email: anEmail(), uid: newId() };
    const { referral } = await track(table, program, { by: bySlug(), ...customer });
    expect(await find(customer)).toBe(referral.id);
    expect(await find({ ...customer, uid: null })).toBe(referral.id);
    expect(await find({ ...customer, email: null })).toBe(referral.id);
  });

  test('a lookup throws InvalidField if email and uid do not belong to the same referral', async () => {
    const one = { email: anEmail(), uid: newId() };
    const other = { email: anEmail(), uid: newId() };
    await track(table, program, { by: bySlug(), ...one });
    await track(table, program, { by: bySlug(), ...other });
    for (const customer of [
      { email: one.email, uid: other.uid },
      { email: one.email, uid: newId() },
      { email: anEmail(), uid: one.uid },
    ]) {
      await expect(find(customer)).rejects.toThrow(InvalidField);
      await expect(find(customer)).rejects.toThrow('email, uid and id must belong to the same referral');
    }
  });

  test('a lookup throws ReferralNotFound for unknown customers, other programs, and swapped email and uid', async () => {
    const { email, uid } = { email: anEmail(), uid: newId() };
    await track(table, program, { by: bySlug(), email, uid });
    const elsewhere = await aProgram(table);
    await expect(find({ email: anEmail(), uid: null })).rejects.toThrow(ReferralNotFound);
    await expect(find({ email: anEmail(), uid: newId() })).rejects.toThrow(ReferralNotFound);
    await expect(find({ email, uid: null }, elsewhere)).rejects.toThrow(ReferralNotFound);
    await expect(find({ email: null, uid: email })).rejects.toThrow(ReferralNotFound);
    await expect(find({ email: uid, uid: null })).rejects.toThrow(ReferralNotFound);
  });
});
