import { describe, expect, jest, test } from '@jest/globals';
import { listTokens } from '../../../functions/program/operator/tokens.ts';
import { type ApiRequest, sendToHandlers } from '../../support/drivers.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

// A write is executed, but its response is lost: between DynamoDB and the service, or between the service and the caller.
const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const other = await anAdvocate(table, program);
const token = await aToken(table, program);

const send = (request: Omit<ApiRequest, 'token'>) => sendToHandlers(proxied.faulty)({ token, ...request });
/** As many as the SDK makes. */
const EVERY_ATTEMPT = 4;
const UID_TAKEN = [409, 'uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.'];

interface Write {
  /** The operation of DynamoDB that writes; `TransactWriteItems` by default. */
  readonly writes?: 'PutItem';
  readonly prepare: () => Promise<Omit<ApiRequest, 'token'>>;
  readonly status: number;
  /** The outcome of the same request after it was executed, if it is not the same status. */
  readonly again?: unknown[];
  /** True if the same request does something again after it was executed. */
  readonly isNew?: true;
}

const aCustomer = () => aReferral(table, program, advocate, { email: anEmail(), customerUid: newId() });
const NAMES = { first_name: 'Ana', commission_percentage: 5 };
const WRITES: Record<string, Write> = {
  'an advocate with uid': {
    prepare: async () => ({ operation: 'createAdvocate', body: { email: anEmail(), uid: newId(), ...NAMES } }),
    status: 201,
    again: UID_TAKEN,
  },
  'an advocate without uid': {
    prepare: async () => ({ operation: 'createAdvocate', body: { email: anEmail(), ...NAMES } }),
    status: 201,
    isNew: true,
  },
  'a change of an advocate': {
    prepare: async () => {
      const { slug } = await anAdvocate(table, program, { uid: newId() });
      return { operation: 'updateAdvocate', slug, body: { uid: newId(), ...NAMES } };
    },
    status: 200,
  },
  'a token': {
    writes: 'PutItem',
    prepare: async () => ({ operation: 'createAdvocateToken', slug: advocate.slug }),
    status: 201,
  },
  "the end of an advocate's tokens": {
    prepare: async () => ({ operation: 'revokeAdvocateTokens', slug: advocate.slug }),
    status: 204,
    isNew: true,
  },
  'a move': {
    writes: 'PutItem',
    prepare: async () => {
      const { email } = await aCustomer();
      return { operation: 'reassignReferral', body: { email, affiliate_slug: other.slug } };
    },
    status: 200,
  },
  'an erasure by id': {
    prepare: async () => ({ operation: 'eraseCustomer', body: { id: (await aCustomer()).id } }),
    status: 204,
  },
  'an erasure by email': {
    prepare: async () => ({ operation: 'eraseCustomer', body: { email: (await aCustomer()).email } }),
    status: 204,
    again: [404, 'referral_not_found', 'Referral not found'],
  },
  'a click with an underscore that converts': {
    prepare: async () => {
      const { id } = await aClick(table, program, advocate);
      return { operation: 'trackConversionV2', body: { gr_id: `${advocate.slug}_${id}`, uid: newId() } };
    },
    status: 201,
    again: [409, 'referral_exists', 'Referral already exists'],
  },
};

/** The program's items without its tokens, whose keys do not start with the program. */
const stored = async () => {
  const items = await itemsOf(table, program);
  expectConsistent(items, program);
  return items;
};

describe.each(Object.entries(WRITES))('%s', (_name, { writes = 'TransactWriteItems', ...write }) => {
  const { prepare, status, again, isNew } = write;
  test.each<Fault>(['lose', 'break off', 'truncate'])('the write is made once with the fault "%s"', async (fault) => {
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
    if (!isNew) expect(await stored()).toEqual(after);
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
    if (!isNew) expect(await stored()).toEqual(after);
  });
});
