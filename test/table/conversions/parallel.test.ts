import { beforeEach, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { ReferralExists } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { ConversionResult } from '../../../functions/table/conversions.ts';
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

const aWay = () => ({ slug: advocate.slug, clickId: newId() });

/** Sends all at once; tells the answers and what was thrown. */
async function atOnce(requests: readonly ConversionInput[]) {
  const outcomes = await Promise.allSettled(requests.map((said) => track(table, program, said)));
  return {
    answers: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
    errors: outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
  };
}
const repeat = (said: () => ConversionInput) => Array.from({ length: 20 }, said);
const answerOf = ({ referral }: ConversionResult) => {
  const { id, email, customerUid, state, stateSetAt, createdAt, updatedAt } = referral;
  return { id, email, customerUid, state, stateSetAt, createdAt, updatedAt };
};

test('of 20 simultaneous conversions of one email, one creates a referral and 19 are ReferralExists', async () => {
  const email = anEmail();
  const { answers, errors } = await atOnce(repeat(() => ({ by: aWay(), email })));
  expect(answers).toHaveLength(1);
  expect(errors).toHaveLength(19);
  for (const error of errors) expect(error).toBeInstanceOf(ReferralExists);
  const referrals = expectConsistent(await itemsOf(table, program), program);
  expect(referrals.map(({ id }) => id)).toEqual(answers.map(({ referral }) => referral.id));
});

test('of 20 simultaneous conversions of one email and one click, the first one gets the click', async () => {
  const email = anEmail();
  const click = await aClick(table, program, advocate);
  const { answers } = await atOnce(repeat(() => ({ by: { slug: advocate.slug, clickId: click.id }, email })));
  expect(answers.map(({ referral }) => referral.id)).toEqual([click.id]);
  expect(expectConsistent(await itemsOf(table, program), program)).toMatchObject([{ id: click.id, email }]);
});

test.each([
  ['without a click', async () => aWay()],
  ['of a click', async () => ({ slug: advocate.slug, clickId: (await aClick(table, program, advocate)).id })],
  ['by uid', async () => ({ publicKey: program.publicKey, uid: 'partner-1' })],
])('20 equal requests with one key at once all get one answer, one of them not replayed: %s', async (_, make) => {
  const said = { by: await make(), email: anEmail(), key: newId() };
  const { answers, errors } = await atOnce(repeat(() => ({ ...said, newId: newId() })));
  expect(errors).toEqual([]);
  expect(answers).toHaveLength(20);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(new Set(answers.map((answer) => JSON.stringify(answerOf(answer)))).size).toBe(1);
  expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(1);
});

test('of 20 different requests with one key at once one succeeds, the others are idempotency_key_reused', async () => {
  const key = newId();
  const { answers, errors } = await atOnce(repeat(() => ({ by: aWay(), key })));
  expect(answers).toHaveLength(1);
  expect(errors.map(({ code }) => code)).toEqual(Array(19).fill('idempotency_key_reused'));
  expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(1);
});

test('of 20 customers who convert one click simultaneously, one gets its id and the others get new ones', async () => {
  const click = await aClick(table, program, advocate, { subId: 'news' });
  const requests = repeat(() => ({
    by: { slug: advocate.slug, clickId: click.id },
    email: anEmail(),
    newId: newId(),
  }));
  const { answers, errors } = await atOnce(requests);
  expect(errors).toEqual([]);
  const ids = answers.map(({ referral }) => referral.id);
  expect(ids.filter((id) => id === click.id)).toHaveLength(1);
  expect(new Set(ids).size).toBe(20);
  const fresh = ids.filter((id) => id !== click.id);
  for (const id of fresh) expect(requests.map((request) => request.newId)).toContain(id);
  expect(expectConsistent(await itemsOf(table, program), program)).toHaveLength(20);
});

test('conversions of different customers by one advocate do not stand in each other’s way', async () => {
  const { answers, errors } = await atOnce(repeat(() => ({ by: aWay() })));
  expect(errors).toEqual([]);
  expect(answers).toHaveLength(20);
});
