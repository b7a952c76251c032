import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate, InvalidField, UnknownPublicKey } from '../../../functions/domain/errors.ts';
import { type Program, publicKeyOf } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { recorderAt } from '../../support/table/controlled-clock.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

const aClick = (slug = advocate.slug, subId: string | null = null) => ({
  publicKey: program.publicKey,
  slug,
  clickId: newId(),
  subId,
});

describe('the cost of a click', () => {
  test.each([
    ['without a sub id', null, 2],
    ['with a sub id', 'newsletter', 3],
  ])('a click costs one read and one put if nothing is cached, %s', async (_, subId, writeUnits) => {
    const { record } = recorderAt(table);
    const first = await metered(table, () => record(aClick(advocate.slug, subId)));
    expect(first).toMatchObject({ result: 'recorded', requests: 2, readUnits: 2, writeUnits });
    const next = await metered(table, () => record(aClick(advocate.slug, subId)));
    expect(next).toMatchObject({ result: 'recorded', requests: 1, readUnits: 0, writeUnits });
  });

  test('a click that is already recorded costs only the put', async () => {
    const { record } = recorderAt(table);
    const click = aClick();
    await record(click);
    const again = await metered(table, () => record(click));
    expect(again).toMatchObject({ result: 'known', requests: 1, readUnits: 0 });
    expect(again.writeUnits).toBeLessThanOrEqual(3);
  });

  test('a click with a malformed public key costs no request', async () => {
    const { record } = recorderAt(table);
    const usage = await metered(table, () =>
      expect(record({ ...aClick(), publicKey: 'pk_1' })).rejects.toThrow(InvalidField),
    );
    expect(usage.requests).toBe(0);
  });
});

describe('the cache of programs and advocates', () => {
  test('the cache keeps them for 29 seconds after they are read', async () => {
    const { record, advance } = recorderAt(table);
    const requestsAfter = async (duration: number) => {
      advance(duration);
      return (await metered(table, () => record(aClick()))).requests;
    };
    expect(await requestsAfter(0)).toBe(2);
    expect(await requestsAfter(15_000)).toBe(1);
    expect(await requestsAfter(13_999)).toBe(1);
    expect(await requestsAfter(1)).toBe(2);
    expect(await requestsAfter(28_999)).toBe(1);
  });

  test('the cache has a separate entry for each advocate and each program', async () => {
    const { record } = recorderAt(table);
    const other = await anAdvocate(table, program);
    await record(aClick());
    expect(await metered(table, () => record(aClick(other.slug)))).toMatchObject({ requests: 2 });
    const elsewhere = await aProgram(table);
    const foreign = { ...aClick(), publicKey: elsewhere.publicKey };
    await expect(record(foreign)).rejects.toThrow(InvalidAffiliate);
  });

  test('the cache stops clicks of a deactivated advocate within 30 seconds', async () => {
    const own = await anAdvocate(table, program);
    const { record, advance } = recorderAt(table);
    await record(aClick(own.slug));
    await updateAdvocate(table, program.id, own.slug, { active: false });
    advance(29_000);
    await expect(record(aClick(own.slug))).rejects.toThrow(InvalidAffiliate);
  });

  test('the cache remembers an unknown program for ten seconds, whatever the slug', async () => {
    const { record, advance } = recorderAt(table);
    const publicKey = publicKeyOf(newId());
    const requestsAfter = async (duration: number, slug: string) => {
      advance(duration);
      const click = { ...aClick(slug), publicKey };
      return (await metered(table, () => expect(record(click)).rejects.toThrow(UnknownPublicKey))).requests;
    };
    expect(await requestsAfter(0, 'jane')).toBe(1);
    expect(await requestsAfter(0, 'joe')).toBe(0);
    expect(await requestsAfter(9999, 'jane')).toBe(0);
    expect(await requestsAfter(1, 'jane')).toBe(1);
    expect(await metered(table, () => record(aClick()))).toMatchObject({ result: 'recorded' });
  });

  test('the cache does not store that an advocate does not exist', async () => {
    const { record } = recorderAt(table);
    for (const attempt of [1, 2]) {
      const { requests } = await metered(table, () =>
        expect(record(aClick('nobody'))).rejects.toThrow(InvalidAffiliate),
      );
      expect([attempt, requests]).toEqual([attempt, 1]);
    }
  });
});
