import { marshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { emailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { AmbiguousCustomer, ReferralNotFound } from '../../../functions/kernel/errors.ts';
import type { CustomerReference } from '../../../functions/referrals/rules/referral.ts';
import { findReferralId, lookUpReferral } from '../../../functions/referrals/table/customers.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { type Fault, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { newId } from '../../support/program.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const by = { slug: advocate.slug, clickId: null };

type Names = Partial<CustomerReference>;
const reference = (names: Names): CustomerReference => ({ email: null, uid: null, id: null, ...names });
const lookUp = (names: Names, of: Program = program) => lookUpReferral(table, of.id, reference(names));
const findId = (names: Names, of: Program = program) => findReferralId(table, of.id, reference(names));

/** A referral whose customer has an email and a uid. */
async function aCustomer() {
  const { email, uid } = { email: anEmail(), uid: newId() };
  const { referral } = await track(table, program, { by, email, uid });
  return { email, uid, id: referral.id };
}

/** Every way to name a customer. */
const WAYS: readonly (readonly [string, (keyof CustomerReference)[]])[] = [
  ['email', ['email']],
  ['uid', ['uid']],
  ['id', ['id']],
  ['email and uid', ['email', 'uid']],
  ['email and id', ['email', 'id']],
  ['uid and id', ['uid', 'id']],
  ['email, uid and id', ['email', 'uid', 'id']],
];
const pick = (names: CustomerReference, fields: readonly (keyof CustomerReference)[]): Names =>
  Object.fromEntries(fields.map((field) => [field, names[field]]));

test.each(WAYS)('a customer identified by %s is found', async (_, fields) => {
  const customer = await aCustomer();
  await aCustomer();
  const { referral: found, brought } = await lookUp(pick(customer, fields));
  expect(brought).toEqual({ payments: 0, money: [] });
  expect(found).toEqual(await storedReferral(table, program, customer.id));
  expect(found).toMatchObject({ id: customer.id, email: customer.email, customerUid: customer.uid });
  expect(await findId(pick(customer, fields))).toBe(customer.id);
});

describe('identifiers of different customers', () => {
  const COMBINATIONS = WAYS.filter(([, fields]) => fields.length > 1);

  test.each(COMBINATIONS)('identifiers throw AmbiguousCustomer if one is unknown: %s', async (_, fields) => {
    const customer = await aCustomer();
    const nobody = { email: anEmail(), uid: newId(), id: newId() };
    for (const field of fields) {
      const names = { ...pick(customer, fields), [field]: nobody[field] };
      await expect(lookUp(names)).rejects.toThrow(AmbiguousCustomer);
      await expect(findId(names)).rejects.toThrow(AmbiguousCustomer);
    }
  });
});

// The first read of a claim is eventually consistent: on AWS, it may show the claim as it was before the last write.
const lookUpThrough = (names: Names) => lookUpReferral(proxied.faulty, program.id, reference(names));
const reads = () => proxy.seen.filter((operation) => /Get/.test(operation));
let [email, uid, id] = ['', '', ''];
beforeEach(async () => {
  ({ email, uid, id } = await aCustomer());
});

/** The response to a batch read that shows the claim of the email as it is now, whatever happens later. */
async function claimAsNow(): Promise<Fault> {
  const claim = await itemAt(table, emailKey(program.id, email));
  return { response: { status: 200, body: { Responses: { [table.name]: [marshall(claim ?? {})] } } } };
}

test.each(['email', 'uid'] as const)(
  'a claim that the first read misses is found by a consistent read: %s',
  async (field) => {
    proxy.isStale = true;
    expect(await lookUpThrough({ [field]: { email, uid }[field] })).toMatchObject({ referral: { id } });
    expect(reads()).toEqual(['BatchGetItem', 'BatchGetItem', 'BatchGetItem']);
  },
);

test('a deleted claim leads to the current owner of the email', async () => {
  proxy.next('BatchGetItem', await claimAsNow());
  await eraseReferral(table, program.id, id, 'merchant');
  const { referral } = await track(table, program, { by, email });
  expect(await lookUpThrough({ email })).toMatchObject({ referral: { id: referral.id, email } });
  expect(reads()).toEqual(Array(4).fill('BatchGetItem'));
});

describe('people who are erased between the reads', () => {
  test.each([
    ['email', () => ({ email })],
    ['email and uid', () => ({ email, uid })],
    ['email and id', () => ({ email, id })],
  ])('a person who is erased between the reads is not found by %s', async (_, names) => {
    beforeNext(proxied.faulty, 'BatchGetItemCommand', () => eraseReferral(table, program.id, id, 'merchant'), 1);
    await expect(lookUpThrough(names())).rejects.toThrow(ReferralNotFound);
  });

  test('a person who is erased between the reads is found by id, without email and uid', async () => {
    beforeNext(proxied.faulty, 'BatchGetItemCommand', () => eraseReferral(table, program.id, id, 'merchant'));
    expect(await lookUpThrough({ id })).toMatchObject({ referral: { id, email: null, customerUid: null } });
  });
});
