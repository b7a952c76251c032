import { describe, expect, test } from '@jest/globals';
import type { AdvocateChanges, AdvocateFields } from '../../../functions/domain/advocate.ts';
import { AdvocateNotFound, InvalidAffiliate, InvalidField, UidTaken } from '../../../functions/domain/errors.ts';
import { findAdvocate, updateAdvocate } from '../../../functions/table/advocates.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();

const update = (slug: string, changes: AdvocateChanges) => updateAdvocate(table, program.id, slug, changes);
const byUid = (uid: string) => track(table, program, { by: { publicKey: program.publicKey, uid } });
const bySlug = (slug: string) => track(table, program, { by: { slug, clickId: null } });
const rateOf = async ({ referral }: Awaited<ReturnType<typeof track>>) =>
  (await storedReferral(table, program, referral.id))?.commissionPercentage;
const aFullAdvocate = (fields: Partial<AdvocateFields> = {}) =>
  anAdvocate(table, program, {
    uid: newId(),
    companyId: 'org-1',
    company: 'Doe & Söhne',
    commissionPercentage: 12.5,
    ...fields,
  });

const CHANGES: readonly AdvocateChanges[] = [
  { email: 'new@partners.example' },
  { firstName: 'Zoë' },
  { firstName: null },
  { lastName: "O'Neil" },
  { lastName: null },
  { uid: `Partner ${newId()}` },
  { uid: null },
  { companyId: 'org-2' },
  { companyId: null },
  { company: 'Roe' },
  { company: null },
  { commissionPercentage: 0 },
  { commissionPercentage: 33.3 },
  { commissionPercentage: null },
  { active: false },
  {
    email: 'all@partners.example',
    firstName: null,
    uid: newId(),
    company: null,
    commissionPercentage: 1,
    active: false,
  },
];

describe('updates of an advocate', () => {
  test.each(CHANGES)(
    'an update stores exactly these fields, in its item, its claim and the list: %j',
    async (changes) => {
      const before = await aFullAdvocate();
      const after = await update(before.slug, changes);
      expect(after).toEqual({ ...before, ...changes, version: 2 });
      expect(await findAdvocate(table, program.id, before.slug)).toEqual(after);
      expect(await listAdvocates(table, program.id)).toContainEqual(after);
      expectConsistent(await itemsOf(table, program), program);
    },
  );

  test('an update sets every field that was empty', async () => {
    const empty = { firstName: null, lastName: null, companyId: null, company: null, commissionPercentage: null };
    const { slug } = await anAdvocate(table, program, empty);
    const fields = {
      firstName: 'A',
      lastName: 'B',
      uid: newId(),
      companyId: 'c',
      company: 'D',
      commissionPercentage: 5,
    };
    expect(await update(slug, fields)).toMatchObject(fields);
    expect(await findAdvocate(table, program.id, slug)).toMatchObject(fields);
    expectConsistent(await itemsOf(table, program), program);
  });

  test.each<[string, AdvocateChanges]>([
    ['no fields', {}],
    ['the same values', { companyId: 'org-1', company: 'Doe & Söhne', commissionPercentage: 12.5, active: true }],
    ['an email that is equal after normalization', { email: ' SAME@Partners.Example ' }],
  ])('an update with %s writes nothing', async (_, changes) => {
    const before = await aFullAdvocate({ email: 'same@partners.example' });
    await expectUnchanged(table, async () => expect(await update(before.slug, changes)).toEqual(before));
  });

  test('an update with an invalid field throws InvalidField and writes nothing', async () => {
    const { slug } = await aFullAdvocate();
    const changes = { firstName: 'Janet', email: 'jane' };
    await expectUnchanged(table, () => expect(update(slug, changes)).rejects.toThrow(InvalidField));
  });

  test.each([
    ['an unknown slug', async () => 'nobody'],
    ["another program's slug", async () => (await anAdvocate(table, await aProgram(table))).slug],
  ])('an update of %s throws AdvocateNotFound and writes nothing', async (_, slugOf) => {
    const slug = await slugOf();
    await expectUnchanged(table, () => expect(update(slug, { uid: newId() })).rejects.toThrow(AdvocateNotFound));
  });
});

describe('a new uid', () => {
  test('a new uid replaces the old one for conversions', async () => {
    const [old, next] = [newId(), newId()];
    const { slug } = await aFullAdvocate({ uid: old });
    await update(slug, { uid: next });
    await expect(byUid(old)).rejects.toThrow(InvalidAffiliate);
    const { referral } = await byUid(next);
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ advocateSlug: slug });
  });

  test('a new uid that another advocate has throws UidTaken, and no other field changes', async () => {
    const { uid } = await aFullAdvocate();
    const { slug } = await aFullAdvocate();
    await expectUnchanged(table, () => expect(update(slug, { uid, company: 'Roe' })).rejects.toThrow(UidTaken));
  });

  test('a new uid may be the uid that another advocate gave up', async () => {
    const [one, other] = [await aFullAdvocate(), await aFullAdvocate({ uid: null })];
    await update(one.slug, { uid: null });
    await update(other.slug, { uid: one.uid });
    const { referral } = await byUid(one.uid ?? '');
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ advocateSlug: other.slug });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a new uid may be the old one in another case, or the uid of an advocate in another program', async () => {
    const elsewhere = await aProgram(table);
    const { uid } = await anAdvocate(table, elsewhere, { uid: newId() });
    const { slug } = await aFullAdvocate({ uid: 'Partner#1' });
    for (const next of ['partner#1', uid]) expect(await update(slug, { uid: next })).toMatchObject({ uid: next });
    expectConsistent(await itemsOf(table, program), program);
    expectConsistent(await itemsOf(table, elsewhere), elsewhere);
  });
});

describe('a new rate', () => {
  test('a new rate applies to later referrals by slug and by uid, and earlier ones keep theirs', async () => {
    const advocate = await aFullAdvocate();
    const before = await bySlug(advocate.slug);
    const click = await aClick(table, program, advocate);
    await update(advocate.slug, { commissionPercentage: 40 });
    expect(await rateOf(before)).toBe(12.5);
    expect(await rateOf(await bySlug(advocate.slug))).toBe(40);
    expect(await rateOf(await byUid(advocate.uid ?? ''))).toBe(40);
    const converted = await track(table, program, { by: { slug: advocate.slug, clickId: click.id } });
    expect([converted.referral.id, await rateOf(converted)]).toEqual([click.id, 12.5]);
  });

  test('a rate of null gives later referrals the rate of the program', async () => {
    const { slug, uid } = await aFullAdvocate();
    await update(slug, { commissionPercentage: null });
    expect(await rateOf(await bySlug(slug))).toBe(20);
    expect(await rateOf(await byUid(uid ?? ''))).toBe(20);
  });
});

test('a deactivated advocate stays deactivated when other fields and its uid change', async () => {
  const { slug } = await aFullAdvocate();
  await update(slug, { active: false });
  const uid = newId();
  expect(await update(slug, { uid, commissionPercentage: 50 })).toMatchObject({ active: false, version: 3 });
  await expect(bySlug(slug)).rejects.toThrow(InvalidAffiliate);
  await expect(byUid(uid)).rejects.toThrow(InvalidAffiliate);
});
