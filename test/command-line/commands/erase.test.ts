import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { conversionFingerprint } from '../../../functions/domain/referral/conversion.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { reported } from '../../support/conversion.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { newId } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { anEmail, track } from '../../support/table/track.ts';
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
