import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { listTokens } from '../../../functions/table/operator/tokens.ts';
import { type ApiRequest, sendToHandlers } from '../../support/drivers.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

// A write is executed, but its response is lost: between DynamoDB and the service, or between the service and the caller.
const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let advocate: Advocate;
let other: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  other = await anAdvocate(table, program);
  token = await aToken(table, program);
});

const send = (request: Omit<ApiRequest, 'token'>) => sendToHandlers(proxied.faulty)({ token, ...request });
/** As many as the SDK makes. */
const EVERY_ATTEMPT = 4;
const UID_TAKEN = [409, 'uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.'];

interface Write {
  readonly name: string;
  /** The operation of DynamoDB that writes. */
  readonly writes: 'PutItem' | 'TransactWriteItems';
  readonly prepare: () => Promise<Omit<ApiRequest, 'token'>>;
  readonly status: number;
  /** The outcome of the same request after it was executed, if it is not the same status. */
  readonly again?: unknown[];
  /** True if the same request leaves the table as it is after it was executed. */
  readonly isRepeatable: boolean;
}

const aCustomer = () => ({ email: anEmail(), customerUid: newId() });
const WRITES: Write[] = [
  {
    name: 'an advocate with uid',
    writes: 'TransactWriteItems',
    prepare: async () => ({ operation: 'createAdvocate', body: { email: anEmail(), uid: newId(), first_name: 'Sam' } }),
    status: 201,
    again: UID_TAKEN,
    isRepeatable: true,
  },
  {
    name: 'an advocate without uid',
    writes: 'TransactWriteItems',
    prepare: async () => ({ operation: 'createAdvocate', body: { email: anEmail(), first_name: 'Sam' } }),
    status: 201,
    isRepeatable: false,
  },
  {
    name: 'a change of an advocate',
    writes: 'TransactWriteItems',
    prepare: async () => {
      const { slug } = await anAdvocate(table, program, { uid: newId() });
      return { operation: 'updateAdvocate', slug, body: { uid: newId(), first_name: 'Ana', commission_percentage: 5 } };
    },
    status: 200,
    isRepeatable: true,
  },
  {
    name: 'a token',
    writes: 'PutItem',
    prepare: async () => ({ operation: 'createAdvocateToken', slug: advocate.slug }),
    status: 201,
    isRepeatable: true,
  },
  {
    name: "the end of an advocate's tokens",
    writes: 'TransactWriteItems',
    prepare: async () => ({ operation: 'revokeAdvocateTokens', slug: advocate.slug }),
    status: 204,
    isRepeatable: false,
  },
  {
    name: 'a move',
    writes: 'PutItem',
    prepare: async () => {
      const { email } = await aReferral(table, program, advocate, aCustomer());
      return { operation: 'reassignReferral', body: { email, affiliate_slug: other.slug } };
    },
    status: 200,
    isRepeatable: true,
  },
  {
    name: 'an erasure by id',
    writes: 'TransactWriteItems',
    prepare: async () => {
      const { id } = await aReferral(table, program, advocate, aCustomer());
      return { operation: 'eraseCustomer', body: { id } };
    },
    status: 204,
    isRepeatable: true,
  },
  {
    name: 'an erasure by email',
    writes: 'TransactWriteItems',
    prepare: async () => {
      const { email } = await aReferral(table, program, advocate, aCustomer());
      return { operation: 'eraseCustomer', body: { email } };
    },
    status: 204,
    again: [404, 'referral_not_found', 'Referral not found'],
    isRepeatable: true,
  },
  {
    name: 'a click with an underscore that converts',
    writes: 'TransactWriteItems',
    prepare: async () => {
      const { id } = await aClick(table, program, advocate);
      return { operation: 'trackConversionV2', body: { gr_id: `${advocate.slug}_${id}`, uid: newId() } };
    },
    status: 201,
    again: [409, 'referral_exists', 'Referral already exists'],
    isRepeatable: true,
  },
];

/** The program's items without its tokens, whose keys do not start with the program. */
const stored = async () => {
  const items = await itemsOf(table, program);
  expectConsistent(items, program);
  return items;
};

describe.each(WRITES)('$name', ({ writes, prepare, status, again, isRepeatable }) => {
  test.each<[name: string, fault: Fault]>([
    ['lost', 'lose'],
    ['cut off', 'break off'],
    ['truncated', 'truncate'],
  ])('the write is made once if the response of DynamoDB is %s', async (_name, fault) => {
    const request = await prepare();
    const before = (await listTokens(table, program.id)).length;
    proxied.proxy.next(writes, fault);
    expect((await send(request)).status).toBe(status);
    expect(proxied.proxy.seen.filter((name) => name === writes)).toHaveLength(2);
    const after = await stored();
    const created = (await listTokens(table, program.id)).length - before;
    expect(created).toBe(Number(request.operation === 'createAdvocateToken'));
    // The same request over a working network shows whether the first one was executed completely.
    const repeated = await send(request);
    expect(outcomeOf(repeated)).toEqual(again ?? [status]);
    if (isRepeatable) expect(await stored()).toEqual(after);
  });

  test('a request whose responses are all lost returns 503, and a repetition loses nothing', async () => {
    const request = await prepare();
    proxied.proxy.next(writes, ...Array.from({ length: EVERY_ATTEMPT }, () => 'lose' as const));
    using log = jest.spyOn(console, 'error').mockReturnValue();
    const lost = await send(request);
    expect([lost.status, lost.headers['retry-after']]).toEqual([503, '1']);
    expect(log.mock.calls).toEqual([[expect.objectContaining({ error: 'unavailable' })]]);
    const after = await stored();
    expect(outcomeOf(await send(request))).toEqual(again ?? [status]);
    if (isRepeatable) expect(await stored()).toEqual(after);
  });
});
