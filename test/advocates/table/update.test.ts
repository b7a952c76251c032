import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AdvocateChanges } from '../../../functions/advocates/rules/advocate-changes.ts';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate, AdvocateFields } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { InvalidAffiliate, UidTaken } from '../../../functions/kernel/errors.ts';
import { listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectConsistent, expectConsistentAdvocates } from '../../support/table/consistency.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { itemsOf, type TestTable } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();

const update = (slug: string, changes: AdvocateChanges) => updateAdvocate(table, program.id, slug, changes);
const byUid = (uid: string) => track(table, program, { by: { publicKey: program.publicKey, uid } });
const aFullAdvocate = (fields: Partial<AdvocateFields> = {}) =>
  anAdvocate(table, program, {
    uid: newId(),
    companyId: 'org-1',
    company: 'Doe & Söhne',
    commissionPercentage: 12.5,
    ...fields,
  });

const CHANGES: readonly AdvocateChanges[] = [
  { firstName: null, companyId: 'org-2', commissionPercentage: 33.3 },
  { uid: `Partner ${newId()}` },
  { uid: null, company: null },
  { active: false },
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
});

test('a new uid replaces the old one for conversions', async () => {
  const [old, next] = [newId(), newId()];
  const { slug } = await aFullAdvocate({ uid: old });
  await update(slug, { uid: next });
  await expect(byUid(old)).rejects.toThrow(InvalidAffiliate);
  const { referral } = await byUid(next);
  expect(await storedReferral(table, program, referral.id)).toMatchObject({ advocateSlug: slug });
});

const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let own: Program;
let jane: Advocate;
beforeEach(async () => {
  own = await aProgram(table);
  jane = await anAdvocate(table, own, { uid: newId() });
});

const TRANSACTION = 'TransactWriteItems';
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const updateNow = (changes: AdvocateChanges, { slug } = jane, at: TestTable = table) =>
  updateAdvocate(at, own.id, slug, changes);
const stored = ({ slug } = jane) => findAdvocate(table, own.id, slug);
const expectAgreement = async () => expectConsistentAdvocates(await itemsOf(table, own), own);

describe('simultaneous updates', () => {
  test.each<[AdvocateChanges, AdvocateChanges]>([
    [{ uid: 'new' }, { email: 'new@partners.example' }],
    [{ active: false }, { uid: 'new' }],
  ])('the simultaneous updates %j and %j both survive', async (one, other) => {
    beforeNext(table, 'TransactWriteItemsCommand', () => updateNow(other));
    await updateNow(one);
    const emailVersion = 'email' in other ? 1 : 0;
    expect(await stored()).toEqual({ ...jane, ...one, ...other, emailVersion, version: 3 });
    await expectAgreement();
  });

  test('simultaneous updates of 20 advocates to the same uid: one succeeds, the others throw UidTaken', async () => {
    const advocates = await Promise.all(Array.from({ length: 20 }, () => anAdvocate(table, own, { uid: newId() })));
    const outcomes = await Promise.allSettled(advocates.map((advocate) => updateNow({ uid: 'wanted' }, advocate)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(UidTaken);
    expect((await expectAgreement()).filter(({ uid }) => uid === 'wanted')).toHaveLength(1);
  });
});

describe('updates whose response is lost', () => {
  test('an update whose response is lost is made once', async () => {
    proxy.next(TRANSACTION, 'lose');
    expect(await updateNow({ uid: 'new' }, jane, proxied.faulty)).toMatchObject({ uid: 'new', version: 2 });
    expect(await stored()).toMatchObject({ uid: 'new', version: 2 });
    expect(attempts(TRANSACTION)).toBe(2);
    await expectAgreement();
  });

  test('an update whose response is lost is not made again if another update comes in between', async () => {
    proxy.next(TRANSACTION, { meanwhile: () => updateNow({ uid: 'second', company: 'Roe' }) });
    expect(await updateNow({ uid: 'first' }, jane, proxied.faulty)).toMatchObject({ uid: 'first', version: 2 });
    expect(await stored()).toEqual({ ...jane, uid: 'second', company: 'Roe', version: 3 });
    await expectAgreement();
  });

  test('a repeated update does not affect an advocate that takes the old uid in between', async () => {
    const john = await anAdvocate(table, own);
    proxy.next(TRANSACTION, { meanwhile: () => updateNow({ uid: 'jane' }, john) });
    await updateNow({ uid: 'new' }, jane, proxied.faulty);
    expect(await stored(john)).toMatchObject({ uid: 'jane' });
    await expectAgreement();
  });
});
