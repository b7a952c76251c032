import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ReferralNotFound } from '../../../functions/domain/errors.ts';
import { conversionFingerprint } from '../../../functions/domain/referral/conversion.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { findReferralId } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { reported } from '../../support/conversion.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
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

/** Every value and hash in the table that could identify the person. */
function tracesOf({ by, email, uid, subId, key }: ReturnType<typeof aRequest>): string[] {
  const conversion = { attribution: by, reported: reported({ email, customerUid: uid, subId }) };
  const values = [email, uid, key];
  return [...values, ...values.map(sha256), conversionFingerprint(conversion)];
}

const remaining = async (traces: readonly string[]) => {
  const text = JSON.stringify(await allItems(table));
  return traces.filter((trace) => text.includes(trace));
};

describe('erased people', () => {
  test('an erased person leaves no email, uid or key in the table, and no hash of them or of the request', async () => {
    const input = aRequest();
    const { referral } = await track(table, program, input);
    // Without this check, the test could search for values that are never stored.
    const hashes = [input.email, input.uid].map(sha256);
    const fingerprint = tracesOf(input).slice(-1);
    expect(await remaining(tracesOf(input))).toEqual([input.email, input.uid, ...hashes, ...fingerprint]);
    await erase(referral.id);
    expect(await remaining(tracesOf(input))).toEqual([]);
    const items = (await allItems(table)).filter((item) => JSON.stringify(item).includes(referral.id));
    expect(items.map(({ sk }) => sk)).toEqual(['REFERRAL']);
  });

  test.each([
    ['a uid', { email: null, key: undefined }],
    ['both and an Idempotency-Key', {}],
  ])('an erased person leaves a consistent referral: %s', async (_, overrides: Partial<ConversionInput>) => {
    const input = { ...aRequest(), ...overrides };
    const { referral } = await track(table, program, input);
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
      history: [...(before?.history ?? []), { type: 'erasure', setAt: after?.updatedAt, by: 'operator' }],
      version: 3,
    });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('an erased person can no longer be found, and the email, uid and key can be used again', async () => {
    const input = aRequest();
    const { referral } = await track(table, program, input);
    await erase(referral.id);
    for (const customer of [
      { email: input.email, uid: null },
      { email: null, uid: input.uid },
    ]) {
      await expect(findReferralId(table, program.id, { id: null, ...customer })).rejects.toThrow(ReferralNotFound);
    }
    const again = await track(table, program, input);
    expect(again).toMatchObject({ replayed: false, referral: { email: input.email, customerUid: input.uid } });
    expect(again.referral.id).not.toBe(referral.id);
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a person is erased once by 20 simultaneous attempts', async () => {
    const input = aRequest();
    const { referral } = await track(table, program, input);
    await Promise.all(Array.from({ length: 20 }, () => erase(referral.id)));
    expect(await remaining(tracesOf(input))).toEqual([]);
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ version: 2 });
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

  test('an erasure keeps a state that is set in between', async () => {
    const { referral } = await track(table, program, aRequest());
    beforeNext(table, 'TransactWriteItemsCommand', () => set(table, program, referral.id, 'paid'));
    await erase(referral.id);
    expect(await storedReferral(table, program, referral.id)).toMatchObject({ email: null, state: 'paid' });
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
