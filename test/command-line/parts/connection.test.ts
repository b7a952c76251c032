import { expect, test } from '@jest/globals';
import { onTable } from '../../../bin/admin/target.ts';
import { CONFLICT, Unavailable } from '../../../functions/domain/errors.ts';

/** The port of the discard service: no test sends a request. */
const ENVIRONMENT = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };

test.each([
  ['conflicts', CONFLICT, 'Other requests changed the same data at the same time. Run the command again.'],
  ['is throttled', 'ThrottlingError', 'DynamoDB is busy (ThrottlingError). Try again later.'],
  [
    'gets no response',
    undefined,
    'No DynamoDB responds at http://127.0.0.1:9. Start it, or correct DYNAMODB_ENDPOINT.',
  ],
])('a command that %s says so, and what to do', async (_, reason, sentence) => {
  const work = () => Promise.reject(new Unavailable(undefined, reason));
  await expect(onTable(ENVIRONMENT, work)).rejects.toMatchObject({ status: 1, message: sentence });
});
