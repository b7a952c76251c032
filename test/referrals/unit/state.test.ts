import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateRefused } from '../../../functions/kernel/errors.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { assertSettable, type Cause, isAllowed, STATES } from '../../../functions/referrals/rules/state.ts';
import { affiliate } from '../../support/samples.ts';
import { ALL_STATES, PAIRS, refusalIn, SITUATIONS, type Situation } from '../../support/transitions.ts';
import { aClick, aConversion, LATER, referralIn } from './situations.ts';
import { apply, aStep } from './steps.ts';

describe('the states', () => {
  test('the states are the five of the contract, in the order of a successful referral', () => {
    expect(STATES).toEqual(['clicked', 'converted', 'paid', 'churned', 'rejected']);
    expect(new Set(ALL_STATES)).toEqual(new Set(STATES));
  });
});

describe('setting a state', () => {
  test.each(PAIRS.filter(({ outcome }) => outcome === 'set'))('$from may become $to', ({ from, to }) => {
    const referral = referralIn(from);
    expect(isAllowed('update', referral, to)).toBe(true);
    expect(() => assertSettable(referral, to)).not.toThrow();
    expect(setState(referral, to, 'merchant', LATER)).toMatchObject({ state: to, stateSetAt: LATER });
  });

  test.each(PAIRS.filter(({ outcome }) => outcome === 'refused'))('$from cannot become $to', ({ from, to }) => {
    const referral = referralIn(from);
    expect(isAllowed('update', referral, to)).toBe(false);
    expect(() => assertSettable(referral, to)).toThrow(StateRefused);
    expect(() => setState(referral, to, 'merchant', LATER)).toThrow(refusalIn(from));
  });

  test.each(PAIRS.filter(({ outcome }) => outcome === 'kept'))(
    '$from does not change if $to is set',
    ({ from, to }) => {
      const referral = referralIn(from);
      expect(setState(referral, to, 'merchant', LATER)).toBe(referral);
    },
  );
});

describe('the transitions', () => {
  const existing: (Situation | null)[] = [null, ...SITUATIONS];
  /** The transitions that a click or a conversion causes: cause, state before, state after. */
  const TRANSITIONS = new Set(['click null clicked', 'conversion null converted', 'conversion clicked converted']);

  test.each<Cause>(['click', 'conversion'])('the transitions of a %s are exactly its own', (cause) => {
    for (const from of existing) {
      const before: Referral | null = from && referralIn(from);
      for (const to of STATES) {
        expect([from, to, isAllowed(cause, before, to)]).toEqual([from, to, TRANSITIONS.has(`${cause} ${from} ${to}`)]);
      }
    }
  });
});

describe('any sequence of changes by different clocks', () => {
  test('any sequence keeps created_at <= state_set_at <= updated_at; state_set_at changes with the state', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(aStep, { maxLength: 40 }), (isClick, steps) => {
        let before = isClick ? aClick() : aConversion();
        for (const next of steps) {
          const after = apply(before, next);
          expect(after.createdAt).toBe(before.createdAt);
          expect(after.createdAt <= after.stateSetAt && after.stateSetAt <= after.updatedAt).toBe(true);
          expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
          const isNew = after.state !== before.state;
          if (!isNew) expect(after.stateSetAt).toBe(before.stateSetAt);
          expect(after.stateSetAt === after.updatedAt || !isNew).toBe(true);
          expect(after.history).toHaveLength(before.history.length + Number(after !== before));
          const changes = after.history.filter((entry) => entry.type === 'state');
          expect(changes.at(-1)).toMatchObject({ state: after.state, setAt: after.stateSetAt });
          expect(after.history.at(-1)?.setAt).toBe(after.updatedAt);
          expect(after.version).toBe(before.version + Number(after !== before));
          const moves = after.history.flatMap((entry) => (entry.type === 'reassignment' ? [entry.to] : []));
          expect(after.advocateSlug).toBe(moves.at(-1) ?? affiliate.slug);
          expect(after.convertedAt === null).toBe(!changes.some(({ state }) => state === 'converted'));
          before = after;
        }
      }),
    );
  });
});
