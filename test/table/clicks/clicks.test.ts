import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate, InvalidField } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { setAdvocateActive } from '../../../functions/table/advocates.ts';
import { type Click, clickRecorder } from '../../../functions/table/clicks.ts';
import { referralKey } from '../../../functions/table/keys.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { listed, track } from '../../support/table/track.ts';
import { allItems, atTime, itemAt, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let foreign: Program;
let advocate: Advocate;
let stranger: Advocate;
beforeAll(async () => {
  program = await aProgram(table, { attributionDays: 30 });
  foreign = await aProgram(table);
  advocate = await anAdvocate(table, program, { commissionPercentage: 7.5 });
  stranger = await anAdvocate(table, foreign);
});

const aClick = (changes: Partial<Click> = {}): Click => ({
  publicKey: program.publicKey,
  slug: advocate.slug,
  clickId: newId(),
  subId: null,
  ...changes,
});
const record = (click: Click, at = table) => clickRecorder(at.clock)(at, click);

async function unchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('a click', () => {
  test('is recorded with all that its referral will need', async () => {
    const clickedAt = now();
    const click = aClick({ subId: 'news' });
    const at = atTime(table, () => milliseconds(clickedAt * 1000 + 999));
    expect(await record(click, at)).toBe('recorded');
    expect(await storedReferral(table, program, click.clickId)).toEqual({
      id: click.clickId,
      advocateSlug: advocate.slug,
      email: null,
      customerUid: null,
      state: 'clicked',
      stateSetAt: clickedAt,
      createdAt: clickedAt,
      updatedAt: clickedAt,
      convertedAt: null,
      subId: 'news',
      commissionPercentage: 7.5,
      commissionEndDate: null,
      expiresAt: clickedAt + 30 * 86_400,
      history: [{ state: 'clicked', setAt: clickedAt, by: 'visitor' }],
      idempotencyRecord: null,
      version: 1,
    });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('is deleted by the table when its time has come', async () => {
    const click = aClick();
    await record(click);
    const { expiresAt } = (await storedReferral(table, program, click.clickId)) ?? {};
    const item = await itemAt(table, referralKey(program.id, click.clickId));
    expect(item).toHaveProperty('expires_at', expiresAt);
  });

  test('holds nothing but what it needs: no address, no user agent', async () => {
    const click = aClick({ subId: 'news' });
    await record(click);
    const item = await itemAt(table, referralKey(program.id, click.clickId));
    expect(Object.keys(item ?? {}).sort()).toEqual(
      [
        ...['pk', 'sk', 'owner_state', 'owner_sub_id', 'created', 'state', 'state_set_at'],
        ...['created_at', 'updated_at', 'sub_id', 'rate', 'expires_at', 'version'],
      ].sort(),
    );
  });

  test('is listed at once, among the clicks only', async () => {
    const own = await anAdvocate(table, program);
    const click = aClick({ slug: own.slug, subId: 'news' });
    await record(click);
    for (const filters of [{ state: 'clicked' }, { state: 'clicked', subId: 'news' }] as const) {
      expect(await listed(table, program, own.slug, filters)).toMatchObject([{ id: click.clickId }]);
    }
    expect(await listed(table, program, own.slug)).toEqual([]);
    expect(await listed(table, program, own.slug, { subId: 'news' })).toEqual([]);
  });

  test('becomes the referral of its conversion', async () => {
    const click = aClick({ subId: 'news' });
    await record(click);
    const by = { slug: advocate.slug, clickId: click.clickId };
    const { referral } = await track(table, program, { by });
    expect(referral).toMatchObject({ id: click.clickId, state: 'converted' });
    expect(await storedReferral(table, program, click.clickId)).toMatchObject({ subId: 'news' });
  });
});

describe('a click that was recorded before is known, and stays as it was', () => {
  test.each([
    ['sent again', {}],
    ['with another sub id', { subId: 'another' }],
  ])('%s', async (_, changes) => {
    const click = aClick({ subId: 'news' });
    const later = atTime(table, () => milliseconds(Date.now() + 5000));
    await record(click);
    await unchanged(async () => expect(await record({ ...click, ...changes }, later)).toBe('known'));
  });

  test('by another advocate', async () => {
    const click = aClick();
    const other = await anAdvocate(table, program);
    await record(click);
    await unchanged(async () => expect(await record({ ...click, slug: other.slug })).toBe('known'));
  });

  test('when it was converted, paid or rejected since', async () => {
    const click = aClick();
    await record(click);
    await track(table, program, { by: { slug: advocate.slug, clickId: click.clickId } });
    await unchanged(async () => expect(await record(click)).toBe('known'));
    for (const state of ['paid', 'rejected'] as const) {
      await set(table, program, click.clickId, state);
      await unchanged(async () => expect(await record(click)).toBe('known'));
    }
  });

  test('but in another program it is another click', async () => {
    const click = aClick();
    await record(click);
    const other = { ...click, publicKey: foreign.publicKey, slug: stranger.slug };
    expect(await record(other)).toBe('recorded');
  });
});

describe('a click without a valid program and advocate is refused, and nothing is written', () => {
  const refuse = (click: Click, error: typeof InvalidField | typeof InvalidAffiliate) =>
    unchanged(() => expect(record(click)).rejects.toThrow(error));

  test.each([
    ['of no program', () => `pk_${newId().replaceAll('-', '')}`],
    ['of another form', () => 'pk_1'],
    ['in capitals', () => program.publicKey.toUpperCase()],
    ["a program's id", () => program.id],
    ['empty', () => ''],
  ])('with a public key that is %s: the field is named', async (_, publicKey) => {
    await refuse(aClick({ publicKey: publicKey() }), InvalidField);
    await expect(record(aClick({ publicKey: publicKey() }))).rejects.toThrow(/^pk must be/);
  });

  test.each([
    ['unknown', () => 'nobody'],
    ["another program's", () => stranger.slug],
  ])('with a slug that is %s', (_, slug) => refuse(aClick({ slug: slug() }), InvalidAffiliate));

  test('of a deactivated advocate, until it is active again', async () => {
    const own = await anAdvocate(table, program);
    const idle = await setAdvocateActive(table, program.id, own, false, now());
    const recorder = clickRecorder(table.clock);
    const click = aClick({ slug: own.slug });
    await expect(recorder(table, click)).rejects.toThrow(InvalidAffiliate);
    await setAdvocateActive(table, program.id, idle, true, now());
    expect(await recorder(table, click)).toBe('recorded');
  });
});
