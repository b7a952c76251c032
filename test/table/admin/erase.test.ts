import { createHash } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { conversionFingerprint } from '../../../functions/domain/conversion.ts';
import { ReferralNotFound } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { idempotencyRecordKey } from '../../../functions/table/keys.ts';
import { eraseReferral, findReferralId } from '../../../functions/table/referrals.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { allItems, atTime, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();

const DAY = 86_400_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const erase = (id: string, at = table) => eraseReferral(at, program.id, id);
const aRequest = () => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  uid: `customer-${newId()}`,
  subId: 'news',
  key: newId(),
});

/** Every value and hash in the table that could lead to the person. */
function tracesOf({ by, email, uid, subId, key }: ReturnType<typeof aRequest>): string[] {
  const conversion = { customer: { email, uid }, attribution: by, subId };
  const values = [email, uid, key];
  return [...values, ...values.map(sha256), conversionFingerprint(conversion)];
}

const leftOf = async (traces: readonly string[]) => {
  const text = JSON.stringify(await allItems(table));
  return traces.filter((trace) => text.includes(trace));
};
async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('an erased person', () => {
  test('leaves no email, uid or key in the table, and no hash of them or of the request', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    // Without this check, the test could search for values that are never stored.
    const hashes = [said.email, said.uid].map(sha256);
    const fingerprint = tracesOf(said).slice(-1);
    expect(await leftOf(tracesOf(said))).toEqual([said.email, said.uid, ...hashes, ...fingerprint]);
    await erase(referral.id);
    expect(await leftOf(tracesOf(said))).toEqual([]);
    const items = (await allItems(table)).filter((item) => JSON.stringify(item).includes(referral.id));
    expect(items.map(({ sk }) => sk)).toEqual(['REFERRAL']);
  });

  test.each([
    ['an email', { uid: null, key: undefined }],
    ['a uid', { email: null, key: undefined }],
    ['both', { key: undefined }],
    ['both and an Idempotency-Key', {}],
  ])('leaves a consistent referral: %s', async (_, less: Partial<ConversionInput>) => {
    const said = { ...aRequest(), ...less };
    const { referral } = await track(table, program, said);
    await set(table, program, referral.id, 'paid');
    const before = await storedReferral(table, program, referral.id);
    expect(await erase(referral.id)).toEqual(before);
    const after = await storedReferral(table, program, referral.id);
    expect(after).toEqual({
      ...before,
      email: null,
      customerUid: null,
      idempotencyRecord: null,
      updatedAt: after?.updatedAt,
      version: 3,
    });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('is no longer found, and email, uid and key can be used again', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    await erase(referral.id);
    for (const customer of [
      { email: said.email, uid: null },
      { email: null, uid: said.uid },
    ]) {
      await expect(findReferralId(table, program.id, customer)).rejects.toThrow(ReferralNotFound);
    }
    const again = await track(table, program, said);
    expect(again).toMatchObject({ replayed: false, referral: { email: said.email, customerUid: said.uid } });
    expect(again.referral.id).not.toBe(referral.id);
    expectConsistent(await itemsOf(table, program), program);
  });

  test('is erased once: a repetition changes nothing', async () => {
    const { referral } = await track(table, program, aRequest());
    await erase(referral.id);
    await unchanged(async () => {
      expect(await erase(referral.id)).toMatchObject({ email: null, customerUid: null });
    });
  });

  test('is erased once by 20 simultaneous attempts', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    await Promise.all(Array.from({ length: 20 }, () => erase(referral.id)));
    expect(await leftOf(tracesOf(said))).toEqual([]);
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ version: 2 });
  });

  test('keeps the claims of the next person with the email if another erasure comes in between', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    const other = { ...said, by: { slug: advocate.slug, clickId: newId() }, newId: newId() };
    beforeNext(table, 'TransactWriteItemsCommand', async () => {
      await erase(referral.id);
      await track(table, program, other);
    });
    await erase(referral.id);
    expect(expectConsistent(await itemsOf(table, program), program)).toContainEqual(
      expect.objectContaining({ id: other.newId, email: said.email, customerUid: said.uid }),
    );
  });

  test('keeps a state that is set in between', async () => {
    const { referral } = await track(table, program, aRequest());
    beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, referral.id, 'paid'));
    await erase(referral.id);
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ email: null, state: 'paid' });
  });

  test('is erased if the idempotency record has expired and was deleted', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    const { idempotencyRecord } = (await storedReferral(table, program, referral.id)) ?? {};
    const Key = idempotencyRecordKey(program.id, idempotencyRecord ?? '');
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    await erase(referral.id);
    expect(await leftOf(tracesOf(said))).toEqual([]);
  });

  test('is erased if the Idempotency-Key has expired and now belongs to another request', async () => {
    const said = aRequest();
    const { referral } = await track(table, program, said);
    const weekLater = atTime(table, () => milliseconds(Date.now() + 8 * DAY));
    const other = { ...aRequest(), key: said.key, newId: newId() };
    await track(weekLater, program, other);
    await erase(referral.id, weekLater);
    const [email, uid] = tracesOf(said);
    expect(await leftOf([email ?? '', uid ?? ''])).toEqual([]);
    expect(await track(weekLater, program, other)).toMatchObject({ replayed: true });
    expectConsistent(await itemsOf(table, program), program);
  });
});

test('a click has no person: it stays unchanged', async () => {
  const click = await aClick(table, program, advocate);
  await unchanged(async () => expect(await erase(click.id)).toEqual(click));
});

test.each([
  ['an unknown id', async () => newId()],
  [
    "another program's",
    async () => {
      const other = await aProgram(table);
      return (await aReferral(table, other, await anAdvocate(table, other))).id;
    },
  ],
])('%s is ReferralNotFound, and nothing is erased', async (_, make) => {
  const id = await make();
  await unchanged(() => expect(erase(id)).rejects.toThrow(ReferralNotFound));
});
