import { describe, expect, test } from '@jest/globals';
import { isFulfilled, notExistsOrSame, unchangedSince } from '../../../../functions/kernel/dynamodb/conditions.ts';
import { Connection, openClient } from '../../../../functions/kernel/dynamodb/connection.ts';
import { prefetch } from '../../../../functions/kernel/dynamodb/prefetch.ts';
import { retryOnConflict } from '../../../../functions/kernel/dynamodb/table.ts';
import { Unavailable } from '../../../../functions/kernel/errors.ts';
import type { Random } from '../../../../functions/kernel/ids.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import type { Cause, State } from '../../../../functions/referrals/rules/state.ts';
import { transitionCondition } from '../../../../functions/referrals/table/transition-condition.ts';

const START = milliseconds(1_780_000_000_000);
const CONFLICT = { conflict: new Error('conflict') };
const LATE = milliseconds(START + 10_000);

/** Random bytes that select a fraction of the longest pause, from 0 (no pause) to 0xffff (almost all of it). */
const drawing = (share: number): Random => {
  return (count) => Buffer.alloc(count, Buffer.from([share >> 8, share & 0xff]));
};

/** Attempts that conflict a number of times, on a table whose clock moves only by their duration and their pauses. */
function attempts({ conflicts = Number.POSITIVE_INFINITY, share = 0xffff, duration = 0 } = {}) {
  const seen = { tries: 0, pauses: [] as number[] };
  let passed = 0;
  const client = openClient('http://127.0.0.1:9');
  const clock = () => milliseconds(START + passed);
  const pause = async (wait: number) => {
    seen.pauses.push(Math.round(wait));
    passed += wait;
  };
  const connection = new Connection({ tableName: 'no-table', client, clock, random: drawing(share), pause });
  const attempt = async () => {
    seen.tries += 1;
    passed += duration;
    return seen.tries > conflicts ? { result: 'done' } : CONFLICT;
  };
  return {
    seen,
    run: (deadline = LATE) => retryOnConflict(connection.until(deadline), attempt),
    backOff: (ceiling: number) => connection.until(LATE).backOff(ceiling),
    runWithLimit: (limit: number) => retryOnConflict(connection.withLimit(limit), attempt),
  };
}

describe('pauses after a conflict', () => {
  test('the longest pauses double from 10 milliseconds, or from the duration of an attempt, to four seconds', async () => {
    const short = attempts({ conflicts: 10 });
    expect(await short.run(milliseconds(START + 60_000))).toBe('done');
    expect(short.seen).toEqual({ tries: 11, pauses: [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 4000] });
    const long = attempts({ conflicts: 5, duration: 300 });
    await long.run(milliseconds(START + 60_000));
    expect(long.seen.pauses).toEqual([300, 600, 1200, 2400, 4000]);
  });

  test.each([
    ['none of it', 0, [0, 0, 0, 0, 0]],
    ['half of it', 0x8000, [5, 10, 20, 40, 80]],
  ])('each pause is a random part of the longest one: %s', async (_, share, pauses) => {
    const { seen, run } = attempts({ conflicts: 5, share });
    await run();
    expect(seen.pauses).toEqual(pauses);
  });

  test('only the deadline ends the tries, and the result is Unavailable with the conflict as its cause', async () => {
    const { seen, run } = attempts();
    await expect(run()).rejects.toMatchObject({ cause: CONFLICT.conflict, reason: 'TransactionConflict' });
    await expect(attempts().run()).rejects.toThrow(Unavailable);
    // At most half of the time that is left: no pause uses it up.
    const pauses = [10, 20, 40, 80, 160, 320, 640, 1280, 2560, 2445, 1222, 611, 306, 153, 76, 38, 19];
    expect(seen).toEqual({ tries: pauses.length + 1, pauses });
  });

  test('a pause that would reach the deadline does not start', async () => {
    const { seen, backOff } = attempts();
    await expect(backOff(20_000)).rejects.toThrow(Unavailable);
    await backOff(9_000);
    expect(seen.pauses).toEqual([9_000]);
  });
});

/** Written by hand: the condition of each transition. `from` narrows it to one state, or to a new item (`null`). */
const CONDITIONS: [cause: Cause, to: State, from: State | null | undefined, condition: string][] = [
  ['click', 'clicked', undefined, 'attribute_not_exists(pk)'],
  ['click', 'clicked', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', undefined, 'attribute_not_exists(pk) OR #state IN (:clicked)'],
  ['conversion', 'converted', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', 'clicked', '#state IN (:clicked)'],
  ['update', 'paid', undefined, '#state IN (:converted, :churned)'],
  ['update', 'paid', 'churned', '#state IN (:churned)'],
  ['update', 'churned', undefined, '#state IN (:converted, :paid)'],
  ['update', 'rejected', undefined, '#state IN (:clicked, :converted, :paid, :churned)'],
  ['update', 'converted', undefined, '(#state IN (:rejected)) AND attribute_exists(converted_at)'],
];

describe('the condition of a transition', () => {
  test.each(CONDITIONS)(
    'a transition by a %s to %s, from %p, has the expected condition',
    (cause, to, from, expression) => {
      const condition = transitionCondition(cause, to, from);
      expect(condition.ConditionExpression).toBe(expression);
      const states = [...expression.matchAll(/:(\w+)/g)].map(([, state]) => state);
      if (states.length === 0) {
        expect(Object.keys(condition)).toEqual(['ConditionExpression']);
        return;
      }
      expect(condition.ExpressionAttributeNames).toEqual({ '#state': 'state' });
      expect(condition.ExpressionAttributeValues).toEqual(
        Object.fromEntries(states.map((state) => [`:${state}`, state])),
      );
    },
  );
});

test('a condition on an attribute holds without the item only if it says so', () => {
  expect(isFulfilled(unchangedSince({ version: 1 }), undefined)).toBe(false);
  expect(isFulfilled(unchangedSince({ version: 1 }), { version: 2 })).toBe(false);
  expect(isFulfilled(notExistsOrSame('referral', '1'), undefined)).toBe(true);
});

/** Sources with pages such as `0.1` (source, page), and the pages requested so far. Reading `failing` fails. */
function makeSources(lengths: readonly number[], failing = '') {
  const requested: string[] = [];
  async function* pages(source: number, length: number): AsyncGenerator<string, void> {
    for (let page = 0; page < length; page += 1) {
      requested.push(`${source}.${page}`);
      if (failing === `${source}.${page}`) throw new Error('failed');
      yield `${source}.${page}`;
    }
  }
  return { requested, sources: lengths.map((length, source) => pages(source, length)) };
}

async function all(pages: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const page of pages) read.push(page);
  return read;
}

describe('prefetching', () => {
  test.each([1, 2, 10])('prefetching of %d sources at the same time keeps their pages in order', async (atOnce) => {
    const { sources } = makeSources([2, 0, 3, 1]);
    expect(await all(prefetch(sources, atOnce))).toEqual(['0.0', '0.1', '2.0', '2.1', '2.2', '3.0']);
  });

  test('prefetching requests the next page of the current source, and the first pages of the next sources', async () => {
    const { requested, sources } = makeSources([3, 2, 2, 2]);
    const pages = prefetch(sources, 2);
    expect(await pages.next()).toEqual({ done: false, value: '0.0' });
    expect(requested).toEqual(['0.0', '1.0', '2.0', '0.1']);
  });

  test('prefetching throws an error only after the pages before it', async () => {
    const read: string[] = [];
    const { sources } = makeSources([2, 2, 2], '1.0');
    const reading = (async () => {
      for await (const page of prefetch(sources, 3)) read.push(page);
    })();
    await expect(reading).rejects.toThrow('failed');
    expect(read).toEqual(['0.0', '0.1']);
  });
});
