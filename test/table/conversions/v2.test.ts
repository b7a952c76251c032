import { describe, expect, test } from '@jest/globals';
import { InvalidField, ReferralExists, ReferralNotFound } from '../../../functions/domain/errors.ts';
import type { Customer } from '../../../functions/domain/referral.ts';
import { findReferralId } from '../../../functions/table/referrals.ts';
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

describe('a conversion by the slug alone', () => {
  test('creates a referral with the new id, and does not change any click', async () => {
    const click = await aClick(table, program, advocate);
    const id = newId();
    const email = anEmail();
    const said = { by: bySlug(), email, uid: 'customer-1', subId: 'news', newId: id };
    const { referral } = await track(table, program, said);
    expect(await storedReferral(table, program, id)).toEqual({
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
      expiresAt: null,
      history: [{ state: 'converted', setAt: referral.createdAt, by: 'merchant' }],
      idempotencyRecord: null,
      version: 1,
    });
    expect(await storedReferral(table, program, click.id)).toEqual(click);
  });

  test('is replayed with its key, and differs from one with a click', async () => {
    const said = { by: bySlug(), email: anEmail(), key: newId(), newId: newId() };
    await track(table, program, said);
    expect(await track(table, program, said)).toMatchObject({ replayed: true, referral: { id: said.newId } });
    const other = { ...said, by: { slug: advocate.slug, clickId: newId() } };
    await expect(track(table, program, other)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });
});

test.each(['merchant', 'page'] as const)('the history says that a %s reported it', async (reporter) => {
  const click = await aClick(table, program, advocate);
  await track(table, program, { by: { slug: advocate.slug, clickId: click.id }, reporter });
  const fresh = await track(table, program, { by: bySlug(), reporter });
  for (const id of [click.id, fresh.referral.id]) {
    const { history } = (await storedReferral(table, program, id)) ?? {};
    expect(history?.at(-1)).toMatchObject({ state: 'converted', by: reporter });
  }
});

describe('a customer with email and uid', () => {
  test('is known by either from then on', async () => {
    const customer = { email: anEmail(), uid: newId() };
    await track(table, program, { by: bySlug(), ...customer });
    await expectTaken(customer);
    await expectTaken({ ...customer, uid: null });
    await expectTaken({ ...customer, email: null });
    await expectTaken({ ...customer, uid: newId() });
    await expectTaken({ ...customer, email: anEmail() });
  });

  test('is refused if email and uid belong to different referrals: nothing is written', async () => {
    const email = anEmail();
    const uid = newId();
    await track(table, program, { by: bySlug(), email });
    await track(table, program, { by: bySlug(), email: null, uid });
    await expectTaken({ email, uid });
    expectConsistent(await itemsOf(table, program), program);
  });
});

describe('the referral of a customer is found', () => {
  const find = (customer: Customer, of = program) => findReferralId(table, of.id, customer);

  test('by email, by uid and by both', async () => {
    const customer = { email: anEmail(), uid: newId() };
    const { referral } = await track(table, program, { by: bySlug(), ...customer });
    expect(await find(customer)).toBe(referral.id);
    expect(await find({ ...customer, uid: null })).toBe(referral.id);
    expect(await find({ ...customer, email: null })).toBe(referral.id);
  });

  test('not if email and uid belong to two referrals, or one of them to no referral: InvalidField', async () => {
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
      await expect(find(customer)).rejects.toThrow('email and uid must belong to the same referral');
    }
  });

  test('not if it is unknown, in another program, or if the email is sent as a uid', async () => {
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
