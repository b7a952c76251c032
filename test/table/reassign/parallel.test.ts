import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { expectConsistent, movesIn } from '../../support/table/consistency.ts';
import { move, set, storedReferral } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
let jane: Advocate;
let john: Advocate;
let id: string;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  john = await anAdvocate(table, program);
  id = (await aReferral(table, program, jane)).id;
});

const stored = () => storedReferral(table, program, id);
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const moves = async () => movesIn((await stored())?.history);
const expectAgreement = async () => expectConsistent(await itemsOf(table, program), program);

describe('changes between the read and the write of a move', () => {
  test('a change to another state is kept by a simultaneous move', async () => {
    beforeNext(table, 'PutItemCommand', () => set(table, program, id, 'paid'));
    expect(await move(table, program, id, john.slug)).toMatchObject({ state: 'paid', version: 3 });
    expect(await stored()).toMatchObject({ state: 'paid', advocateSlug: john.slug });
    await expectAgreement();
  });

  test('a simultaneous move to another advocate comes first', async () => {
    const ann = await anAdvocate(table, program);
    beforeNext(table, 'PutItemCommand', () => move(table, program, id, ann.slug));
    await move(table, program, id, john.slug);
    expect(await moves()).toEqual([ann.slug, john.slug]);
    await expectAgreement();
  });

  test('a simultaneous move to the same advocate adds no second entry', async () => {
    beforeNext(table, 'PutItemCommand', () => move(table, program, id, john.slug));
    expect(await move(table, program, id, john.slug)).toEqual(await stored());
    expect(await moves()).toEqual([john.slug]);
  });

  test('the same move in the same second is not taken for its own if another change came before it', async () => {
    const moment = milliseconds(Date.now());
    const at = atTime(table, () => moment);
    beforeNext(table, 'PutItemCommand', async () => {
      await set(at, program, id, 'paid');
      await move(at, program, id, john.slug);
    });
    expect(await move(at, program, id, john.slug)).toEqual(await stored());
    expect(await stored()).toMatchObject({ state: 'paid', version: 3 });
  });

  test('a simultaneous erasure stays: the moved referral has neither email nor flags', async () => {
    const { email } = (await stored()) ?? {};
    const self = await anAdvocate(table, program, { email: email ?? '' });
    beforeNext(table, 'PutItemCommand', () => eraseReferral(table, program.id, id, 'merchant'));
    expect(await move(table, program, id, self.slug)).toMatchObject({ email: null, flags: [], version: 3 });
    await expectAgreement();
  });

  test('a click that converts during its move is moved', async () => {
    const click = await aClick(table, program, jane);
    const by = { slug: jane.slug, clickId: click.id };
    beforeNext(table, 'GetItemCommand', () => track(table, program, { by }));
    expect(await move(table, program, click.id, john.slug)).toMatchObject({ advocateSlug: john.slug, version: 3 });
    await expectAgreement();
  });
});

test('an erasure keeps a move that comes between its read and its write', async () => {
  beforeNext(table, 'TransactWriteItemsCommand', () => move(table, program, id, john.slug));
  await eraseReferral(table, program.id, id, 'merchant');
  expect(await stored()).toMatchObject({ email: null, advocateSlug: john.slug, version: 3 });
  await expectAgreement();
});

test('a new state keeps a move that comes between its read and its write', async () => {
  beforeNext(table, 'PutItemCommand', () => move(table, program, id, john.slug));
  expect(await set(table, program, id, 'paid')).toMatchObject({ state: 'paid', advocateSlug: john.slug, version: 3 });
  await expectAgreement();
});

describe('moves whose response is lost', () => {
  test('a move whose response is lost is made once', async () => {
    proxy.next('PutItem', 'lose');
    expect(await move(proxied.faulty, program, id, john.slug)).toMatchObject({ advocateSlug: john.slug, version: 2 });
    expect([await moves(), attempts('PutItem')]).toEqual([[john.slug], 2]);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['is moved back', () => move(table, program, id, jane.slug)],
    ['gets another state', () => set(table, program, id, 'paid')],
    ['is erased', () => eraseReferral(table, program.id, id, 'merchant')],
  ])('a move whose response is lost is not made again if the referral %s in between', async (_, meanwhile) => {
    let after: Awaited<ReturnType<typeof stored>>;
    proxy.next('PutItem', {
      meanwhile: async () => {
        await meanwhile();
        after = await stored();
      },
    });
    expect(await move(proxied.faulty, program, id, john.slug)).toMatchObject({ advocateSlug: john.slug, version: 2 });
    expect(await stored()).toEqual(after);
    expect(after?.version).toBe(3);
    await expectAgreement();
  });
});

test('a move starts again for as long as other writes come first', async () => {
  proxy.next('PutItem', ...Array<Fault>(20).fill(refusal('ConditionalCheckFailedException')));
  const withoutPauses = proxied.faulty.but({ pause: async () => undefined });
  expect(await move(withoutPauses, program, id, john.slug)).toMatchObject({ advocateSlug: john.slug, version: 2 });
  expect([attempts('BatchGetItem'), attempts('GetItem'), attempts('PutItem')]).toEqual([1, 21, 21]);
});
