import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { ReferralExists } from '../../../functions/domain/errors.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram({}, { uid: 'jane' });
let omar: Advocate;
beforeAll(async () => {
  omar = await anAdvocate(table, program, { uid: 'omar' });
});

const bySlug = ({ slug }: Advocate) => ({ slug, clickId: newId() });

async function expectTaken(input: Parameters<typeof track>[2]): Promise<void> {
  const before = await allItems(table);
  await expect(track(table, program, input)).rejects.toThrow(ReferralExists);
  expect(await allItems(table)).toEqual(before);
}

test('an email converts only once, across all advocates and ways to attribute it', async () => {
  const email = anEmail();
  await track(table, program, { by: bySlug(jane), email });
  const click = await aClick(table, program, omar);
  await expectTaken({ by: bySlug(jane), email });
  await expectTaken({ by: bySlug(omar), email });
  await expectTaken({ by: { slug: omar.slug, clickId: click.id }, email });
  await expectTaken({ by: { publicKey: program.publicKey, uid: 'omar' }, email });
});

test('a customer uid converts only once, with or without an email', async () => {
  const uid = newId();
  await track(table, program, { by: bySlug(jane), email: null, uid });
  await expectTaken({ by: bySlug(omar), email: null, uid });
  await expectTaken({ by: bySlug(omar), email: anEmail(), uid });
});

test('a new email sent with a taken uid remains available', async () => {
  const uid = newId();
  const email = anEmail();
  await track(table, program, { by: bySlug(jane), email: null, uid });
  await expectTaken({ by: bySlug(omar), email, uid });
  await expect(track(table, program, { by: bySlug(omar), email })).resolves.toMatchObject({
    replayed: false,
  });
});

test('an email and an identical uid do not conflict', async () => {
  const emailAndUid = anEmail();
  await track(table, program, { by: bySlug(jane), email: emailAndUid });
  await expect(track(table, program, { by: bySlug(jane), email: null, uid: emailAndUid })).resolves.toBeDefined();
});

test('the same email and uid can convert in another program', async () => {
  const other = await aProgram(table);
  const ana = await anAdvocate(table, other, { slug: jane.slug });
  const email = anEmail();
  await track(table, program, { by: bySlug(jane), email, uid: 'same' });
  const { referral } = await track(table, other, { by: bySlug(ana), email, uid: 'same' });
  expect(referral).toMatchObject({ email, customerUid: 'same' });
});

test('the same slug in another program identifies a different advocate', async () => {
  const other = await aProgram(table, { commissionPercentage: 50 });
  const namesake = await anAdvocate(table, other, { slug: omar.slug });
  const { referral } = await track(table, other, { by: bySlug(namesake) });
  const item = (await allItems(table)).find(({ pk }) => String(pk).endsWith(referral.id));
  expect(item).toMatchObject({ rate: 50 });
  expect(String(item?.['pk'])).toContain(other.id);
  expect(String(item?.['owner'])).toContain(other.id);
});

test('a referral keeps its email in every state', async () => {
  for (const state of ['converted', 'paid', 'churned', 'rejected'] as const) {
    const { email } = await aReferral(table, program, jane, { state });
    await expectTaken({ by: bySlug(omar), email });
  }
});
