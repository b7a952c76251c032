import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { ReferralExists } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { ConversionResult } from '../../../functions/table/referrals/conversions.ts';
import { aClick, anAdvocate, aProgram, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
});

const bySlug = () => ({ slug: advocate.slug, clickId: newId() });

/** Sends all requests simultaneously; returns the results and the errors. */
async function sendAll(requests: readonly ConversionInput[]) {
  const outcomes = await Promise.allSettled(requests.map((input) => track(table, program, input)));
  return {
    results: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
  };
}
const repeat = (makeInput: () => ConversionInput) => Array.from({ length: 20 }, makeInput);
const responseOf = ({ referral }: ConversionResult) => {
  const { id, email, customerUid, state, stateSetAt, createdAt, updatedAt } = referral;
  return { id, email, customerUid, state, stateSetAt, createdAt, updatedAt };
};

test('20 simultaneous conversions of one email create one referral and throw ReferralExists 19 times', async () => {
  const email = anEmail();
  const { results, errors } = await sendAll(repeat(() => ({ by: bySlug(), email })));
  expect(results).toHaveLength(1);
  expect(errors).toHaveLength(19);
  for (const error of errors) expect(error).toBeInstanceOf(ReferralExists);
  const referrals = expectConsistent(await itemsOf(table, program), program);
  expect(referrals.map(({ id }) => id)).toEqual(results.map(({ referral }) => referral.id));
});

test('20 simultaneous conversions with one email and one click convert the click once', async () => {
  const email = anEmail();
  const click = await aClick(table, program, advocate);
  const { results } = await sendAll(repeat(() => ({ by: { slug: advocate.slug, clickId: click.id }, email })));
  expect(results.map(({ referral }) => referral.id)).toEqual([click.id]);
  expect(expectConsistent(await itemsOf(table, program), program)).toMatchObject([{ id: click.id, email }]);
});

test.each([
  ['without a click', async () => bySlug()],
  ['with a click', async () => ({ slug: advocate.slug, clickId: (await aClick(table, program, advocate)).id })],
  ['with a uid', async () => ({ publicKey: program.publicKey, uid: 'partner-1' })],
])(
  '20 simultaneous identical requests with one key get the same response, 19 of them replayed: %s',
  async (_, make) => {
    const input = { by: await make(), email: anEmail(), key: newId() };
    const { results, errors } = await sendAll(repeat(() => ({ ...input, newId: newId() })));
    expect(errors).toEqual([]);
    expect(results).toHaveLength(20);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(results.map((result) => JSON.stringify(responseOf(result)))).size).toBe(1);
    expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(1);
  },
);

test('20 simultaneous requests that share a key but differ fail 19 times with idempotency_key_reused', async () => {
  const key = newId();
  const { results, errors } = await sendAll(repeat(() => ({ by: bySlug(), key })));
  expect(results).toHaveLength(1);
  expect(errors.map(({ code }) => code)).toEqual(Array(19).fill('idempotency_key_reused'));
  expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(1);
});

test('20 simultaneous customers with one click: one referral keeps its id, the others get new ids', async () => {
  const click = await aClick(table, program, advocate, { subId: 'news' });
  const requests = repeat(() => ({
    by: { slug: advocate.slug, clickId: click.id },
    email: anEmail(),
    newId: newId(),
  }));
  const { results, errors } = await sendAll(requests);
  expect(errors).toEqual([]);
  const ids = results.map(({ referral }) => referral.id);
  expect(ids.filter((id) => id === click.id)).toHaveLength(1);
  expect(new Set(ids).size).toBe(20);
  const fresh = ids.filter((id) => id !== click.id);
  for (const id of fresh) expect(requests.map((request) => request.newId)).toContain(id);
  expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(20);
});

test('simultaneous conversions of different customers for one advocate do not conflict', async () => {
  const { results, errors } = await sendAll(repeat(() => ({ by: bySlug() })));
  expect(errors).toEqual([]);
  expect(results).toHaveLength(20);
});
