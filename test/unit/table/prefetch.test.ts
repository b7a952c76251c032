import { describe, expect, test } from '@jest/globals';
import { prefetch } from '../../../functions/table/operator/referral-export.ts';

/** Sources whose pages are their names with numbers, and what was asked of them so far. */
function sources(lengths: readonly number[], failing = '') {
  const asked: string[] = [];
  async function* pages(source: number, length: number): AsyncGenerator<string, void> {
    for (let page = 0; page < length; page += 1) {
      asked.push(`${source}.${page}`);
      if (failing === `${source}.${page}`) throw new Error('failed');
      yield `${source}.${page}`;
    }
  }
  return { asked, made: lengths.map((length, source) => pages(source, length)) };
}

async function all(pages: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const page of pages) read.push(page);
  return read;
}

describe('reading ahead', () => {
  test.each([1, 2, 10])('of %d sources keeps every page in its order', async (atOnce) => {
    const { made } = sources([2, 0, 3, 1]);
    expect(await all(prefetch(made, atOnce))).toEqual(['0.0', '0.1', '2.0', '2.1', '2.2', '3.0']);
  });

  test('asks for the next page of the source in use, and for the first pages of those that follow', async () => {
    const { asked, made } = sources([3, 2, 2, 2]);
    const pages = prefetch(made, 2);
    expect(await pages.next()).toEqual({ done: false, value: '0.0' });
    expect(asked).toEqual(['0.0', '1.0', '2.0', '0.1']);
  });

  test('passes a failure on in its turn', async () => {
    const read: string[] = [];
    const { made } = sources([2, 2, 2], '1.0');
    const reading = (async () => {
      for await (const page of prefetch(made, 3)) read.push(page);
    })();
    await expect(reading).rejects.toThrow('failed');
    expect(read).toEqual(['0.0', '0.1']);
  });

  test('that is ended early is troubled by no failure that comes after', async () => {
    const { made } = sources([2, 2], '0.1');
    for await (const page of prefetch(made, 2)) {
      expect(page).toBe('0.0');
      break;
    }
  });
});
