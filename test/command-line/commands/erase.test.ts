import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ReferralNotFound } from '../../../functions/kernel/errors.ts';
import { LAST_SECOND, milliseconds, seconds } from '../../../functions/kernel/time.ts';
import type { CustomerReference } from '../../../functions/referrals/rules/referral.ts';
import { lookUpReferral } from '../../../functions/referrals/table/customers.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { conversionFingerprint } from '../../../functions/tracking/rules/conversion.ts';
import { reported } from '../../support/conversion.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { move, set } from '../../support/table/situations.ts';
import { anEmail, listed, track } from '../../support/table/track.ts';
import { allItems, atTime, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

const DAY = 86_400_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const erase = (id: string, at = table) => eraseReferral(at, program.id, id, 'operator');
const aRequest = () => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  uid: `customer-${newId()}`,
  subId: 'news',
  key: newId(),
});

/** Each value and hash in the table that leads to the person. */
function tracesOf({ by, email, uid, subId, key }: ReturnType<typeof aRequest>): string[] {
  const conversion = { attribution: by, reported: reported({ email, customerUid: uid, subId }) };
  const values = [email, uid, key];
  return [...values, ...values.map(sha256), conversionFingerprint(conversion)];
}

const remaining = async (traces: readonly string[]) => {
  const text = JSON.stringify(await allItems(table));
  return traces.filter((trace) => text.includes(trace));
};

/** The rows of an advocate in each index. */
const everyList = (slug: string) => {
  const always = { from: seconds(0), to: seconds(LAST_SECOND) };
  const filters = [{}, { state: 'paid' }, { subId: 'news' }, { stateSetAt: always }] as const;
  return Promise.all(filters.map((each) => listed(table, program, slug, each)));
};
const lookUp = async (names: Partial<CustomerReference>) =>
  (await lookUpReferral(table, program.id, { email: null, uid: null, id: null, ...names })).referral;

describe('erased people', () => {
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
    expect(await remaining(tracesOf(input))).toHaveLength(5);

    await eraseReferral(table, program.id, id, 'merchant');

    expect(await remaining(tracesOf(input))).toEqual([]);
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

  test('an erasure does not affect the next person with the email if another one runs in between', async () => {
    const input = aRequest();
    const { referral } = await track(table, program, input);
    const other = { ...input, by: { slug: advocate.slug, clickId: newId() }, newId: newId() };
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await erase(referral.id);
      await track(table, program, other);
    });
    await erase(referral.id);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(
      expect.objectContaining({ id: other.newId, email: input.email, customerUid: input.uid }),
    );
  });

  test('a person is erased if the Idempotency-Key has expired and now belongs to another request', async () => {
    const input = aRequest();
    const { referral } = await track(table, program, input);
    const weekLater = atTime(table, () => milliseconds(Date.now() + 8 * DAY));
    const other = { ...aRequest(), key: input.key, newId: newId() };
    await track(weekLater, program, other);
    await erase(referral.id, weekLater);
    const [email, uid] = tracesOf(input);
    expect(await remaining([email ?? '', uid ?? ''])).toEqual([]);
    expect(await track(weekLater, program, other)).toMatchObject({ replayed: true });
    expectConsistent(await itemsOf(table, program), program);
  });
});
