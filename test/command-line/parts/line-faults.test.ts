import { expect, test } from '@jest/globals';
import { storingEach } from '../../../bin/admin/import/run.ts';
import { BatchStore } from '../../../functions/table/operator/batch-store.ts';

const nothing = new BatchStore({ write: async () => [], read: async () => [] });

test('an error of an unknown kind ends an import if the table cannot be read, such as after credentials expired', async () => {
  let calls = 0;
  const store = async (): Promise<never> => {
    calls += 1;
    throw new TypeError('of an unknown kind');
  };
  const cannotRead = () => Promise.reject(new Error('The credentials are expired.'));
  await expect(storingEach(nothing, store, cannotRead)(['a', 'b'])).rejects.toThrow('The credentials are expired.');
  expect(calls).toBe(1);
});
