import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Attribution } from '../../../functions/domain/referral/conversion.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { advocateReferrals, referralKey } from '../../../functions/table/keys.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let foreign: Program;
let advocate: Advocate;
let idle: Advocate;
let stranger: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  foreign = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'Partner#1' });
  stranger = await anAdvocate(table, foreign, { uid: 'stranger-1' });
  const active = await anAdvocate(table, program, { uid: 'idle-1' });
  idle = await updateAdvocate(table, program.id, active.slug, { active: false });
});

describe('advocates looked up by public key and uid', () => {
  test("the uid is the merchant's id for the advocate", async () => {
    const id = newId();
    const by = { publicKey: program.publicKey, uid: 'Partner#1' };
    const { referral } = await track(table, program, { by, newId: id });
    expect(referral).toMatchObject({ id, state: 'converted' });
    expect(await itemAt(table, referralKey(program.id, id))).toMatchObject({
      owner: advocateReferrals(program.id, advocate.slug),
      rate: 20,
    });
  });

  test("the referral gets the advocate's own rate", async () => {
    await anAdvocate(table, program, { uid: 'special-1', commissionPercentage: 33 });
    const by = { publicKey: program.publicKey, uid: 'special-1' };
    const { referral } = await track(table, program, { by });
    expect(await itemAt(table, referralKey(program.id, referral.id))).toMatchObject({ rate: 33 });
  });

  test('the uid is case-sensitive', async () => {
    const by = { publicKey: program.publicKey, uid: 'partner#1' };
    await expect(track(table, program, { by })).rejects.toThrow(InvalidAffiliate);
  });
});

/** Every kind of affiliate that cannot be used. */
const UNUSABLE: readonly [string, () => Promise<Attribution>][] = [
  ['an unknown slug', async () => ({ slug: 'nobody', clickId: newId() })],
  ["another program's slug", async () => ({ slug: stranger.slug, clickId: newId() })],
  [
    "another program's slug with its click",
    async () => ({ slug: stranger.slug, clickId: (await aClick(table, foreign, stranger)).id }),
  ],
  ["a deactivated advocate's slug", async () => ({ slug: idle.slug, clickId: newId() })],
  [
    "a deactivated advocate's slug with its click",
    async () => ({ slug: idle.slug, clickId: (await aClick(table, program, idle)).id }),
  ],
  [
    "an unknown slug with an advocate's click",
    async () => ({ slug: 'nobody', clickId: (await aClick(table, program, advocate)).id }),
  ],
  ['an unknown uid', async () => ({ publicKey: program.publicKey, uid: 'nobody' })],
  ["an advocate's slug instead of its uid", async () => ({ publicKey: program.publicKey, uid: advocate.slug })],
  ["another program's uid", async () => ({ publicKey: program.publicKey, uid: 'stranger-1' })],
  ["a deactivated advocate's uid", async () => ({ publicKey: program.publicKey, uid: 'idle-1' })],
  ["an advocate's internal id instead of its uid", async () => ({ publicKey: program.publicKey, uid: advocate.id })],
  ["a deactivated advocate's internal id", async () => ({ publicKey: program.publicKey, uid: idle.id })],
  ["another program's public key", async () => ({ publicKey: foreign.publicKey, uid: 'Partner#1' })],
  ["another program's public key and uid", async () => ({ publicKey: foreign.publicKey, uid: 'stranger-1' })],
  ['an unknown public key', async () => ({ publicKey: 'pk_unknown', uid: 'Partner#1' })],
];

describe('unusable affiliates', () => {
  test.each(UNUSABLE)('an unusable affiliate throws InvalidAffiliate and writes nothing: %s', async (_, make) => {
    const by = await make();
    const before = await allItems(table);
    await expect(track(table, program, { by, uid: newId(), key: newId() })).rejects.toThrow(InvalidAffiliate);
    expect(await allItems(table)).toEqual(before);
  });
});

describe('unusable affiliates of known customers', () => {
  test.each(UNUSABLE)('an unusable affiliate never reveals whether an email or uid is known: %s', async (_, make) => {
    const email = anEmail();
    const uid = newId();
    await track(table, program, { by: { slug: advocate.slug, clickId: newId() }, email, uid });
    await expect(track(table, program, { by: await make(), email, uid })).rejects.toThrow(InvalidAffiliate);
  });
});
