import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { ReferralNotFound } from '../../../functions/domain/errors.ts';
import type { CustomerReference } from '../../../functions/domain/referral/referral.ts';
import { LAST_SECOND, seconds } from '../../../functions/domain/time.ts';
import { lookUpReferral } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { aClick, anAdvocate, newId } from '../../support/program.ts';
import { move, set } from '../../support/table/situations.ts';
import { anEmail, listed, track } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();

const aRequest = () => ({ email: anEmail(), uid: `customer-${newId()}`, key: newId() });

/** The rows of an advocate in each index. */
const everyList = (slug: string) => {
  const always = { from: seconds(0), to: seconds(LAST_SECOND) };
  const filters = [{}, { state: 'paid' }, { subId: 'news' }, { stateSetAt: always }] as const;
  return Promise.all(filters.map((each) => listed(table, program, slug, each)));
};
const lookUp = (names: Partial<CustomerReference>) =>
  lookUpReferral(table, program.id, { email: null, uid: null, id: null, ...names });

/** Each value in the table that leads to the person, and each hash of one. */
const tracesOf = ({ email, uid, key }: ReturnType<typeof aRequest>) => {
  const values = [email, uid, key];
  return [...values, ...values.map((value) => createHash('sha256').update(value).digest('hex'))];
};
const text = async () => JSON.stringify(await allItems(table));

test('an erased person leaves no value, hash or flag in any item or index, and is found by id only', async () => {
  const local = newId();
  const own = await anAdvocate(table, program, { email: `${local}@gmail.com` });
  const other = await anAdvocate(table, program, { email: `${local}+partner@googlemail.com` });
  const by = { slug: own.slug, clickId: (await aClick(table, program, own, { subId: 'news' })).id };
  const input = { ...aRequest(), by, email: `${local}+shop@gmail.com` };
  const { id } = (await track(table, program, input)).referral;
  await set(table, program, id, 'paid');
  const { flags, history, updatedAt, version } = await move(table, program, id, other.slug);
  expect([flags, version]).toEqual([['self_referral'], 4]);
  const rows = Array(4).fill([expect.objectContaining({ id, flags })]);
  expect([await everyList(own.slug), await everyList(other.slug)]).toEqual([Array(4).fill([]), rows]);
  // Without this check, the test could search for values that are never stored.
  const before = await text();
  expect(tracesOf(input).filter((trace) => before.includes(trace))).toHaveLength(4);

  await eraseReferral(table, program.id, id, 'merchant');

  const after = await text();
  expect(tracesOf(input).filter((trace) => after.includes(trace))).toEqual([]);
  const items = (await allItems(table)).filter((item) => JSON.stringify(item).includes(id));
  expect(items).toMatchObject([{ sk: 'REFERRAL' }]);
  for (const field of ['email', 'uid', 'flags', 'idempotency_record']) expect(items[0]).not.toHaveProperty(field);
  const erased = { id, email: null, customerUid: null, flags: [] };
  expect(await everyList(other.slug)).toEqual(Array(4).fill([expect.objectContaining(erased)]));
  for (const names of [{ email: input.email }, { uid: input.uid }, { email: input.email, uid: input.uid }]) {
    await expect(lookUp(names)).rejects.toThrow(ReferralNotFound);
  }
  const found = await lookUp({ id });
  expect(found).toMatchObject({ ...erased, advocateSlug: other.slug, state: 'paid', subId: 'news' });
  expect(found.history).toEqual([...history, { type: 'erasure', setAt: found.updatedAt, by: 'merchant' }]);
  expect(found.updatedAt).toBeGreaterThanOrEqual(updatedAt);
});
