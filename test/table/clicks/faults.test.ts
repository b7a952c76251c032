import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { newId } from '../../support/program.ts';
import { recorderAt } from '../../support/table/controlled-clock.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const aClick = () => ({ publicKey: program.publicKey, slug: advocate.slug, clickId: newId(), subId: 'news' });

test('20 simultaneous identical clicks return recorded once, and known otherwise', async () => {
  const click = aClick();
  const recorders = Array.from({ length: 20 }, () => recorderAt(table).record);
  const outcomes = await Promise.all(recorders.map((record) => record(click)));
  expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'known')).toHaveLength(19);
});

describe('clicks during table failures', () => {
  const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);

  test('a click returns recorded if only the response was lost', async () => {
    const { record } = recorderAt(through.faulty);
    const click = aClick();
    proxy.next('PutItem', 'lose');
    expect(await record(click)).toBe('recorded');
    expect(attempts('PutItem')).toBe(2);
    expect(await record(click)).toBe('known');
  });

  test('a click returns known if it was already recorded, even if the first attempt failed', async () => {
    const { record, advance } = recorderAt(through.faulty);
    const click = aClick();
    await record(click);
    advance(1000);
    proxy.next('PutItem', refusal('InternalServerError', {}, 500));
    expect(await record(click)).toBe('known');
    expect(attempts('PutItem')).toBe(3);
  });

  test('a click is retried while a transaction, such as its own conversion, locks its item', async () => {
    const { record } = recorderAt(through.faulty.but({ pause: async () => undefined }));
    proxy.next('PutItem', ...times(20, refusal('TransactionConflictException')));
    expect(await record(aClick())).toBe('recorded');
    expect(attempts('PutItem')).toBe(21);
  });

  test.each(['BatchGetItem', 'PutItem'])(
    'a click throws Unavailable and is not recorded if every attempt fails: %s',
    async (operation) => {
      const { record } = recorderAt(through.faulty);
      const click = aClick();
      proxy.next(operation, ...times(3, 'drop'));
      await expect(record(click)).rejects.toThrow(Unavailable);
      expect(await storedReferral(table, program, click.clickId)).toBeUndefined();
      expect(await record(click)).toBe('recorded');
    },
  );

  test('a click reads unprocessed batch keys again', async () => {
    const { record } = recorderAt(through.faulty);
    proxy.next('BatchGetItem', 'leave unprocessed');
    expect(await record(aClick())).toBe('recorded');
    expect(attempts('BatchGetItem')).toBe(2);
  });
});
