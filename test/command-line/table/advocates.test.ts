import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate, AdvocateFields } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate, SlugTaken, UidTaken } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { findAdvocate, updateAdvocate } from '../../../functions/table/advocates.ts';
import { advocateUidKey } from '../../../functions/table/keys.ts';
import { createAdvocates } from '../../../functions/table/operator/advocate-import.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { listed, track } from '../../support/table/track.ts';
import { allItems, inParallel, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

const find = (slug: string) => findAdvocate(table, program.id, slug);
const FULL: Partial<AdvocateFields> = {
  uid: 'Partner#1',
  companyId: 'org-1',
  company: 'Doe & Söhne',
  commissionPercentage: 12.5,
};

describe('new advocates', () => {
  test.each([
    ['with every field', FULL],
    ['with the fewest fields', { firstName: null, lastName: null }],
  ])('a new advocate can be found by its slug, unchanged: %s', async (_, fields) => {
    const advocate = await anAdvocate(table, program, fields);
    expect(await find(advocate.slug)).toEqual(advocate);
  });

  test('a new advocate claims its uid, but not its id, and the claim contains everything a conversion needs', async () => {
    const advocate = await anAdvocate(table, program, FULL);
    const key = advocateUidKey(program.id, 'Partner#1');
    expect(await itemAt(table, key)).toEqual({
      ...key,
      slug: advocate.slug,
      email: advocate.email,
      uid: 'Partner#1',
      rate: 12.5,
      active: true,
    });
    expect(await itemAt(table, advocateUidKey(program.id, advocate.id))).toBeUndefined();
  });

  test.each([
    ['without a uid', null, 1],
    ['with a uid', 'Partner#1', 2],
  ])('a new advocate %s is stored in as few items as possible', async (_, uid, items) => {
    const before = (await allItems(table)).length;
    await anAdvocate(table, program, { uid });
    expect((await allItems(table)).length - before).toBe(items);
  });

  test('a new advocate with the slug of another advocate in the program throws SlugTaken and writes nothing', async () => {
    const { slug } = await anAdvocate(table, program, { uid: 'first' });
    await expectUnchanged(() => expect(anAdvocate(table, program, { slug, uid: 'second' })).rejects.toThrow(SlugTaken));
  });

  test('a new advocate with the uid of another advocate in the program throws UidTaken and writes nothing', async () => {
    await anAdvocate(table, program, { uid: 'same' });
    await expectUnchanged(() => expect(anAdvocate(table, program, { uid: 'same' })).rejects.toThrow(UidTaken));
  });

  test.each([
    ['known', {}],
    ['slug taken', { uid: 'other' }],
    ['slug taken', { email: 'other@example.com' }],
  ])('a new advocate in an import whose slug exists is %s: %j', async (outcome, change) => {
    const advocate = await anAdvocate(table, program, FULL);
    expect(await createAdvocates(table, program.id, [{ ...advocate, ...change }])).toEqual([outcome]);
  });

  test("a new advocate may have another advocate's id as its uid", async () => {
    const { id } = await anAdvocate(table, program);
    const advocate = await anAdvocate(table, program, { uid: id });
    const by = { publicKey: program.publicKey, uid: id };
    const { referral } = await track(table, program, { by });
    expect(await listed(table, program, advocate.slug)).toMatchObject([{ id: referral.id }]);
  });

  test('a new advocate with a taken slug and a taken uid throws UidTaken', async () => {
    const { slug } = await anAdvocate(table, program, { uid: 'same' });
    await expect(anAdvocate(table, program, { slug, uid: 'same' })).rejects.toThrow(UidTaken);
  });

  test('a new advocate may have the slug and the uid of an advocate in another program', async () => {
    const elsewhere = await aProgram(table);
    const first = await anAdvocate(table, program, { uid: 'same' });
    const second = await anAdvocate(table, elsewhere, { slug: first.slug, uid: 'same' });
    expect(await find(first.slug)).toEqual(first);
    expect(await findAdvocate(table, elsewhere.id, first.slug)).toEqual(second);
  });
});

test.each([
  ['slug', SlugTaken, () => ({ slug: 'wanted' })],
  ['uid', UidTaken, () => ({ uid: 'wanted' })],
])('20 simultaneous new advocates with the same %s create exactly one', async (_, Taken, fields) => {
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => anAdvocate(table, program, fields())));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(19);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Taken);
  expect(await listAdvocates(table, program.id)).toHaveLength(1);
});

test('an unknown slug and a slug of another program are not found', async () => {
  const elsewhere = await aProgram(table);
  const { slug } = await anAdvocate(table, elsewhere);
  expect(await find(slug)).toBeUndefined();
  expect(await find('nobody')).toBeUndefined();
});

describe('deactivated advocates', () => {
  const setActive = ({ slug }: Advocate, active: boolean) => updateAdvocate(table, program.id, slug, { active });

  test('a deactivation or activation applies to conversions by slug and by uid', async () => {
    const advocate = await anAdvocate(table, program, { uid: 'Partner#1' });
    const attributions = [
      { slug: advocate.slug, clickId: newId() },
      { publicKey: program.publicKey, uid: 'Partner#1' },
    ];
    const deactivated = await setActive(advocate, false);
    expect(deactivated).toEqual({ ...advocate, active: false, version: 2 });
    expect(await find(advocate.slug)).toEqual(deactivated);
    for (const by of attributions) await expect(track(table, program, { by })).rejects.toThrow(InvalidAffiliate);
    expect(await setActive(deactivated, true)).toEqual({ ...advocate, version: 3 });
    expect(await find(advocate.slug)).toEqual({ ...advocate, version: 3 });
    for (const by of attributions) await expect(track(table, program, { by })).resolves.toBeDefined();
  });

  test('a deactivation of a deactivated advocate writes nothing', async () => {
    const advocate = await setActive(await anAdvocate(table, program, { uid: newId() }), false);
    await expectUnchanged(async () => expect(await setActive(advocate, false)).toEqual(advocate));
  });

  test('a deactivation of an unknown advocate writes nothing', async () => {
    const advocate = await anAdvocate(table, program);
    const unknown = { ...advocate, slug: 'nobody', id: newId() };
    await expectUnchanged(() => expect(setActive(unknown, false)).rejects.toThrow(Error));
  });
});

test('all advocates of a large program are listed newest first, and by id within one second', async () => {
  const elsewhere = await aProgram(table);
  await anAdvocate(table, elsewhere);
  const created: Advocate[] = [];
  await inParallel(Array(230).keys(), async (number) => {
    const commissionPercentage = number % 2 ? number / 10 : null;
    created.push(await anAdvocate(table, program, { commissionPercentage }, seconds(1_700_000_000 + (number % 50))));
  });
  const position = ({ createdAt, id }: Advocate) => `${createdAt} ${id}`;
  created.sort((one, other) => (position(one) > position(other) ? -1 : 1));
  expect(await listAdvocates(table, program.id)).toEqual(created);
});

test('a program without advocates has an empty list', async () => {
  expect(await listAdvocates(table, program.id)).toEqual([]);
});
