import { expect, test } from '@jest/globals';
import { Unavailable } from '../../functions/domain/errors.ts';
import { unavailableOnFailure } from '../../functions/integrations/queue.ts';

test('a queue that cannot be reached is unavailable, and one that rejects messages returns them', async () => {
  const failing = unavailableOnFailure({ send: () => Promise.reject(new Error('made by a test')) });
  await expect(failing.send([])).rejects.toThrow(Unavailable);
  const rejecting = unavailableOnFailure({ send: async () => new Set([1]) });
  expect(await rejecting.send([])).toEqual(new Set([1]));
});
