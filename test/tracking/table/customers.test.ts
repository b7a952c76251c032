import { beforeAll, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { advocateReferrals, referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { InvalidAffiliate, ReferralExists } from '../../../functions/kernel/errors.ts';
import type { Attribution } from '../../../functions/tracking/rules/conversion.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, type ConversionInput, listed, track } from '../../support/table/track.ts';
import { itemAt } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram({}, { uid: 'jane' });
let john: Advocate;
let foreign: Program;
let idle: Advocate;
let stranger: Advocate;
beforeAll(async () => {
  john = await anAdvocate(table, program, { uid: 'john' });
  foreign = await aProgram(table);
  stranger = await anAdvocate(table, foreign, { uid: 'stranger-1' });
  const active = await anAdvocate(table, program, { uid: 'idle-1' });
  idle = await updateAdvocate(table, program.id, active.slug, { active: false });
});

const bySlug = ({ slug }: Advocate) => ({ slug, clickId: newId() });

const expectTaken = (input: Parameters<typeof track>[2]) =>
  expectUnchanged(table, () => expect(track(table, program, input)).rejects.toThrow(ReferralExists));

test('an email converts only once, across all advocates and ways to attribute it', async () => {
  const email = anEmail();
  await track(table, program, { by: bySlug(jane), email });
  const click = await aClick(table, program, john);
  await expectTaken({ by: bySlug(jane), email });
  await expectTaken({ by: bySlug(john), email });
  await expectTaken({ by: { slug: john.slug, clickId: click.id }, email });
  await expectTaken({ by: { publicKey: program.publicKey, uid: 'john' }, email });
});

test('a customer with an email and a uid is recognized by either one in later conversions', async () => {
  const customer = { email: anEmail(), uid: newId() };
  await track(table, program, { by: bySlug(jane), ...customer });
  await expectTaken({ by: bySlug(john), ...customer });
  await expectTaken({ by: bySlug(john), ...customer, uid: null });
  await expectTaken({ by: bySlug(john), ...customer, email: null });
  await expectTaken({ by: bySlug(john), ...customer, uid: newId() });
  await expectTaken({ by: bySlug(john), ...customer, email: anEmail() });
});

test("the uid is the merchant's id for the advocate", async () => {
  const id = newId();
  const by = { publicKey: program.publicKey, uid: 'jane' };
  const { referral } = await track(table, program, { by, newId: id });
  expect(referral).toMatchObject({ id, state: 'converted' });
  expect(await itemAt(table, referralKey(program.id, id))).toMatchObject({
    owner: advocateReferrals(program.id, jane.slug),
    rate: 20,
  });
});

/** Every kind of affiliate that cannot be used. */
const UNUSABLE: readonly [string, () => Promise<Attribution>][] = [
  ['an unknown slug', async () => ({ slug: 'nobody', clickId: newId() })],
  ["another program's slug", async () => ({ slug: stranger.slug, clickId: newId() })],
  [
    "a deactivated advocate's slug with its click",
    async () => ({ slug: idle.slug, clickId: (await aClick(table, program, idle)).id }),
  ],
  ['an unknown uid', async () => ({ publicKey: program.publicKey, uid: 'nobody' })],
  ['a uid in another case', async () => ({ publicKey: program.publicKey, uid: 'JANE' })],
  ["an advocate's own id as the uid", async () => ({ publicKey: program.publicKey, uid: jane.id })],
  ["another program's uid", async () => ({ publicKey: program.publicKey, uid: 'stranger-1' })],
  ["a deactivated advocate's uid", async () => ({ publicKey: program.publicKey, uid: 'idle-1' })],
  ["another program's public key", async () => ({ publicKey: foreign.publicKey, uid: 'jane' })],
  ['an unknown public key', async () => ({ publicKey: 'pk_unknown', uid: 'jane' })],
];

test.each(UNUSABLE)('an unusable affiliate throws InvalidAffiliate and writes nothing: %s', async (_, make) => {
  const [by, email, uid] = [await make(), anEmail(), newId()];
  const unusable = (customer: object) => track(table, program, { by, key: newId(), ...customer });
  await expectUnchanged(table, () => expect(unusable({ uid: newId() })).rejects.toThrow(InvalidAffiliate));
  // Nor does the error reveal whether a customer is known.
  await track(table, program, { by: bySlug(jane), email, uid });
  await expectUnchanged(table, () => expect(unusable({ email, uid })).rejects.toThrow(InvalidAffiliate));
});

test('a conversion is flagged if the customer is its advocate, in the row and in the list', async () => {
  const name = newId();
  const self = await anAdvocate(table, program, { email: `${name}@gmail.com`, uid: `partner-${name}` });
  const click = await aClick(table, program, self);
  const of = (input: ConversionInput) => track(table, program, input);
  const flagged = [
    await of({ by: { slug: self.slug, clickId: click.id }, email: `${name}+shop@googlemail.com` }),
    await of({ by: { publicKey: program.publicKey, uid: self.uid ?? '' }, reporter: 'page', uid: self.uid }),
  ];
  const { referral: other } = await of({ by: bySlug(self) });
  for (const { referral } of flagged) {
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ flags: ['self_referral'] });
  }
  expect(await storedReferral(table, program, other.id)).toMatchObject({ flags: [] });
  expect((await listed(table, program, self.slug)).filter(({ flags }) => flags.length > 0)).toHaveLength(2);
});
