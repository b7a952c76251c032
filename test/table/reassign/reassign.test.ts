import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import {
  AmbiguousCustomer,
  InvalidAffiliate,
  NotConverted,
  ReferralExists,
  ReferralNotFound,
} from '../../../functions/domain/errors.ts';
import type { CustomerReference, Referral } from '../../../functions/domain/referral/referral.ts';
import { milliseconds, type Seconds, seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { countReferrals } from '../../../functions/table/referrals/counts.ts';
import { eraseReferral, reassignReferral } from '../../../functions/table/referrals/referrals.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { aReferralIn, move, storedReferral } from '../../support/table/situations.ts';
import { anEmail, listed, track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { SITUATIONS, stateOf, wasConverted } from '../../support/transitions.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
let jane: Advocate;
let john: Advocate;
beforeEach(async () => {
  jane = await anAdvocate(table, program);
  john = await anAdvocate(table, program, { commissionPercentage: 35 });
});

const later = atTime(table, () => milliseconds((now() + 3600) * 1000));
const to = (names: Partial<CustomerReference>, slug = john.slug, at = table) =>
  reassignReferral(at, program, { id: null, email: null, uid: null, ...names }, { slug, actor: 'operator' });
const total = async ({ slug }: Advocate) => (await countReferrals(table, program.id, slug, NONE)).total;
const NONE = { subId: undefined, createdAt: undefined, clicks: true };

describe('moves of a referral', () => {
  test.each(SITUATIONS.filter(wasConverted))(
    'a move of a referral that is %s keeps its state and all times but updated_at',
    async (from) => {
      const subId = 'news';
      const before = await aReferralIn(table, program, jane, from, { subId, customerUid: newId() });
      const after = await to({ id: before.id }, john.slug, later);
      const { updatedAt } = after;
      expect(updatedAt).toBeGreaterThanOrEqual(before.updatedAt + 3600);
      expect(after).toEqual({
        ...before,
        advocateSlug: john.slug,
        commissionPercentage: 35,
        updatedAt,
        history: [
          ...before.history,
          { type: 'reassignment', from: jane.slug, to: john.slug, setAt: updatedAt, by: 'operator' },
        ],
        version: before.version + 1,
      });
      expect(await storedReferral(table, program, before.id)).toEqual(after);
    },
  );

  test.each(SITUATIONS.filter(wasConverted))(
    'a move of a referral that is %s is visible in every list and count',
    async (situation) => {
      const state = stateOf(situation);
      const subId = 'spring/summer';
      const { id, stateSetAt, createdAt } = await aReferralIn(table, program, jane, situation, { subId });
      const second = (from: Seconds) => ({ from, to: seconds(from + 1) });
      const times = [{ createdAt: second(createdAt) }, { stateSetAt: second(stateSetAt) }];
      const filters = [{}, { state }, { subId }, { subId, state }, ...times];
      const idsOf = async ({ slug }: Advocate) =>
        Promise.all(filters.map(async (each) => (await listed(table, program, slug, each)).map((row) => row.id)));
      const empty = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
      for (const [slug, owner, other] of [
        [john.slug, john, jane],
        [jane.slug, jane, john],
      ] as const) {
        await move(table, program, id, slug);
        expect(await idsOf(owner)).toEqual(filters.map(() => [id]));
        expect(await idsOf(other)).toEqual(filters.map(() => []));
        expect([await total(owner), await total(other)]).toEqual([{ ...empty, [state]: 1 }, empty]);
      }
    },
  );

  test.each<[string, (customer: Referral) => Partial<CustomerReference>]>([
    ['email', ({ email }) => ({ email })],
    ['uid', ({ customerUid: uid }) => ({ uid })],
    ['id', ({ id }) => ({ id })],
    ['all three', ({ id, email, customerUid: uid }) => ({ id, email, uid })],
  ])('a move of a customer identified by %s keeps its email and uid unique', async (_, names) => {
    const referral = await aReferral(table, program, jane, { customerUid: newId() });
    expect(await to(names(referral))).toMatchObject({ id: referral.id, advocateSlug: john.slug });
    const { email, customerUid: uid } = referral;
    const by = { slug: john.slug, clickId: null };
    await expect(track(table, program, { by, email })).rejects.toThrow(ReferralExists);
    await expect(track(table, program, { by, email: null, uid })).rejects.toThrow(ReferralExists);
    expectConsistent(await itemsOf(table, program), program);
  });

  test("a move uses the program's current rate for an advocate without one", async () => {
    const { id } = await aReferral(table, program, john);
    expect(await move(table, { ...program, commissionPercentage: 7 }, id, jane.slug)).toMatchObject({
      commissionPercentage: 7,
    });
  });

  test('a move sets the flag if the customer is the new advocate, and removes it otherwise', async () => {
    const { id, email } = await aReferral(table, program, jane);
    const self = await anAdvocate(table, program, { email: email?.replace('@', '+partner@') ?? '' });
    expect(await move(table, program, id, self.slug)).toMatchObject({ flags: ['self_referral'] });
    expect(await move(table, program, id, john.slug)).toMatchObject({ flags: [] });
    await updateAdvocate(table, program.id, jane.slug, { email: email ?? '' });
    expect(await move(table, program, id, jane.slug)).toMatchObject({ flags: ['self_referral'] });
  });

  test('a move to the same advocate changes nothing, even if its rate has changed', async () => {
    const before = await aReferral(table, program, jane);
    await updateAdvocate(table, program.id, jane.slug, { commissionPercentage: 50 });
    await expectUnchanged(table, async () => expect(await to({ id: before.id }, jane.slug, later)).toEqual(before));
  });

  test('a move of an erased person is possible by id', async () => {
    const { id, email } = await aReferral(table, program, jane);
    await eraseReferral(table, program.id, id, 'merchant');
    expect(await to({ id })).toMatchObject({ advocateSlug: john.slug, email: null, flags: [], version: 3 });
    await expect(to({ email }, jane.slug)).rejects.toThrow(ReferralNotFound);
    expectConsistent(await itemsOf(table, program), program);
  });
});

describe('referrals that cannot be moved', () => {
  test.each(['clicked', 'rejected as a click'] as const)(
    'a referral that cannot be moved throws NotConverted and stays: %s',
    async (situation) => {
      const { id } = await aReferralIn(table, program, jane, situation, { subId: 'news' });
      for (const { slug } of [john, jane]) {
        await expectUnchanged(table, () => expect(to({ id }, slug)).rejects.toThrow(NotConverted));
      }
    },
  );

  test.each<[string, () => Promise<string>]>([
    ['unknown', async () => 'nobody'],
    ["another program's", async () => (await anAdvocate(table, await aProgram(table))).slug],
    ['deactivated', async () => (await updateAdvocate(table, program.id, john.slug, { active: false })).slug],
  ])('a move throws InvalidAffiliate before anything about the customer: the advocate is %s', async (_, slugOf) => {
    const slug = await slugOf();
    const { id, email } = await aReferral(table, program, jane);
    const click = await aClick(table, program, jane);
    const customers = [
      { id },
      { email },
      { id: click.id },
      { id: newId() },
      { email: anEmail() },
      { email, uid: newId() },
    ];
    await expectUnchanged(table, async () => {
      for (const names of customers) await expect(to(names, slug)).rejects.toThrow(InvalidAffiliate);
    });
  });

  test('a move throws InvalidAffiliate if its own advocate is deactivated', async () => {
    const { id } = await aReferral(table, program, jane);
    await updateAdvocate(table, program.id, jane.slug, { active: false });
    await expectUnchanged(table, () => expect(to({ id }, jane.slug)).rejects.toThrow(InvalidAffiliate));
    expect(await to({ id })).toMatchObject({ advocateSlug: john.slug });
  });

  test('a move throws ReferralNotFound or AmbiguousCustomer if no referral or several are identified', async () => {
    const [one, other] = [await aReferral(table, program, jane), await aReferral(table, program, jane)];
    const elsewhere = await aProgram(table);
    const foreign = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere));
    await expectUnchanged(table, async () => {
      for (const names of [{ id: newId() }, { email: anEmail() }, { id: foreign.id }, { email: foreign.email }]) {
        await expect(to(names)).rejects.toThrow(ReferralNotFound);
      }
      for (const names of [
        { id: one.id, email: other.email },
        { id: newId(), email: one.email },
      ]) {
        await expect(to(names)).rejects.toThrow(AmbiguousCustomer);
      }
    });
  });
});
