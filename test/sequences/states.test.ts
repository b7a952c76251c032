import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ServiceError } from '../../functions/domain/errors.ts';
import type { Program } from '../../functions/domain/program.ts';
import { STATES, type State } from '../../functions/domain/referral/state.ts';
import { milliseconds } from '../../functions/domain/time.ts';
import { updateAdvocate } from '../../functions/table/advocates.ts';
import { clickRecorder } from '../../functions/table/referrals/clicks.ts';
import { eraseReferral } from '../../functions/table/referrals/referrals.ts';
import { anAdvocate, aProgram, newId, now } from '../support/program.ts';
import { expectConsistent, movesIn, statesIn } from '../support/table/consistency.ts';
import { move, set } from '../support/table/situations.ts';
import { track } from '../support/table/track.ts';
import { atTime, itemsOf } from '../support/table.ts';
import { stateOf } from '../support/transitions.ts';
import { useTable } from '../support/use-table.ts';
import { ATTRIBUTION_DAYS, type Conversion, DAY, Model, type Row } from '../table/states/model.ts';

const table = useTable();

type Step =
  | { readonly do: 'click'; readonly advocate: number }
  | { readonly do: 'switch'; readonly advocate: number }
  | { readonly do: 'wait'; readonly days: number }
  | (Conversion & { readonly do: 'convert'; readonly click: number })
  | { readonly do: 'set'; readonly row: number; readonly to: State }
  | { readonly do: 'move'; readonly row: number; readonly advocate: number }
  | { readonly do: 'erase'; readonly row: number };

const advocate = fc.nat(1);
const emails = fc.constantFrom('a@shop.example', 'b@shop.example', 'c@shop.example');
const uids = fc.constantFrom('u1', 'u2', 'u3');
const customer = fc.oneof(
  fc.record({ email: emails, uid: fc.constant(null) }),
  fc.record({ email: fc.constant(null), uid: uids }),
  fc.record({ email: emails, uid: uids }),
);
const conversion: fc.Arbitrary<Step> = fc.record({
  do: fc.constant('convert'),
  advocate,
  click: fc.nat(3),
  customer,
  key: fc.constantFrom(undefined, 'k1', 'k2'),
});
const action = <Name extends Step['do']>(name: Name) => fc.constant(name);
const row = fc.nat(3);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: conversion, weight: 6 },
  { arbitrary: fc.record({ do: action('click'), advocate }), weight: 3 },
  { arbitrary: fc.record({ do: action('set'), row, to: fc.constantFrom(...STATES) }), weight: 4 },
  { arbitrary: fc.record({ do: action('move'), row, advocate }), weight: 2 },
  { arbitrary: fc.record({ do: action('erase'), row }), weight: 1 },
  { arbitrary: fc.record({ do: action('switch'), advocate }), weight: 1 },
  { arbitrary: fc.record({ do: action('wait'), days: fc.constantFrom(1, 5, 7) }), weight: 1 },
);

const codeOf = (error: unknown) => (error instanceof ServiceError ? error.code : error);

/** Performs one step on the table and on the model, and compares the results. */
async function performStep(model: Model, program: Program, start: number, step: Step): Promise<void> {
  const at = atTime(table, () => milliseconds((start + model.day * DAY) * 1000));
  switch (step.do) {
    case 'wait': {
      model.day += step.days;
      return;
    }
    case 'switch': {
      const target = advocateOf(model, step.advocate);
      target.active = !target.active;
      target.item = await updateAdvocate(table, program.id, target.item.slug, { active: target.active });
      return;
    }
    case 'click': {
      const { item, active } = advocateOf(model, step.advocate);
      const click = { publicKey: program.publicKey, slug: item.slug, clickId: newId(), subId: null };
      const found = await clickRecorder(at.clock)(at, click).catch(codeOf);
      expect(found).toBe(active ? 'recorded' : 'invalid_affiliate_slug');
      if (active) model.click(click.clickId, step.advocate);
      return;
    }
    case 'convert': {
      const { item } = advocateOf(model, step.advocate);
      const clickId = model.clicks[step.click]?.id ?? '01900000-0000-7000-8000-000000000000';
      const id = newId();
      const attribution = { slug: item.slug, clickId };
      const expected = model.convert(step, clickId, id);
      const found = await track(at, program, { by: attribution, ...step.customer, key: step.key, newId: id }).then(
        ({ referral, replayed }) => ({ id: referral.id, replayed }),
        codeOf,
      );
      expect(found).toEqual(expected);
      return;
    }
    case 'set': {
      const target = model.rows[step.row];
      if (!target) return;
      const expected = model.set(target, step.to);
      expect(await set(at, program, target.id, step.to).then(({ state }) => state, codeOf)).toBe(expected);
      return;
    }
    case 'move': {
      const target = model.rows[step.row];
      if (!target) return;
      const { item } = advocateOf(model, step.advocate);
      const expected = model.move(target, step.advocate);
      const found = await move(at, program, target.id, item.slug).then(() => step.advocate, codeOf);
      expect(found).toBe(expected);
      return;
    }
    case 'erase': {
      const target = model.rows[step.row];
      if (!target) return;
      model.erase(target);
      await eraseReferral(at, program.id, target.id, 'operator');
    }
  }
}

function advocateOf(model: Model, index: number) {
  const target = model.advocates[index];
  if (!target) throw new Error('no such advocate');
  return target;
}

/** Expected flags: the model does not compute them. A customer with the email or uid of the first advocate has one. */
const flagsOf = ({ advocate, customer: { email, uid } }: Row) =>
  advocate === 0 && (email === 'a@shop.example' || uid === 'u1') ? ['self_referral'] : [];

test('any sequence of clicks, conversions, state changes, moves, erasures, deactivations fits the model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
      const program = await aProgram(table, { attributionDays: ATTRIBUTION_DAYS });
      const first = await anAdvocate(table, program, { email: 'a+partner@shop.example', uid: 'u1' });
      const second = await anAdvocate(table, program, { commissionPercentage: 35 });
      const model = new Model([first, second]);
      const start = now();
      for (const step of steps) await performStep(model, program, start, step);
      const referrals = expectConsistent(await itemsOf(table, program), program);
      const found = referrals.map(({ id, state, email, customerUid, history, advocateSlug, ...row }) => ({
        id,
        state,
        customer: { email, uid: customerUid },
        history: statesIn(history),
        slug: advocateSlug,
        rate: row.commissionPercentage,
        flags: row.flags,
        moves: movesIn(history),
      }));
      const slugOf = (index: number) => advocateOf(model, index).item.slug;
      const expected = model.rows.map((row) => ({
        id: row.id,
        state: stateOf(row.situation),
        customer: row.customer,
        history: row.history,
        slug: slugOf(row.advocate),
        rate: row.advocate === 0 ? 20 : 35,
        flags: flagsOf(row),
        moves: row.moves.map(slugOf),
      }));
      expect(found.toSorted(byId)).toEqual(expected.toSorted(byId));
    }),
    { numRuns: 60 },
  );
});

const byId = (one: { readonly id: string }, other: { readonly id: string }) => (one.id < other.id ? -1 : 1);
