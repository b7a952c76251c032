import { beforeEach, describe, expect, test } from '@jest/globals';
import { refusalsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { type Milliseconds, milliseconds, secondOf } from '../../../functions/kernel/time.ts';
import { NO_IDENTIFIERS, type RefusedRequest } from '../../../functions/referrals/rules/refusal.ts';
import { eraseReferral } from '../../../functions/referrals/table/referrals.ts';
import { parseRefusals, type RecordRefusal, refusalRecorder } from '../../../functions/referrals/table/refusals.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aProgram, aReferral, newId } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
let moment: Milliseconds;
let record: RecordRefusal;
let email: string;
beforeEach(() => {
  moment = milliseconds(Date.now());
  record = refusalRecorder(() => moment);
  email = anEmail();
});

const refused = (changes: Partial<RefusedRequest> = {}): RefusedRequest => ({
  identifiers: { ...NO_IDENTIFIERS, email },
  ...{ advocate: null, outcome: 'no_reference', source: 'merchant', eventId: null },
  ...changes,
});
const at = (of = table) => atTime(of, () => moment);
const wait = (seconds: number) => {
  moment = milliseconds(moment + seconds * 1000);
};
const write = (changes?: Partial<RefusedRequest>) => record(at(), program.id, refused(changes));
const itemOf = (kind: Parameters<typeof refusalsKey>[1], value: string) =>
  itemAt(table, refusalsKey(program.id, kind, value));
const stored = async () => parseRefusals(await itemOf('email', email), secondOf(moment));

describe('refusals of an identifier', () => {
  test('each identifier of a request gets the refusal, under a hash that expires after 30 days', async () => {
    const identifiers = { email, uid: newId(), clickId: newId(), paymentId: newId(), code: null };
    await write({ identifiers, advocate: { slug: 'nobody' }, outcome: 'no_advocate' });
    const items = await Promise.all(
      (['email', 'customer', 'click', 'payment'] as const).map((kind, index) =>
        itemOf(kind, Object.values(identifiers)[index] ?? ''),
      ),
    );
    const now = secondOf(moment);
    for (const item of items) {
      expect(item).toMatchObject({ version: 1, expires_at: now + 30 * 86_400 });
      expect(item?.['refusals']).toEqual([
        { at: now, source: 'merchant', outcome: 'unknown_slug', affiliate_slug: 'nobody' },
      ]);
    }
    expect(
      Object.values(identifiers).filter((value) => value !== null && JSON.stringify(items).includes(value)),
    ).toEqual([]);
  });

  test('the last 20 are kept', async () => {
    for (let number = 0; number < 23; number += 1) {
      wait(1);
      await write({ advocate: { slug: `slug-${number}` } });
    }
    expect((await stored()).map(({ advocateSlug }) => advocateSlug)).toEqual(
      Array.from({ length: 20 }, (_, index) => `slug-${index + 3}`),
    );
  });

  test('a repeated event counts once, as does a request that is repeated in the same second', async () => {
    const event = { source: 'stripe', eventId: 'evt_1' } as const;
    for (const changes of [event, {}, {}]) await write(changes);
    wait(60);
    for (const changes of [event, {}]) await write(changes);
    expect((await stored()).map(({ eventId }) => eventId)).toEqual(['evt_1', null, null]);
  });

  test('a record whose response was lost counts once', async () => {
    proxied.proxy.next('PutItem', 'lose');
    await record(at(proxied.faulty), program.id, refused());
    expect(proxied.proxy.seen.filter((operation) => operation === 'PutItem')).toHaveLength(2);
    expect(await stored()).toHaveLength(1);
  });

  test('of two at the same moment, at least one is recorded, and neither fails', async () => {
    await Promise.all(['a', 'b'].map((slug) => write({ advocate: { slug } })));
    const slugs = (await stored()).map(({ advocateSlug }) => advocateSlug);
    expect([['a'], ['b'], ['a', 'b'], ['b', 'a']]).toContainEqual(slugs);
  });

  test.each(['BatchGetItem', 'PutItem'])('a record is dropped if %s fails', async (operation) => {
    proxied.proxy.next(operation, ...Array(9).fill(refusal('InternalServerError', {}, 500)));
    await record(at(proxied.faulty), program.id, refused());
    proxied.proxy.reset();
    expect(await stored()).toEqual([]);
  });

  test('a process records five requests of a program in a second', async () => {
    const other = await aProgram(table);
    for (let number = 0; number < 7; number += 1) await write({ advocate: { slug: `slug-${number}` } });
    expect(await stored()).toHaveLength(5);
    await record(at(), other.id, refused());
    expect(await itemAt(table, refusalsKey(other.id, 'email', email))).toBeDefined();
    wait(1);
    await write();
    expect(await stored()).toHaveLength(6);
  });

  test('a request without a valid identifier is not recorded', async () => {
    await record(at(proxied.faulty), program.id, refused({ identifiers: NO_IDENTIFIERS }));
    expect(proxied.proxy.seen).toEqual([]);
  });
});

test('an erasure deletes the refusals of email, uid and id, also after its response was lost', async () => {
  const uid = newId();
  const { id } = await aReferral(table, program, advocate, { email, customerUid: uid });
  await write({ identifiers: { email, uid, clickId: id, paymentId: 'in_1', code: null } });
  proxied.proxy.next('TransactWriteItems', 'lose');
  await eraseReferral(proxied.faulty, program.id, id, 'merchant');
  const left = [await itemOf('email', email), await itemOf('customer', uid), await itemOf('click', id)];
  expect(left).toEqual([undefined, undefined, undefined]);
  // The id of a payment is not the person's.
  expect(await itemOf('payment', 'in_1')).toBeDefined();
  await write();
  await eraseReferral(table, program.id, id, 'merchant');
  expect(await stored()).toHaveLength(1);
});
