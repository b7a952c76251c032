import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { importedReferral, type ReferralRecord } from '../../../functions/domain/referral/imported-referral.ts';
import { NOTHING_REPORTED } from '../../../functions/domain/referral/referral-fields.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { aClick, anAdvocate, newId, now } from '../../support/program.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, type ConversionInput, listed, track } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
let name: string;
let jane: Advocate;
beforeEach(async () => {
  name = newId();
  jane = await anAdvocate(table, program, { email: `${name}@gmail.com`, uid: `partner-${name}` });
});

/** The flags of the referral of a conversion, as the table and the list contain them. */
async function flagsOf(input: ConversionInput): Promise<readonly string[]> {
  const { referral } = await track(table, program, input);
  const { flags = [] } = (await storedReferral(table, program, referral.id)) ?? {};
  const rows = await listed(table, program, jane.slug);
  expect(rows.find(({ id }) => id === referral.id)?.flags).toEqual(flags);
  return flags;
}

/** Every way to name the advocate, including a click. */
const WAYS: readonly [string, () => Promise<ConversionInput['by']>][] = [
  ['its slug', async () => ({ slug: jane.slug, clickId: null })],
  ['its click', async () => ({ slug: jane.slug, clickId: (await aClick(table, program, jane)).id })],
  ['the public key and its uid', async () => ({ publicKey: program.publicKey, uid: jane.uid ?? '' })],
];

describe.each(WAYS)('conversions by %s', (_, by) => {
  test.each([
    ['the email of the advocate', () => ({ email: `${name}@gmail.com` })],
    ['another form of its email', () => ({ email: `${name.replace('-', '.-')}+shop@googlemail.com` })],
    ['the uid of the advocate', () => ({ uid: `partner-${name}` })],
    ['only the uid of the advocate', () => ({ email: null, uid: `partner-${name}` })],
  ])('a conversion is flagged if the customer has %s', async (_, customer) => {
    expect(await flagsOf({ by: await by(), ...customer() })).toEqual(['self_referral']);
  });

  test('a conversion is flagged if a page reports it', async () => {
    expect(await flagsOf({ by: await by(), reporter: 'page', uid: jane.uid })).toEqual(['self_referral']);
  });

  test('a conversion is not flagged for other customers', async () => {
    expect(await flagsOf({ by: await by() })).toEqual([]);
    expect(await flagsOf({ by: await by(), uid: `Partner-${name}` })).toEqual([]);
  });

  test('the flag follows the email and the uid that the advocate has by then', async () => {
    const [email, uid] = [anEmail(), newId()];
    const { email: oldEmail, uid: oldUid } = jane;
    const before = await track(table, program, { by: await by(), email: oldEmail, uid: oldUid });
    jane = await updateAdvocate(table, program.id, jane.slug, { email, uid });
    expect(await flagsOf({ by: await by(), email })).toEqual(['self_referral']);
    expect(await flagsOf({ by: await by(), uid })).toEqual(['self_referral']);
    expect(await flagsOf({ by: await by(), email: `${name}+new@gmail.com` })).toEqual([]);
    const { flags } = (await storedReferral(table, program, before.referral.id)) ?? {};
    expect(flags).toEqual(['self_referral']);
  });
});

test('a click has no flags, and the advocate of another click is not compared', async () => {
  const john = await anAdvocate(table, program);
  const click = await aClick(table, program, john);
  expect((await storedReferral(table, program, click.id))?.flags).toEqual([]);
  const { referral } = await track(table, program, { by: { slug: john.slug, clickId: click.id }, email: jane.email });
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ id: click.id, flags: [] });
});

test.each<[string, ReferralRecord['flags']]>([
  ['no flags', []],
  ['the flag', ['self_referral']],
])('an import computes nothing and stores %s of its file', async (_, flags) => {
  for (const email of [jane.email, anEmail()]) {
    const record: ReferralRecord = {
      ...{ ...NOTHING_REPORTED, id: null, email, state: 'paid', flags },
      ...{ createdAt: now(), stateSetAt: now(), commissionPercentage: undefined, commissionEndDate: undefined },
      stripeCustomer: null,
    };
    const referral = importedReferral(program, jane, record, newId());
    await storeReferrals(table, program.id, [{ referral, hasId: true }]);
    expect((await storedReferral(table, program, referral.id))?.flags).toEqual(flags);
  }
});
