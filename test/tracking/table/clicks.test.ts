import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { type Program, publicKeyOf } from '../../../functions/kernel/accounts/rules/program.ts';
import { referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { InvalidAffiliate, UnknownPublicKey } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { NO_VALUES } from '../../../functions/referrals/rules/referral-fields.ts';
import { type Click, clickRecorder } from '../../../functions/tracking/table/clicks.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { expectConsistent } from '../../support/table/consistency.ts';
import { recorderAt } from '../../support/table/controlled-clock.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { atTime, itemAt, itemsOf } from '../../support/table.ts';
import { aGroup } from '../../support/terms.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const through = useFaultyProxy(table);
const { proxy } = through;

let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table, { attributionDays: 30 });
  advocate = await anAdvocate(table, program, { commissionPercentage: 7.5 });
});

const aClick = (changes: Partial<Click> = {}): Click => ({
  publicKey: program.publicKey,
  slug: advocate.slug,
  clickId: newId(),
  subId: null,
  ...changes,
});
const record = (click: Click, at = table) => clickRecorder(at.clock)(at, click);

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
      commissionMonths: 12,
      expiresAt: clickedAt + 30 * 86_400,
      history: [{ type: 'state', state: 'clicked', setAt: clickedAt, by: 'visitor' }],
      provider: null,
      version: 1,
    });
    expectConsistent(await itemsOf(table, program), program);
  });

  test('a click stores only the required attributes: no IP address and no user agent', async () => {
    const click = aClick({ subId: 'news' });
    await record(click);
    const item = await itemAt(table, referralKey(program.id, click.clickId));
    expect(Object.keys(item ?? {}).sort()).toEqual(
      [
        ...['pk', 'sk', 'owner_state', 'owner_sub_id', 'created', 'state', 'state_set_at'],
        ...['created_at', 'updated_at', 'sub_id', 'rate', 'months', 'expires_at', 'version'],
      ].sort(),
    );
  });
});

test.each([
  ['if it is sent again', {}],
  ['if it is sent with another sub id', { subId: 'another' }],
])('a recorded click returns known and remains unchanged %s', async (_, changes) => {
  const click = aClick({ subId: 'news' });
  const later = atTime(table, () => milliseconds(Date.now() + 5000));
  await record(click);
  await expectUnchanged(table, async () => expect(await record({ ...click, ...changes }, later)).toBe('known'));
});

describe('clicks without a valid program and advocate', () => {
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

const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;

test('20 simultaneous identical clicks return recorded once, and known otherwise', async () => {
  const click = aClick();
  const recorders = Array.from({ length: 20 }, () => recorderAt(table).record);
  const outcomes = await Promise.all(recorders.map((record) => record(click)));
  expect(outcomes.filter((outcome) => outcome === 'recorded')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'known')).toHaveLength(19);
});

describe('clicks during table failures', () => {
  const times = (count: number, fault: Fault): Fault[] => Array(count).fill(fault);

  test('a click returns recorded if only the response was lost', async () => {
    const { record } = recorderAt(through.faulty);
    const click = aClick();
    proxy.next('PutItem', 'lose');
    expect(await record(click)).toBe('recorded');
    expect(attempts('PutItem')).toBe(2);
    expect(await record(click)).toBe('known');
  });

  test('a click returns known if it was already recorded, even if the first attempt failed', async () => {
    const { record, advance } = recorderAt(through.faulty);
    const click = aClick();
    await record(click);
    advance(1000);
    proxy.next('PutItem', refusal('InternalServerError', {}, 500));
    expect(await record(click)).toBe('known');
    expect(attempts('PutItem')).toBe(3);
  });

  test('a click is retried while a transaction, such as its own conversion, locks its item', async () => {
    const { record } = recorderAt(through.faulty.but({ pause: async () => undefined }));
    proxy.next('PutItem', ...times(20, refusal('TransactionConflictException')));
    expect(await record(aClick())).toBe('recorded');
    expect(attempts('PutItem')).toBe(21);
  });
});

describe('the cache of programs and advocates', () => {
  test('the cache has a separate entry for each advocate and each program', async () => {
    const { record } = recorderAt(table);
    const other = await anAdvocate(table, program);
    await record(aClick());
    expect(await metered(table, () => record(aClick({ slug: other.slug })))).toMatchObject({ requests: 2 });
    const elsewhere = await aProgram(table);
    const foreign = aClick({ publicKey: elsewhere.publicKey });
    await expect(record(foreign)).rejects.toThrow(InvalidAffiliate);
  });

  test('a changed group has an effect on all clicks after 30 seconds', async () => {
    const { record, advance } = recorderAt(table);
    await aGroup(table, program, 'partners', 40);
    const [member, other] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    for (const { slug } of [member, other]) await updateAdvocate(table, program.id, slug, { group: 'partners' });
    const rateOf = async ({ slug }: Advocate) => {
      const click = aClick({ slug });
      await record(click);
      return (await storedReferral(table, program, click.clickId))?.commissionPercentage;
    };
    expect(await rateOf(other)).toBe(40);
    await aGroup(table, program, 'partners', 50);
    advance(28_000);
    await rateOf(member);
    advance(2000);
    expect(await rateOf(member)).toBe(50);
  });

  test('the cache remembers an unknown program for ten seconds, whatever the slug', async () => {
    const { record, advance } = recorderAt(table);
    const publicKey = publicKeyOf(newId());
    const requestsAfter = async (duration: number, slug: string) => {
      advance(duration);
      const click = aClick({ slug, publicKey });
      return (await metered(table, () => expect(record(click)).rejects.toThrow(UnknownPublicKey))).requests;
    };
    expect(await requestsAfter(0, 'jane')).toBe(1);
    expect(await requestsAfter(0, 'joe')).toBe(0);
    expect(await requestsAfter(9999, 'jane')).toBe(0);
    expect(await requestsAfter(1, 'jane')).toBe(1);
    expect(await metered(table, () => record(aClick()))).toMatchObject({ result: 'recorded' });
  });
});
