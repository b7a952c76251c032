import { describe, expect, test } from '@jest/globals';
import { InvalidAffiliate, ReferralExists } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { setAdvocateActive } from '../../../functions/table/advocates.ts';
import { aClick, anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { anEmail, type ConversionInput, track } from '../../support/table/track.ts';
import { allItems, atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({}, { uid: 'partner-1' });

/** A request with an idempotency key of its own. */
const aRequest = (more: Partial<ConversionInput> & { key?: string } = {}) => ({
  by: { slug: advocate.slug, clickId: newId() },
  email: anEmail(),
  key: newId(),
  ...more,
});

const REUSED = { code: 'idempotency_key_reused' };
const KEPT_FOR = 7 * 24 * 60 * 60 * 1000;

async function unchanged(work: () => Promise<void>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('the same key with the same fields', () => {
  test.each([
    ['of a new referral', async () => ({})],
    [
      'of a click',
      async () => {
        const click = await aClick(table, program, advocate, { subId: 'news' });
        return { by: { slug: advocate.slug, clickId: click.id } };
      },
    ],
    ['by public key and uid', async () => ({ by: { publicKey: program.publicKey, uid: 'partner-1' } })],
    ['of a customer known by uid alone', async () => ({ email: null, uid: newId() })],
    ['with a sub id', async () => ({ subId: 'spring', uid: newId() })],
  ])('answers the first answer again and writes nothing: %s', async (_, make) => {
    const said = aRequest(await make());
    const first = await track(table, program, said);
    const { id, email, customerUid, state, stateSetAt, createdAt, updatedAt } = first.referral;
    const hourLater = atTime(table, () => milliseconds(Date.now() + 3_600_000));
    await unchanged(async () => {
      const again = await track(hourLater, program, said);
      expect(first.replayed).toBe(false);
      expect(again).toEqual({
        replayed: true,
        referral: { id, email, customerUid, state, stateSetAt, createdAt, updatedAt },
      });
    });
  });

  test('is returned before the affiliate is checked', async () => {
    const uid = newId();
    const own = await anAdvocate(table, program, { uid });
    const bySlug = aRequest({ by: { slug: own.slug, clickId: newId() } });
    const byUid = aRequest({ by: { publicKey: program.publicKey, uid } });
    const answers = [await track(table, program, bySlug), await track(table, program, byUid)];
    await setAdvocateActive(table, program.id, own, false, now());
    for (const [index, said] of [bySlug, byUid].entries()) {
      const again = await track(table, program, said);
      expect(again).toMatchObject({ replayed: true, referral: { id: answers[index]?.referral.id } });
      await expect(track(table, program, { ...said, key: newId() })).rejects.toThrow(InvalidAffiliate);
    }
  });

  test('is kept for 7 days to the second, and then counts as gone though its record is still there', async () => {
    const start = milliseconds(Math.floor(Date.now() / 1000) * 1000 + 500);
    const said = aRequest();
    const first = await track(
      atTime(table, () => start),
      program,
      said,
    );
    const second = first.referral.stateSetAt * 1000;
    const lastMoment = atTime(table, () => milliseconds(second + KEPT_FOR - 1));
    expect(await track(lastMoment, program, said)).toMatchObject({ replayed: true });
    const gone = atTime(table, () => milliseconds(second + KEPT_FOR));
    await expect(track(gone, program, said)).rejects.toThrow(ReferralExists);
    const other = { ...said, email: anEmail(), newId: newId() };
    const fresh = await track(gone, program, other);
    expect(fresh).toMatchObject({ replayed: false, referral: { id: other.newId } });
    expect(await track(gone, program, other)).toMatchObject({
      replayed: true,
      referral: { id: other.newId },
    });
  });
});

describe('the same key with other fields is idempotency_key_reused, and nothing is written', () => {
  const OTHERS: readonly [string, (said: ConversionInput) => ConversionInput][] = [
    ['another email', (said) => ({ ...said, email: anEmail() })],
    ['no email', (said) => ({ ...said, email: null })],
    ['another uid', (said) => ({ ...said, uid: 'another' })],
    ['no uid', (said) => ({ ...said, uid: null })],
    ['email and uid exchanged', (said) => ({ ...said, email: said.uid ?? null, uid: said.email ?? null })],
    ['another sub id', (said) => ({ ...said, subId: 'another' })],
    ['no sub id', (said) => ({ ...said, subId: null })],
    ['another click', (said) => ({ ...said, by: { slug: advocate.slug, clickId: newId() } })],
    ['another slug', (said) => ({ ...said, by: { ...said.by, slug: 'nobody' } })],
    ['another way', (said) => ({ ...said, by: { publicKey: program.publicKey, uid: 'partner-1' } })],
  ];

  test.each(OTHERS)('%s', async (_, change) => {
    const said = aRequest({ uid: newId(), subId: 'news' });
    await track(table, program, said);
    await unchanged(async () => {
      await expect(track(table, program, change(said))).rejects.toMatchObject(REUSED);
    });
  });

  test('also if the other request would have been refused', async () => {
    const said = aRequest();
    const known = aRequest();
    await track(table, program, said);
    await track(table, program, known);
    for (const other of [{ email: known.email }, { by: { slug: 'nobody', clickId: newId() } }]) {
      await expect(track(table, program, { ...said, ...other })).rejects.toMatchObject(REUSED);
    }
  });
});

describe('the name space of keys', () => {
  test('is of one route', async () => {
    const said = aRequest();
    await track(table, program, said);
    const other = { ...said, route: 'POST /v2/tracking/conversion', email: anEmail() };
    expect(await track(table, program, other)).toMatchObject({ replayed: false });
    expect(await track(table, program, said)).toMatchObject({ replayed: true });
    expect(await track(table, program, other)).toMatchObject({ replayed: true });
  });

  test('is of one program', async () => {
    const elsewhere = await aProgram(table);
    await anAdvocate(table, elsewhere, { slug: advocate.slug });
    const said = aRequest();
    const first = await track(table, program, said);
    const other = await track(table, elsewhere, said);
    expect(other.replayed).toBe(false);
    expect(other.referral.id).not.toBe(first.referral.id);
  });

  test('does not confuse the end of a route with the start of a key', async () => {
    await track(table, program, aRequest({ route: 'a', key: 'b c' }));
    expect(await track(table, program, aRequest({ route: 'a b', key: 'c' }))).toMatchObject({
      replayed: false,
    });
  });
});

test('errors are not kept: the same key may succeed later', async () => {
  const own = await anAdvocate(table, program);
  const idle = await setAdvocateActive(table, program.id, own, false, now());
  const known = anEmail();
  await track(table, program, aRequest({ email: known }));
  const said = aRequest({ by: { slug: own.slug, clickId: newId() } });
  await unchanged(async () => {
    await expect(track(table, program, said)).rejects.toThrow(InvalidAffiliate);
    await expect(track(table, program, { ...aRequest(), email: known, key: said.key })).rejects.toThrow(ReferralExists);
  });
  await setAdvocateActive(table, program.id, idle, true, now());
  expect(await track(table, program, said)).toMatchObject({ replayed: false });
});

test('without a key a repeated request is ReferralExists', async () => {
  const said = { ...aRequest(), key: undefined };
  await track(table, program, said);
  await expect(track(table, program, said)).rejects.toThrow(ReferralExists);
});
