import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { StateRefused } from '../../../functions/domain/errors.ts';
import { convertClick, type Referral } from '../../../functions/domain/referral.ts';
import { erasePerson, setState } from '../../../functions/domain/referral-changes.ts';
import { ACTORS, type Actor, STATES, type State } from '../../../functions/domain/state.ts';
import { type Seconds, seconds } from '../../../functions/domain/time.ts';
import { SITUATIONS } from '../../support/transitions.ts';
import { affiliate, CLICK_ID, NOW, program } from '../samples.ts';
import { aClick, aConversion, CONVERSION, LATER, referralIn } from './situations.ts';

describe('setting a state', () => {
  test('changes state, times, history and version, and nothing else', () => {
    const before = aConversion();
    expect(setState(before, 'paid', 'operator', LATER)).toEqual({
      ...before,
      state: 'paid',
      stateSetAt: LATER,
      updatedAt: LATER,
      history: [
        { type: 'state', state: 'converted', setAt: NOW, by: 'merchant' },
        { type: 'state', state: 'paid', setAt: LATER, by: 'operator' },
      ],
      version: 2,
    });
  });

  test('does not modify the given referral', () => {
    const before = aConversion();
    const copy = structuredClone(before);
    setState(before, 'paid', 'merchant', LATER);
    expect(before).toEqual(copy);
  });

  test('keeps the expiry of a rejected click, and the conversion of a restored referral', () => {
    const click = aClick();
    expect(setState(click, 'rejected', 'merchant', LATER)).toMatchObject({
      expiresAt: click.expiresAt,
      convertedAt: null,
    });
    const { convertedAt, commissionEndDate } = aConversion();
    const restored = setState(referralIn('rejected'), 'converted', 'merchant', LATER);
    expect(restored).toMatchObject({ convertedAt, commissionEndDate, stateSetAt: LATER });
  });

  test.each(['merchant', 'page'] as const)('records that a conversion came from the %s', (actor) => {
    const converted = convertClick(aClick(), program, affiliate, { ...CONVERSION, actor }, LATER);
    expect(converted).toMatchObject({
      id: CLICK_ID,
      idempotencyRecord: 'a-record',
      convertedAt: LATER,
      version: 2,
    });
    expect(converted.history).toEqual([
      { type: 'state', state: 'clicked', setAt: NOW, by: 'visitor' },
      { type: 'state', state: 'converted', setAt: LATER, by: actor },
    ]);
  });

  test('never precedes the last change, even if the clock of another function is behind', () => {
    const behind = seconds(NOW - 5);
    const paid = setState(aConversion(), 'paid', 'merchant', behind);
    expect(paid).toMatchObject({ stateSetAt: NOW, updatedAt: NOW });
    expect(paid.history.at(-1)).toEqual({ type: 'state', state: 'paid', setAt: NOW, by: 'merchant' });
    const erased = erasePerson(setState(aConversion(), 'paid', 'merchant', LATER), 'merchant', NOW);
    expect(setState(erased, 'churned', 'merchant', NOW).stateSetAt).toBe(LATER);
  });

  test('keeps the last 100 entries of the history', () => {
    let referral = aConversion();
    const times = Array.from({ length: 150 }, (_, index) => seconds(NOW + index + 1));
    for (const [index, time] of times.entries()) {
      referral = setState(referral, index % 2 ? 'churned' : 'paid', 'merchant', time);
      expect(referral.history).toHaveLength(Math.min(index + 2, 100));
      expect(referral.version).toBe(index + 2);
    }
    expect(referral.history.map(({ setAt }) => setAt)).toEqual(times.slice(-100));
  });
});

describe('erasing a person', () => {
  test.each(SITUATIONS.filter((situation) => !/click/.test(situation)))(
    'removes email, uid and idempotency record of a %s referral, and nothing else',
    (situation) => {
      const before = referralIn(situation);
      expect(erasePerson(before, 'merchant', LATER)).toEqual({
        ...before,
        email: null,
        customerUid: null,
        idempotencyRecord: null,
        updatedAt: LATER,
        history: [...before.history, { type: 'erasure', setAt: LATER, by: 'merchant' }],
        version: before.version + 1,
      });
    },
  );

  test.each(['email', 'customerUid', 'idempotencyRecord'] as const)(
    'removes %s even if nothing else is left to remove',
    (field) => {
      const noPerson = { email: null, customerUid: null, idempotencyRecord: null };
      const left: Referral = { ...aConversion(), ...noPerson, [field]: 'something' };
      expect(erasePerson(left, 'merchant', LATER)).toMatchObject(noPerson);
    },
  );

  test('returns the same object for a click and for an erased referral', () => {
    const click = aClick();
    expect(erasePerson(click, 'merchant', LATER)).toBe(click);
    const erased = erasePerson(aConversion(), 'merchant', LATER);
    expect(erasePerson(erased, 'merchant', seconds(LATER + 1))).toBe(erased);
  });

  test('never sets updated_at before the last change', () => {
    const paid = setState(aConversion(), 'paid', 'merchant', LATER);
    expect(erasePerson(paid, 'merchant', NOW).updatedAt).toBe(LATER);
  });
});

describe('any sequence of changes by different clocks', () => {
  type Step = { readonly to: State | 'erase' | 'convert'; readonly by: Actor; readonly now: Seconds };
  const step: fc.Arbitrary<Step> = fc.record({
    to: fc.constantFrom(...STATES, 'erase', 'convert'),
    by: fc.constantFrom(...ACTORS),
    now: fc.integer({ min: NOW - 100, max: NOW + 100 }).map(seconds),
  });

  function apply(referral: Referral, { to, by, now }: Step): Referral {
    if (to === 'erase') return erasePerson(referral, by, now);
    if (to === 'convert') {
      return referral.state === 'clicked'
        ? convertClick(referral, program, affiliate, { ...CONVERSION, actor: by }, now)
        : referral;
    }
    try {
      return setState(referral, to, by, now);
    } catch (error) {
      if (error instanceof StateRefused) return referral;
      throw error;
    }
  }

  test('keeps created_at <= state_set_at <= updated_at; state_set_at changes only with the state', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 40 }), (isClick, steps) => {
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
          expect(after.convertedAt === null).toBe(!changes.some(({ state }) => state === 'converted'));
          before = after;
        }
      }),
    );
  });
});
