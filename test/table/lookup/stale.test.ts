import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { AmbiguousCustomer, ReferralNotFound } from '../../../functions/domain/errors.ts';
import type { CustomerReference } from '../../../functions/domain/referral/referral.ts';
import { emailKey } from '../../../functions/table/keys.ts';
import { lookUpReferral } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { newId } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

// The first read of a claim is eventually consistent: on AWS, it may show the claim as it was before the last write.
const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const lookUp = (names: Partial<CustomerReference>) =>
  lookUpReferral(proxied.faulty, program.id, { email: null, uid: null, id: null, ...names });
const by = { slug: advocate.slug, clickId: null };
const reads = () => proxy.seen.filter((operation) => /Get/.test(operation));
let email: string;
let uid: string;
let id: string;
beforeEach(async () => {
  email = anEmail();
  uid = newId();
  id = (await track(table, program, { by, email, uid })).referral.id;
});

/** The response to a batch read that shows the claim of the email as it is now, whatever happens later. */
async function claimAsNow(): Promise<Fault> {
  const claim = await itemAt(table, emailKey(program.id, email));
  return { response: { status: 200, body: { Responses: { [table.name]: [marshall(claim ?? {})] } } } };
}

describe('claims that the first read misses', () => {
  test.each(['email', 'uid'] as const)(
    'a claim that the first read misses is found by a consistent read: %s',
    async (field) => {
      proxy.isStale = true;
      expect(await lookUp({ [field]: { email, uid }[field] })).toMatchObject({ id });
      expect(reads()).toEqual(['BatchGetItem', 'BatchGetItem', 'GetItem']);
    },
  );

  test('a missed claim does not matter for other identifiers, which are read consistently', async () => {
    proxy.isStale = true;
    for (const names of [{ id }, { email, uid }, { email, id }, { uid, id }, { email, uid, id }]) {
      expect(await lookUp(names)).toMatchObject({ id });
    }
    await expect(lookUp({ email, uid: newId() })).rejects.toThrow(AmbiguousCustomer);
  });
});

describe('claims that the first read still shows', () => {
  test('a deleted claim does not lead to an erased person', async () => {
    proxy.next('BatchGetItem', await claimAsNow());
    await eraseReferral(table, program.id, id, 'merchant');
    await expect(lookUp({ email })).rejects.toThrow(ReferralNotFound);
    expect(reads()).toEqual(['BatchGetItem', 'GetItem', 'BatchGetItem']);
  });

  test('a deleted claim leads to the current owner of the email', async () => {
    proxy.next('BatchGetItem', await claimAsNow());
    await eraseReferral(table, program.id, id, 'merchant');
    const { referral } = await track(table, program, { by, email });
    expect(await lookUp({ email })).toMatchObject({ id: referral.id, email });
    expect(reads()).toEqual(['BatchGetItem', 'GetItem', 'BatchGetItem', 'GetItem']);
  });
});

describe('people who are erased between the reads', () => {
  test.each([
    ['email', () => ({ email })],
    ['email and uid', () => ({ email, uid })],
    ['email and id', () => ({ email, id })],
  ])('a person who is erased between the reads is not found by %s', async (_, names) => {
    beforeNext(proxied.faulty, 'GetItemCommand', () => eraseReferral(table, program.id, id, 'merchant'));
    await expect(lookUp(names())).rejects.toThrow(ReferralNotFound);
  });

  test('a person who is erased between the reads is found by id, without email and uid', async () => {
    beforeNext(proxied.faulty, 'GetItemCommand', () => eraseReferral(table, program.id, id, 'merchant'));
    expect(await lookUp({ id })).toMatchObject({ id, email: null, customerUid: null });
  });
});
