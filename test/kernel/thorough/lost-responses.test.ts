import { describe, expect, test } from '@jest/globals';
import { milliseconds, secondOf, systemClock } from '../../../functions/kernel/time.ts';
import { listTokens, revokeToken } from '../../../functions/program/operator/tokens.ts';
import { storeReferrals } from '../../../functions/referrals/operator/referral-import.ts';
import { newClick } from '../../../functions/referrals/rules/referral.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { findReferralId } from '../../../functions/referrals/table/customers.ts';
import { eraseReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { storeClick } from '../../../functions/tracking/table/clicks.ts';
import { attributed } from '../../support/conversion.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { expectConsistent, statesIn } from '../../support/table/consistency.ts';
import { set, storedReferral } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime, itemsOf } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

// The SDK repeats a write whose response was lost. In these tests, another request writes between the two attempts.
const { table, program, advocate } = await useProgram({}, { uid: newId() });
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

const PUT = 'PutItem';
const TRANSACTION = 'TransactWriteItems';
const attempts = (operation: string) => proxy.seen.filter((name) => name === operation).length;
const states = async (id: string) => statesIn((await storedReferral(table, program, id))?.history);
const aCustomer = async () => {
  const email = anEmail();
  const { referral } = await track(table, program, { by: { slug: advocate.slug, clickId: null }, email });
  return { id: referral.id, email };
};

test.each<[State, State[]]>([
  ['churned', ['converted', 'paid', 'churned']],
  ['paid', ['converted', 'paid']],
])('a state change is applied once, even if another request sets %s in between', async (other, history) => {
  const { id } = await aReferral(table, program, advocate);
  proxy.next(PUT, { meanwhile: () => set(table, program, id, other) });
  expect(await set(proxied.faulty, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
  expect(await states(id)).toEqual(history);
  expect(attempts(PUT)).toBe(2);
});

describe('changes that are no repetition', () => {
  const moment = milliseconds(systemClock());
  const at = (offset: number) => atTime(table, () => milliseconds(moment + offset));

  test.each([
    ['a second later', 1000, 'merchant'],
    ['by another actor', 0, 'operator'],
  ] as const)(
    'another change is not a repetition if it sets the same state %s: that change is returned',
    async (_, offset, by) => {
      const { id } = await aReferral(table, program, advocate, { createdAt: secondOf(moment) });
      beforeNext(table, 'PutItemCommand', () =>
        setReferralState(at(offset), program.id, id, { state: 'paid', actor: by }),
      );
      expect(await set(at(0), program, id, 'paid')).toEqual(await storedReferral(table, program, id));
      expect((await storedReferral(table, program, id))?.history).toHaveLength(2);
    },
  );
});

test('an erasure whose response is lost does not affect the next customer with the same email', async () => {
  const { id, email } = await aCustomer();
  const by = { slug: advocate.slug, clickId: null };
  proxy.next(TRANSACTION, { meanwhile: () => track(table, program, { by, email }) });
  await eraseReferral(proxied.faulty, program.id, id, 'operator');
  const next = await findReferralId(table, program.id, { id: null, email, uid: null });
  expect(next).not.toBe(id);
  expect(await storedReferral(table, program, next)).toMatchObject({ email });
  expectConsistent(await itemsOf(table, program), program);
});

test('a conversion whose response is lost is stored once, even if its state is set in between', async () => {
  const input = { by: { slug: advocate.slug, clickId: newId() }, newId: newId() };
  proxy.next(TRANSACTION, { meanwhile: () => set(table, program, input.newId, 'paid') });
  expect(await track(proxied.faulty, program, input)).toMatchObject({ referral: { id: input.newId } });
  expect(await states(input.newId)).toEqual(['converted', 'paid']);
});

describe('clicks whose response is lost', () => {
  const aClickOf = () => newClick(program, attributed(program, advocate), { id: newId(), subId: null }, now());

  test('a click whose response is lost is recorded, even if it converts in between', async () => {
    const click = aClickOf();
    const by = { slug: advocate.slug, clickId: click.id };
    proxy.next(PUT, { meanwhile: () => track(table, program, { by }) });
    expect(await storeClick(proxied.faulty, program.id, click)).toBe('recorded');
    expect(await states(click.id)).toEqual(['clicked', 'converted']);
  });
});

describe('operator commands whose response is lost', () => {
  const newest = async () => (await listTokens(table, program.id))[0];

  test('a token is created once, and stays revoked if it is revoked in between', async () => {
    const revokeNewest = async () => revokeToken(table, program.id, (await newest())?.id ?? '');
    proxy.next(PUT, { meanwhile: revokeNewest });
    await aToken(proxied.faulty, program);
    expect(await newest()).toMatchObject({ revokedAt: expect.any(Number) });
  });

  test('a command whose response is lost revokes a token once', async () => {
    await aToken(table, program);
    const id = (await newest())?.id ?? '';
    proxy.next('UpdateItem', 'lose');
    const revoked = await revokeToken(proxied.faulty, program.id, id);
    expect(await newest()).toEqual(revoked);
    expect(attempts('UpdateItem')).toBe(2);
  });
});

test('an import whose response is lost creates its referral once, even if its state is set in between', async () => {
  const referral = await aReferral(table, await aProgram(table), advocate);
  proxy.next(TRANSACTION, { meanwhile: () => set(table, program, referral.id, 'paid') });
  expect(await storeReferrals(proxied.faulty, program.id, [{ referral, hasId: true }])).toEqual(['created']);
  expect(await states(referral.id)).toEqual(['converted', 'paid']);
});
