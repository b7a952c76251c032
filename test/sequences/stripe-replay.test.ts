import { expect, test } from '@jest/globals';
import { replay } from '../support/stripe/replay.ts';

test('generated payments with refunds and disputes, shuffled and doubled, equal an oracle in every month', async () => {
  for (const seed of [1, 2, 3]) {
    const { events, entries, statements, differences, sums } = await replay(4, 100, seed);
    expect(differences).toEqual([]);
    expect(events).toBeGreaterThan(1200);
    expect(entries).toBeGreaterThan(500);
    expect(statements).toBeGreaterThan(4 * 3 * 12);
    expect(Object.keys(sums).length).toBeGreaterThanOrEqual(36);
  }
});
