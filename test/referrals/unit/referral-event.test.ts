import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { erasePerson, reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import {
  eventBody,
  eventsBetween,
  eventsOf,
  REFERRAL_EVENT_TYPES,
  type ReferralEvent,
} from '../../../functions/referrals/rules/referral-event.ts';
import { NO_VALUES } from '../../../functions/referrals/rules/referral-fields.ts';
import { DEFAULT_EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import { attributed } from '../../support/conversion.ts';
import { affiliate, NOW, program, REFERRAL_ID } from '../../support/samples.ts';
import { aClick, aConversion, JOHN, LATER } from './situations.ts';
import { apply, aStep } from './steps.ts';

/** What a change fixes. An event gets the slug and the rate of the row when it is built. */
const fixed = ({ affiliateSlug: _, commission, ...event }: ReferralEvent) => {
  return { ...event, commissionEndDate: commission?.commissionEndDate };
};
/** The event of the change from one version to the next. */
const changeTo = ({ id, version, state, stateSetAt, updatedAt }: Referral, before: Referral) => {
  return { id: `${id}.${version}`, state, stateSetAt, previousState: before.state, setAt: updatedAt };
};
const moved = (referral: Referral, times: number): Referral => {
  let current = referral;
  for (let move = 0; move < times; move += 1) {
    const target = current.advocateSlug === JOHN.slug ? affiliate : JOHN;
    current = reassign(current, { ...attributed(program, target), actor: 'merchant', now: NOW });
  }
  return current;
};

describe('events of a sequence of changes', () => {
  test('events have ids that count all changes, and are the same when they are rebuilt from the history', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(aStep, { maxLength: 250, size: 'max' }), (isClick, steps) => {
        let current = isClick ? aClick() : aConversion();
        const published = eventsBetween(null, current);
        for (const step of steps) {
          const before = current;
          current = apply(before, step);
          const events = eventsBetween(before, current);
          expect(events).toMatchObject(current === before || step.by === 'import' ? [] : [changeTo(current, before)]);
          published.push(...events);
        }
        const rebuilt = eventsOf(current).map(fixed);
        const [first] = rebuilt;
        const from = published.findIndex(({ id }) => id === first?.id);
        expect(rebuilt).toEqual(published.slice(first ? from : published.length).map(fixed));
        const isTruncated = current.version > current.history.length;
        expect(isTruncated || rebuilt.length === published.length).toBe(true);
      }),
      // To shrink hundreds of changes would take minutes.
      { numRuns: 30, endOnFailure: true },
    );
  });

  test('events go on after the state was dropped from the history', () => {
    const before = moved(aConversion(), 150);
    expect(before.history).toHaveLength(100);
    const after = setState(before, 'paid', 'merchant', LATER);
    expect(eventsBetween(before, after)).toMatchObject([
      { id: `${REFERRAL_ID}.152`, type: 'referral.paid', previousState: 'converted', state: 'paid' },
    ]);
    // The state before is unknown, so the change cannot be rebuilt.
    expect(eventsOf(after)).toEqual([]);
    const last = moved(after, 1);
    expect(eventsOf(last)).toMatchObject([{ id: `${REFERRAL_ID}.153`, previousState: 'paid', state: 'paid' }]);
  });
});

test('an import is not an event, but counts', () => {
  const imported: Referral = {
    ...aConversion(),
    history: [{ type: 'state', state: 'converted', setAt: NOW, by: 'import' }],
  };
  expect(eventsBetween(null, imported)).toEqual([]);
  const paid = setState(imported, 'paid', 'merchant', LATER);
  expect(eventsOf(paid)).toMatchObject([{ id: `${REFERRAL_ID}.2`, previousState: 'converted' }]);
});

test('every kind of change has its type; restoring is a conversion after a rejection', () => {
  let current = setState(aConversion(), 'rejected', 'operator', NOW);
  for (const state of ['converted', 'paid', 'churned'] as const) current = setState(current, state, 'merchant', NOW);
  current = erasePerson(
    reassign(current, { ...attributed(program, JOHN), actor: 'merchant', now: NOW }),
    'operator',
    NOW,
  );
  expect(eventsOf(current).map(({ type, previousState, state }) => [type, previousState, state])).toEqual([
    ['referral.converted', null, 'converted'],
    ['referral.rejected', 'converted', 'rejected'],
    ['referral.converted', 'rejected', 'converted'],
    ['referral.paid', 'converted', 'paid'],
    ['referral.churned', 'paid', 'churned'],
    ['referral.reassigned', 'churned', 'churned'],
    ['referral.erased', 'churned', 'churned'],
  ]);
  expect(eventsOf(aClick())).toMatchObject([{ type: 'referral.clicked', by: 'visitor', previousState: null }]);
  expect([...REFERRAL_EVENT_TYPES].toSorted()).toEqual([...DEFAULT_EVENT_TYPES, 'referral.clicked'].toSorted());
});

describe('the body', () => {
  const metadata = { plan: 'pro' };
  const fields = { customerUid: 'customer-1', flags: ['self_referral'], metadata } as const;
  const current = { ...NO_VALUES, advocateId: 'an-id', ...fields };
  const event = (referral: Referral): ReferralEvent => {
    const last = eventsOf(referral).at(-1);
    if (!last) throw new Error('The referral has no event.');
    return last;
  };
  const paid = event(setState({ ...aConversion(), subId: 'news' }, 'paid', 'page', LATER));

  test('the body has exactly the fields of the contract', () => {
    expect(eventBody(paid, current)).toEqual({
      type: 'referral.paid',
      timestamp: '2026-05-28T21:26:40Z',
      data: {
        id: REFERRAL_ID,
        state: 'paid',
        previous_state: 'converted',
        state_set_at: LATER,
        created_at: NOW,
        sub_id: 'news',
        uid: 'customer-1',
        affiliate_slug: affiliate.slug,
        advocate_id: 'an-id',
        commission_percentage: program.commissionPercentage,
        commission_end_date: aConversion().commissionEndDate,
        flags: ['self_referral'],
        metadata,
        by: 'page',
      },
    });
    expect(eventBody({ ...paid, setAt: NOW }, current).timestamp).toBe('2026-05-28T20:26:40Z');
  });

  test('the body has null for a missing rate, for a commission without an end, and for the end of a click', () => {
    const endless = { ...aConversion(), commissionPercentage: null, commissionEndDate: null };
    expect(eventBody(event(endless), current).data).toMatchObject({
      commission_percentage: null,
      commission_end_date: null,
    });
    const [clicked] = eventsOf({
      ...apply(aClick(), { to: 'convert', by: 'page', now: LATER }),
      commissionEndDate: LATER,
    });
    expect(clicked).toMatchObject({ type: 'referral.clicked', commission: { commissionEndDate: null } });
  });

  test('the body has the slugs of a move, and of nothing else', () => {
    const move = eventBody(event(moved(aConversion(), 1)), current);
    expect(move.data).toMatchObject({ from: affiliate.slug, to: JOHN.slug, affiliate_slug: JOHN.slug });
    expect(eventBody(paid, current).data).not.toHaveProperty('from');
  });

  test('the body has an email only for receivers that get it, and null after an erasure', () => {
    expect(eventBody(paid, current, 'a@example.com').data).toMatchObject({ email: 'a@example.com' });
    expect(eventBody(paid, current, null).data).toMatchObject({ email: null });
    expect(eventBody(paid, current).data).not.toHaveProperty('email');
  });
});
