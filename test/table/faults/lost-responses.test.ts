import { describe, expect, test } from '@jest/globals';
import { IdTaken, StateRefused } from '../../../functions/domain/errors.ts';
import { newClick } from '../../../functions/domain/referral/referral.ts';
import type { State } from '../../../functions/domain/referral/state.ts';
import { milliseconds, secondOf, seconds, systemClock } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import { listTokens, revokeToken } from '../../../functions/table/operator/tokens.ts';
import { createProgram, findProgram } from '../../../functions/table/programs.ts';
import { storeClick } from '../../../functions/table/referrals/clicks.ts';
import { findReferralId } from '../../../functions/table/referrals/customers.ts';
import { eraseReferral, setReferralState } from '../../../functions/table/referrals/referrals.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aClick, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { aCancellation } from '../../support/stripe/stripe.ts';
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

describe('state changes whose response is lost', () => {
  test.each<[State, State[]]>([
    ['rejected', ['converted', 'paid', 'rejected']],
    ['churned', ['converted', 'paid', 'churned']],
    ['paid', ['converted', 'paid']],
  ])('a state change is applied once, even if another request sets %s in between', async (other, history) => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next(PUT, { meanwhile: () => set(table, program, id, other) });
    expect(await set(proxied.faulty, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
    expect(await states(id)).toEqual(history);
    expect(attempts(PUT)).toBe(2);
  });

  test('a state change is applied once, even if other requests change the state and restore it in between', async () => {
    const { id } = await aReferral(table, program, advocate);
    const meanwhile = async () => {
      for (const state of ['churned', 'paid', 'rejected'] as const) await set(table, program, id, state);
    };
    proxy.next(PUT, { meanwhile });
    expect(await set(proxied.faulty, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
    expect(await states(id)).toEqual(['converted', 'paid', 'churned', 'paid', 'rejected']);
  });

  test('a state change is applied once, even if the person is erased in between', async () => {
    const { id } = await aCustomer();
    proxy.next(PUT, { meanwhile: () => eraseReferral(table, program.id, id, 'operator') });
    expect(await set(proxied.faulty, program, id, 'paid')).toMatchObject({ state: 'paid', version: 2 });
    expect(await storedReferral(table, program, id)).toMatchObject({ email: null, version: 3 });
    expect(await states(id)).toEqual(['converted', 'paid']);
  });

  test('a state change is applied once, even if the repetition also conflicts with a transaction', async () => {
    const { id } = await aReferral(table, program, advocate);
    proxy.next(PUT, { meanwhile: () => set(table, program, id, 'churned') }, refusal('TransactionConflictException'));
    expect(await set(proxied.faulty, program, id, 'paid')).toMatchObject({ state: 'paid' });
    expect(await states(id)).toEqual(['converted', 'paid', 'churned']);
  });
});

describe('changes that are no repetition', () => {
  const moment = milliseconds(systemClock());
  const at = (offset: number) => atTime(table, () => milliseconds(moment + offset));

  test('another change is not a repetition, even if the history has an equal entry from before the read', async () => {
    const { id } = await aReferral(table, program, advocate, { createdAt: secondOf(moment) });
    for (const state of ['paid', 'churned'] as const) await set(at(0), program, id, state);
    beforeNext(table, 'PutItemCommand', () => set(at(0), program, id, 'rejected'));
    await expect(set(at(0), program, id, 'paid')).rejects.toThrow(StateRefused);
    expect(await states(id)).toEqual(['converted', 'paid', 'churned', 'rejected']);
  });

  test('another change is not a repetition, even if events of Stripe without an entry came in between', async () => {
    const uid = newId();
    const fields = { createdAt: secondOf(moment), customerUid: uid };
    const { id } = await aReferral(table, program, advocate, fields);
    for (const state of ['paid', 'churned'] as const) await set(at(0), program, id, state);
    beforeNext(table, 'PutItemCommand', async () => {
      for (let count = 0; count < 2; count += 1) await applyStripeEvent(table, program, aCancellation({ uid }));
    });
    expect(await set(at(0), program, id, 'paid')).toMatchObject({ state: 'paid' });
    expect(await states(id)).toEqual(['converted', 'paid', 'churned', 'paid']);
  });

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

describe('erasures whose response is lost', () => {
  test('an erasure whose response is lost returns the person, even if the state is set in between', async () => {
    const { id, email } = await aCustomer();
    proxy.next(TRANSACTION, { meanwhile: () => set(table, program, id, 'paid') });
    expect(await eraseReferral(proxied.faulty, program.id, id, 'operator')).toMatchObject({ email });
    expect(await storedReferral(table, program, id)).toMatchObject({
      email: null,
      state: 'paid',
      version: 3,
    });
    expect(attempts(TRANSACTION)).toBe(2);
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
});

test('a conversion whose response is lost is stored once, even if its state is set in between', async () => {
  const input = { by: { slug: advocate.slug, clickId: newId() }, newId: newId() };
  proxy.next(TRANSACTION, { meanwhile: () => set(table, program, input.newId, 'paid') });
  expect(await track(proxied.faulty, program, input)).toMatchObject({ referral: { id: input.newId } });
  expect(await states(input.newId)).toEqual(['converted', 'paid']);
});

describe('clicks whose response is lost', () => {
  const aClickOf = () => newClick(program, advocate, { id: newId(), subId: null }, now());

  test('a click whose response is lost is recorded, even if it converts in between', async () => {
    const click = aClickOf();
    const by = { slug: advocate.slug, clickId: click.id };
    proxy.next(PUT, { meanwhile: () => track(table, program, { by }) });
    expect(await storeClick(proxied.faulty, program.id, click)).toBe('recorded');
    expect(await states(click.id)).toEqual(['clicked', 'converted']);
  });

  test('a click whose response is lost is recorded, even if the repetition conflicts with a transaction', async () => {
    const click = aClickOf();
    proxy.next(PUT, 'lose', refusal('TransactionConflictException'));
    expect(await storeClick(proxied.faulty, program.id, click)).toBe('recorded');
    expect(attempts(PUT)).toBe(3);
  });
});

describe('operator commands whose response is lost', () => {
  const newest = async () => (await listTokens(table, program.id))[0];

  test('a command whose response is lost creates a program once', async () => {
    proxy.next(PUT, 'lose');
    const created = await aProgram(proxied.faulty);
    expect(await findProgram(table, created.id)).toEqual(created);
    expect(attempts(PUT)).toBe(2);
  });

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

  test('an advocate is deactivated once, and stays active if it is activated in between', async () => {
    const activate = () => updateAdvocate(table, program.id, advocate.slug, { active: true });
    proxy.next(TRANSACTION, { meanwhile: activate });
    await updateAdvocate(proxied.faulty, program.id, advocate.slug, { active: false });
    const click = await aClick(table, program, advocate);
    const by = { slug: advocate.slug, clickId: click.id };
    expect(await track(table, program, { by })).toMatchObject({ referral: { id: click.id } });
  });
});

test('an import whose response is lost creates its referral once, even if its state is set in between', async () => {
  const referral = await aReferral(table, await aProgram(table), advocate);
  proxy.next(TRANSACTION, { meanwhile: () => set(table, program, referral.id, 'paid') });
  expect(await storeReferrals(proxied.faulty, program.id, [{ referral, hasId: true }])).toEqual(['created']);
  expect(await states(referral.id)).toEqual(['converted', 'paid']);
});

test('a program with the id of another program is not created', async () => {
  const other = { ...program, name: 'Another program', createdAt: seconds(program.createdAt - 1) };
  await expect(createProgram(table, other)).rejects.toThrow(IdTaken);
  expect(await findProgram(table, program.id)).toEqual(program);
});
