import { describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { InvalidAffiliate, ReferralExists } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { toReferralV2 } from '../../../functions/tracking/http/mapping.ts';
import { aClick, anAdvocate, newId } from '../../support/program.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({}, { uid: 'partner-1' });

/** Returns a request with a new idempotency key. */
const aRequest = (changes: Partial<ConversionInput> & { key?: string } = {}) => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  key: newId(),
  ...changes,
});

const REUSED = { code: 'idempotency_key_reused' };
const RETENTION = 7 * 24 * 60 * 60 * 1000;

describe('repeated requests', () => {
  test.each([
    ['creating a referral', async () => ({ subId: 'spring', uid: newId() })],
    [
      'converting a click',
      async () => {
        const click = await aClick(table, program, advocate, { subId: 'news' });
        return { by: { slug: advocate.slug, clickId: click.id } };
      },
    ],
    ['with public key and uid', async () => ({ by: { publicKey: program.publicKey, uid: 'partner-1' } })],
  ])('a repeated request returns the first response again and writes nothing: %s', async (_, make) => {
    const input = aRequest(await make());
    const first = await track(table, program, input);
    const hourLater = atTime(table, () => milliseconds(Date.now() + 3_600_000));
    await expectUnchanged(table, async () => {
      const again = await track(hourLater, program, input);
      expect(first.replayed).toBe(false);
      expect(again.replayed).toBe(true);
      expect(toReferralV2(again.referral)).toEqual(toReferralV2(first.referral));
    });
  });

  test('a repeated request is replayed before the affiliate is checked', async () => {
    const uid = newId();
    const own = await anAdvocate(table, program, { uid });
    const bySlug = aRequest({ by: { slug: own.slug, clickId: newId() } });
    const byUid = aRequest({ by: { publicKey: program.publicKey, uid } });
    const results = [await track(table, program, bySlug), await track(table, program, byUid)];
    await updateAdvocate(table, program.id, own.slug, { active: false });
    for (const [index, input] of [bySlug, byUid].entries()) {
      const again = await track(table, program, input);
      expect(again).toMatchObject({ replayed: true, referral: { id: results[index]?.referral.id } });
      await expect(track(table, program, { ...input, key: newId() })).rejects.toThrow(InvalidAffiliate);
    }
  });

  test('a repeated request is replayed for 7 days, even if the expired idempotency record still exists', async () => {
    const start = milliseconds(Math.floor(Date.now() / 1000) * 1000 + 500);
    const input = aRequest();
    const first = await track(
      atTime(table, () => start),
      program,
      input,
    );
    const second = first.referral.stateSetAt * 1000;
    const lastMoment = atTime(table, () => milliseconds(second + RETENTION - 1));
    expect(await track(lastMoment, program, input)).toMatchObject({ replayed: true });
    const expired = atTime(table, () => milliseconds(second + RETENTION));
    await expect(track(expired, program, input)).rejects.toThrow(ReferralExists);
    const other = { ...input, email: anEmail(), newId: newId() };
    const fresh = await track(expired, program, other);
    expect(fresh).toMatchObject({ replayed: false, referral: { id: other.newId } });
    expect(await track(expired, program, other)).toMatchObject({
      replayed: true,
      referral: { id: other.newId },
    });
  });
});

describe('keys that are reused with other fields', () => {
  // Every field is part of the fingerprint: `test/tracking/unit/conversion-fields.test.ts`.
  const OTHERS: readonly [string, (input: ConversionInput) => ConversionInput][] = [
    ['another email', (input) => ({ ...input, email: anEmail() })],
    ['another slug', (input) => ({ ...input, by: { ...input.by, slug: 'nobody' } })],
  ];

  test.each(OTHERS)(
    'a key with other fields fails with idempotency_key_reused and writes nothing: %s',
    async (_, change) => {
      const input = aRequest({ uid: newId(), subId: 'news' });
      await track(table, program, input);
      await expectUnchanged(table, async () => {
        await expect(track(table, program, change(input))).rejects.toMatchObject(REUSED);
      });
    },
  );
});

test('an idempotency key is scoped to its route', async () => {
  const input = aRequest();
  await track(table, program, input);
  const other = { ...input, route: 'POST /v2/tracking/conversion', email: anEmail() };
  expect(await track(table, program, other)).toMatchObject({ replayed: false });
  expect(await track(table, program, input)).toMatchObject({ replayed: true });
  expect(await track(table, program, other)).toMatchObject({ replayed: true });
});

test('errors are not stored: a retry with the same key may succeed', async () => {
  const own = await anAdvocate(table, program);
  const idle = await updateAdvocate(table, program.id, own.slug, { active: false });
  const known = anEmail();
  await track(table, program, aRequest({ email: known }));
  const input = aRequest({ by: { slug: own.slug, clickId: newId() } });
  await expectUnchanged(table, async () => {
    await expect(track(table, program, input)).rejects.toThrow(InvalidAffiliate);
    await expect(track(table, program, { ...aRequest(), email: known, key: input.key })).rejects.toThrow(
      ReferralExists,
    );
  });
  await updateAdvocate(table, program.id, idle.slug, { active: true });
  expect(await track(table, program, input)).toMatchObject({ replayed: false });
});
