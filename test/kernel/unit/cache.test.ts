import { expect, test } from '@jest/globals';
import { LimitedMap, TtlCache } from '../../../functions/kernel/cache.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';

const START = 1_780_000_000_000;

test('a limited map drops its oldest entry for a new one, and none for a known key', () => {
  const map = new LimitedMap<number>(2).set('a', 1).set('b', 2);
  expect([...map.set('a', 3)]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  expect([...map.set('c', 4)]).toEqual([
    ['b', 2],
    ['c', 4],
  ]);
});

/** A cache whose clock the test moves. */
function cache(ttl?: number) {
  let now = START;
  let reads = 0;
  const ttlCache = new TtlCache<number>(() => milliseconds(now), ttl);
  const pass = (duration: number) => {
    now += duration;
  };
  return {
    pass,
    /** Returns the number of the read that loaded the value. A read takes `duration` milliseconds. */
    get: (duration: number) =>
      ttlCache.getOrLoad('key', async () => {
        reads += 1;
        const read = reads;
        pass(duration);
        return read;
      }),
  };
}

// A read returns the state at the time it was sent: the response may arrive long after.
test('a value expires 29 seconds after its request, however long the response takes', async () => {
  const { pass, get } = cache();
  expect(await get(9000)).toBe(1);
  pass(19_999);
  expect(await get(0)).toBe(1);
  pass(1);
  expect(await get(0)).toBe(2);
});

test('a value that is loaded again is the newest: the next one to be dropped is another', async () => {
  let now = START;
  const loads: string[] = [];
  const ttlCache = new TtlCache<string>(() => milliseconds(now));
  const get = (key: string) =>
    ttlCache.getOrLoad(key, async () => {
      loads.push(key);
      return key;
    });
  await get('first');
  await get('second');
  now += 29_000;
  await get('first');
  // Fills the cache of 1,000 entries, and one more.
  for (let count = 0; count < 999; count += 1) await get(`key ${count}`);
  loads.length = 0;
  await get('first');
  await get('second');
  expect(loads).toEqual(['second']);
});

test('loads of a key at the same time share one result, and a failure or a missing value is not kept', async () => {
  const loads = [Promise.reject(new Error('failed')), Promise.resolve(undefined), Promise.resolve(1)];
  const ttlCache = new TtlCache<number>(() => milliseconds(START));
  const get = () => ttlCache.getOrLoad('key', async () => loads.shift());
  const failed = [get(), get()];
  for (const result of failed) await expect(result).rejects.toThrow('failed');
  expect(await Promise.all([get(), get()])).toEqual([undefined, undefined]);
  expect([await get(), await get()]).toEqual([1, 1]);
});
