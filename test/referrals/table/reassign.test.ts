import { beforeEach, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { InvalidAffiliate } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import type { CustomerReference } from '../../../functions/referrals/rules/referral.ts';
import { eraseReferral, reassignReferral } from '../../../functions/referrals/table/referrals.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { aReferralIn, move, set, storedReferral } from '../../support/table/situations.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
let jane: Advocate;
let john: Advocate;
let id: string;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  john = await anAdvocate(table, program, { commissionPercentage: 35 });
  ({ id } = await aReferral(table, program, jane));
});

const later = atTime(table, () => milliseconds((now() + 3600) * 1000));
const to = (names: Partial<CustomerReference>, slug = john.slug, at = table) =>
  reassignReferral(at, program, { id: null, email: null, uid: null, ...names }, { slug, actor: 'operator' });

test.each(['paid', 'rejected'] as const)(
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

test.each<[string, () => Promise<string>]>([
  ['unknown', async () => 'nobody'],
  ["another program's", async () => (await anAdvocate(table, await aProgram(table))).slug],
  ['deactivated', async () => (await updateAdvocate(table, program.id, john.slug, { active: false })).slug],
])('a move throws InvalidAffiliate before anything about the customer: the advocate is %s', async (_, slugOf) => {
  const slug = await slugOf();
  const { id, email } = await aReferral(table, program, jane);
  const click = await aClick(table, program, jane);
  const customers = [{ id }, { id: click.id }, { email, uid: newId() }];
  await expectUnchanged(table, async () => {
    for (const names of customers) await expect(to(names, slug)).rejects.toThrow(InvalidAffiliate);
  });
});

const stored = () => storedReferral(table, program, id);
const expectAgreement = async () => expectConsistent(await itemsOf(table, program), program);

describe('changes between the read and the write of a move', () => {
  test('a change to another state is kept by a simultaneous move', async () => {
    beforeNext(table, 'PutItemCommand', () => set(table, program, id, 'paid'));
    expect(await move(table, program, id, john.slug)).toMatchObject({ state: 'paid', version: 3 });
    expect(await stored()).toMatchObject({ state: 'paid', advocateSlug: john.slug });
    await expectAgreement();
  });

  test('the same move in the same second is not taken for its own if another change came before it', async () => {
    const moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    beforeNext(table, 'PutItemCommand', async () => {
      await set(at, program, id, 'paid');
      await move(at, program, id, john.slug);
    });
    expect(await move(at, program, id, john.slug)).toEqual(await stored());
    expect(await stored()).toMatchObject({ state: 'paid', version: 3 });
  });

  test('a simultaneous erasure stays: the moved referral has neither email nor flags', async () => {
    const { email } = (await stored()) ?? {};
    const self = await anAdvocate(table, program, { email: email ?? '' });
    beforeNext(table, 'PutItemCommand', () => eraseReferral(table, program.id, id, 'merchant'));
    expect(await move(table, program, id, self.slug)).toMatchObject({ email: null, flags: [], version: 3 });
    await expectAgreement();
  });
});

test('an erasure keeps a move that comes between its read and its write', async () => {
  beforeNext(table, 'TransactWriteItemsCommand', () => move(table, program, id, john.slug));
  await eraseReferral(table, program.id, id, 'merchant');
  expect(await storedReferral(table, program, id)).toMatchObject({ email: null, advocateSlug: john.slug, version: 3 });
  expectConsistent(await itemsOf(table, program), program);
});

test.each<[string, () => Promise<unknown>]>([
  ['is moved back', () => move(table, program, id, jane.slug)],
  ['gets another state', () => set(table, program, id, 'paid')],
  ['is erased', () => eraseReferral(table, program.id, id, 'merchant')],
])('a move whose response is lost is not made again if the referral %s in between', async (_, meanwhile) => {
  let after: Awaited<ReturnType<typeof stored>>;
  proxy.next('PutItem', {
    meanwhile: async () => {
      await meanwhile();
      after = await stored();
    },
  });
  expect(await move(proxied.faulty, program, id, john.slug)).toMatchObject({ advocateSlug: john.slug, version: 2 });
  expect(await stored()).toEqual(after);
  expect(after?.version).toBe(3);
  await expectAgreement();
});
