import { describe, expect, test } from '@jest/globals';
import { prefetch } from '../../../functions/table/dynamodb/prefetch.ts';

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
