import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { InvalidAffiliate, InvalidField } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { NO_VALUES } from '../../../functions/domain/referral/referral-fields.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { referralKey } from '../../../functions/table/keys.ts';
import { type Click, clickRecorder } from '../../../functions/table/referrals/clicks.ts';
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

async function expectUnchanged(work: () => Promise<unknown>): Promise<void> {
  const before = await allItems(table);
  await work();
  expect(await allItems(table)).toEqual(before);
}

describe('clicks', () => {
  test('a click is recorded with all fields that its referral needs', async () => {
    const clickedAt = now();
    const click = aClick({ subId: 'news' });
    const at = atTime(table, () => milliseconds(clickedAt * 1000 + 999));
    expect(await record(click, at)).toBe('recorded');
    expect(await storedReferral(table, program, click.clickId)).toEqual({
      ...NO_VALUES,
      id: click.clickId,
      advocateSlug: advocate.slug,
      state: 'clicked',
      stateSetAt: clickedAt,
      createdAt: clickedAt,
      updatedAt: clickedAt,
      subId: 'news',
      commissionPercentage: 7.5,
      expiresAt: clickedAt + 30 * 86_400,
      history: [{ type: 'state', state: 'clicked', setAt: clickedAt, by: 'visitor' }],
      stripe: null,
      version: 1,
    });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a click has a TTL attribute, so that the table deletes it when it expires', async () => {
    const click = aClick();
    await record(click);
    const { expiresAt } = (await storedReferral(table, program, click.clickId)) ?? {};
    const item = await itemAt(table, referralKey(program.id, click.clickId));
    expect(item).toHaveProperty('expires_at', expiresAt);
  });

  test('a click stores only the required attributes: no IP address and no user agent', async () => {
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

  test('a click is listed immediately, and only in the click lists', async () => {
    const own = await anAdvocate(table, program);
    const click = aClick({ slug: own.slug, subId: 'news' });
    await record(click);
    for (const filters of [{ state: 'clicked' }, { state: 'clicked', subId: 'news' }] as const) {
      expect(await listed(table, program, own.slug, filters)).toMatchObject([{ id: click.clickId }]);
    }
    expect(await listed(table, program, own.slug)).toEqual([]);
    expect(await listed(table, program, own.slug, { subId: 'news' })).toEqual([]);
  });

  test('a click becomes a referral when it converts', async () => {
    const click = aClick({ subId: 'news' });
    await record(click);
    const by = { slug: advocate.slug, clickId: click.clickId };
    const { referral } = await track(table, program, { by });
    expect(referral).toMatchObject({ id: click.clickId, state: 'converted' });
    expect(await storedReferral(table, program, click.clickId)).toMatchObject({ subId: 'news' });
  });
});

describe('clicks that are already recorded', () => {
  test.each([
    ['if it is sent again', {}],
    ['if it is sent with another sub id', { subId: 'another' }],
  ])('a recorded click returns known and remains unchanged %s', async (_, changes) => {
    const click = aClick({ subId: 'news' });
    const later = atTime(table, () => milliseconds(Date.now() + 5000));
    await record(click);
    await expectUnchanged(async () => expect(await record({ ...click, ...changes }, later)).toBe('known'));
  });

  test('a recorded click remains unchanged if it is sent for another advocate', async () => {
    const click = aClick();
    const other = await anAdvocate(table, program);
    await record(click);
    await expectUnchanged(async () => expect(await record({ ...click, slug: other.slug })).toBe('known'));
  });

  test('a recorded click remains unchanged if it has since been converted, paid or rejected', async () => {
    const click = aClick();
    await record(click);
    await track(table, program, { by: { slug: advocate.slug, clickId: click.clickId } });
    await expectUnchanged(async () => expect(await record(click)).toBe('known'));
    for (const state of ['paid', 'rejected'] as const) {
      await set(table, program, click.clickId, state);
      await expectUnchanged(async () => expect(await record(click)).toBe('known'));
    }
  });

  test('a recorded click that is sent for another program is a separate click there', async () => {
    const click = aClick();
    await record(click);
    const other = { ...click, publicKey: foreign.publicKey, slug: stranger.slug };
    expect(await record(other)).toBe('recorded');
  });
});

describe('clicks without a valid program and advocate', () => {
  const expectRejected = (click: Click, error: typeof InvalidField | typeof InvalidAffiliate) =>
    expectUnchanged(() => expect(record(click)).rejects.toThrow(error));

  test.each([
    ['unknown', () => `pk_${newId().replaceAll('-', '')}`],
    ['malformed', () => 'pk_1'],
    ['in upper case', () => program.publicKey.toUpperCase()],
    ["a program's id", () => program.id],
    ['empty', () => ''],
  ])('a click with a public key that is %s writes nothing, and the error contains the field', async (_, publicKey) => {
    await expectRejected(aClick({ publicKey: publicKey() }), InvalidField);
    await expect(record(aClick({ publicKey: publicKey() }))).rejects.toThrow(/^pk must be/);
  });

  test.each([
    ['unknown', () => 'nobody'],
    ["another program's", () => stranger.slug],
  ])('a click with a slug that is %s writes nothing', (_, slug) =>
    expectRejected(aClick({ slug: slug() }), InvalidAffiliate),
  );

  test('a click of a deactivated advocate writes nothing until the advocate is activated again', async () => {
    const own = await anAdvocate(table, program);
    const idle = await updateAdvocate(table, program.id, own.slug, { active: false });
    const recorder = clickRecorder(table.clock);
    const click = aClick({ slug: own.slug });
    await expect(recorder(table, click)).rejects.toThrow(InvalidAffiliate);
    await updateAdvocate(table, program.id, idle.slug, { active: true });
    expect(await recorder(table, click)).toBe('recorded');
  });
});
