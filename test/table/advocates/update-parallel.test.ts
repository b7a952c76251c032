import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate, AdvocateChanges } from '../../../functions/domain/advocate.ts';
import { UidTaken } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { findAdvocate, updateAdvocate } from '../../../functions/table/advocates.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectConsistentAdvocates } from '../../support/table/consistency.ts';
import { itemsOf, type TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { uid: 'jane' });
});

const TRANSACTION = 'TransactWriteItems';
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const update = (changes: AdvocateChanges, { slug } = jane, at: TestTable = table) =>
  updateAdvocate(at, program.id, slug, changes);
const stored = ({ slug } = jane) => findAdvocate(table, program.id, slug);
const expectAgreement = async () => expectConsistentAdvocates(await itemsOf(table, program), program);

describe('simultaneous updates', () => {
  test.each<[AdvocateChanges, AdvocateChanges]>([
    [{ company: 'Roe' }, { commissionPercentage: 40 }],
    [{ uid: 'new' }, { email: 'new@partners.example' }],
    [{ active: false }, { uid: 'new' }],
    [{ uid: null }, { active: false }],
  ])('the simultaneous updates %j and %j both survive', async (one, other) => {
    beforeNext(table, 'TransactWriteItemsCommand', () => update(other));
    await update(one);
    expect(await stored()).toEqual({ ...jane, ...one, ...other, version: 3 });
    await expectAgreement();
  });

  test('simultaneous updates of six fields all survive', async () => {
    const fields = { email: 'a@b.example', firstName: 'A', lastName: null, uid: 'new', company: 'D', active: false };
    await Promise.all(Object.entries(fields).map(([field, value]) => update({ [field]: value })));
    expect(await stored()).toEqual({ ...jane, ...fields, version: 7 });
    await expectAgreement();
  });

  test('simultaneous updates of one advocate to different uids leave one claim: of the last uid', async () => {
    beforeNext(table, 'TransactWriteItemsCommand', () => update({ uid: 'second' }));
    await update({ uid: 'first' });
    expect(await stored()).toMatchObject({ uid: 'first', version: 3 });
    await expectAgreement();
  });

  test('simultaneous updates of 20 advocates to the same uid: one succeeds, the others throw UidTaken', async () => {
    const advocates = await Promise.all(Array.from({ length: 20 }, () => anAdvocate(table, program, { uid: newId() })));
    const outcomes = await Promise.allSettled(advocates.map((advocate) => update({ uid: 'wanted' }, advocate)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(19);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(UidTaken);
    expect((await expectAgreement()).filter(({ uid }) => uid === 'wanted')).toHaveLength(1);
  });
});

describe('updates whose response is lost', () => {
  test('an update whose response is lost is made once', async () => {
    proxy.next(TRANSACTION, 'lose');
    expect(await update({ uid: 'new' }, jane, proxied.faulty)).toMatchObject({ uid: 'new', version: 2 });
    expect(await stored()).toMatchObject({ uid: 'new', version: 2 });
    expect(attempts(TRANSACTION)).toBe(2);
    await expectAgreement();
  });

  test('an update whose response is lost is not made again if another update comes in between', async () => {
    proxy.next(TRANSACTION, { meanwhile: () => update({ uid: 'second', company: 'Roe' }) });
    expect(await update({ uid: 'first' }, jane, proxied.faulty)).toMatchObject({ uid: 'first', version: 2 });
    expect(await stored()).toEqual({ ...jane, uid: 'second', company: 'Roe', version: 3 });
    await expectAgreement();
  });

  test('a repeated update does not affect an advocate that takes the old uid in between', async () => {
    const john = await anAdvocate(table, program);
    proxy.next(TRANSACTION, { meanwhile: () => update({ uid: 'jane' }, john) });
    await update({ uid: 'new' }, jane, proxied.faulty);
    expect(await stored(john)).toMatchObject({ uid: 'jane' });
    await expectAgreement();
  });
});

test('an update starts again for as long as other writes come first', async () => {
  const reasons = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }];
  const conflict: Fault = refusal('TransactionCanceledException', { CancellationReasons: reasons });
  proxy.next(TRANSACTION, ...Array<Fault>(20).fill(conflict));
  const withoutPauses = proxied.faulty.but({ pause: async () => undefined });
  expect(await update({ company: 'Roe' }, jane, withoutPauses)).toEqual({ ...jane, company: 'Roe', version: 2 });
  expect(attempts(TRANSACTION)).toBe(21);
});
