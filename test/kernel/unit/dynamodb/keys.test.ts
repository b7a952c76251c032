import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planAdvocates } from '../../../../functions/kernel/accounts/table/advocate-items.ts';
import * as keys from '../../../../functions/kernel/dynamodb/keys.ts';
import {
  advocateReferrals,
  advocateState,
  advocateSubId,
  programAdvocates,
} from '../../../../functions/kernel/dynamodb/keys.ts';
import { LAST_SECOND, type Milliseconds, milliseconds, seconds } from '../../../../functions/kernel/time.ts';
import { STATES } from '../../../../functions/referrals/rules/state.ts';
import { planReferrals, type ReferralFilters } from '../../../../functions/referrals/table/advocate-referrals.ts';
import { stateInPartition } from '../../../../functions/referrals/table/referral-item.ts';
import { anySlug, anyUtf16, aSecond, aUuid, CLICK_ID, NOW, PROGRAM_ID, REFERRAL_ID } from '../../../support/samples.ts';

const { isSortKey, justBefore, sortKey } = keys;
const anId = fc.oneof(aUuid, fc.constantFrom(CLICK_ID, REFERRAL_ID));
const compare = (one: string | number, other: string | number) => (one < other ? -1 : one > other ? 1 : 0);

describe('a sort key', () => {
  test('a sort key sorts by second, then by id', () => {
    const near = fc.integer({ min: 0, max: 3 }).map(seconds);
    const second = fc.oneof(aSecond, near);
    fc.assert(
      fc.property(second, anId, second, anId, (one, id, other, otherId) => {
        expect(compare(sortKey(one, id), sortKey(other, otherId))).toBe(compare(one, other) || compare(id, otherId));
      }),
      { numRuns: 500 },
    );
  });

  test('a longer or shorter text, or one with other characters, is no sort key', () => {
    fc.assert(
      fc.property(aSecond, anId, anyUtf16, fc.nat(48), (second, id, text, position) => {
        const key = sortKey(second, id);
        expect(isSortKey(text)).toBe(false);
        expect(isSortKey(key.slice(0, position) + key.slice(position + 1))).toBe(false);
        expect(isSortKey(`${key}\n`)).toBe(false);
        expect(isSortKey(`${key.slice(0, position)}~${key.slice(position + 1)}`)).toBe(false);
      }),
    );
  });
});

describe('the position just before a sort key', () => {
  const HEX = '0123456789abcdef';

  test('the position before a key is before that key, and not before any smaller key', () => {
    fc.assert(
      fc.property(aSecond, anId, aSecond, anId, fc.constantFrom(...HEX), (second, id, other, otherId, digit) => {
        const key = sortKey(second, id);
        const neighbor = sortKey(second, `${id.slice(0, -1)}${digit}`);
        for (const another of [sortKey(other, otherId), sortKey(second, otherId), neighbor]) {
          expect(another <= justBefore(key)).toBe(another < key);
        }
        expect(justBefore(key) < key).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([...HEX])('the position before a sort key is right for a key that ends in %s', (digit) => {
    const prefix = sortKey(NOW, CLICK_ID).slice(0, -1);
    const before = [...HEX].filter((last) => `${prefix}${last}` <= justBefore(`${prefix}${digit}`));
    expect(before.join('')).toBe(HEX.slice(0, HEX.indexOf(digit)));
  });
});

test('deliveries sort by their time, and between the bounds of every range that contains it', () => {
  const moment = fc.integer({ min: 0, max: 253_402_300_799_999 }).map(milliseconds);
  fc.assert(
    fc.property(moment, moment, anySlug, (one, other, eventId) => {
      const sk = (at: Milliseconds) => keys.deliveryKey(PROGRAM_ID, CLICK_ID, at, eventId).sk;
      expect(compare(sk(one), sk(other))).toBe(compare(one, other));
      expect(keys.firstDeliveryKey(other) < sk(one)).toBe(other <= one);
      expect(sk(one) < keys.AFTER_DELIVERIES).toBe(true);
    }),
  );
});

test('a partition by state is parsed into the slug and the state it was built from', () => {
  fc.assert(
    fc.property(aUuid, anySlug, fc.constantFrom(...STATES), (program, slug, state) => {
      const partition = keys.advocateState(program, slug, state);
      expect([keys.slugInPartition(partition), stateInPartition(partition)]).toEqual([slug, state]);
      // No other partition ends in a state, whatever the slug is.
      expect(stateInPartition(keys.advocateReferrals(program, slug))).toBe(STATES.find((each) => each === slug));
    }),
  );
  for (const other of [undefined, 1, '', 'program#slug#gone']) expect(stateInPartition(other)).toBeUndefined();
});

describe('the keys', () => {
  test('the keys of all kinds of items and lists differ, even if their parts are the same', () => {
    fc.assert(
      fc.property(anySlug, (part) => {
        const items = [
          keys.programKey(part),
          keys.stoppedProgramKey(part),
          keys.tokenKey(part),
          keys.advocateKey(PROGRAM_ID, part),
          keys.advocateUidKey(PROGRAM_ID, part),
          keys.referralKey(PROGRAM_ID, part),
          keys.emailKey(PROGRAM_ID, part),
          keys.customerKey(PROGRAM_ID, part),
          keys.stripeCustomerKey(PROGRAM_ID, part),
          keys.webhookKey(PROGRAM_ID, part),
          keys.deliveryKey(PROGRAM_ID, part, milliseconds(NOW * 1000), part),
          keys.idempotencyRecordKey(PROGRAM_ID, keys.idempotencyRecordName('POST /a', part)),
          keys.idempotencyRecordKey(PROGRAM_ID, keys.idempotencyRecordName('POST /b', part)),
        ].map(({ pk, sk }) => `${pk} ${sk}`);
        const lists = [
          keys.ALL_PROGRAMS,
          keys.programTokens(PROGRAM_ID),
          keys.programAdvocates(PROGRAM_ID),
          keys.programWebhooks(PROGRAM_ID),
          keys.advocateReferrals(PROGRAM_ID, part),
          ...STATES.map((state) => keys.advocateState(PROGRAM_ID, part, state)),
          keys.advocateSubId(PROGRAM_ID, part, true, part),
          keys.advocateSubId(PROGRAM_ID, part, false, part),
        ];
        expect(new Set([...items, ...lists]).size).toBe(items.length + lists.length);
      }),
    );
  });

  test('the keys of items in a program start with the id of the program', () => {
    const own = [
      keys.advocateKey(PROGRAM_ID, 'jane').pk,
      keys.advocateUidKey(PROGRAM_ID, 'u#1').pk,
      keys.referralKey(PROGRAM_ID, CLICK_ID).pk,
      keys.emailKey(PROGRAM_ID, 'a@example.com').pk,
      keys.customerKey(PROGRAM_ID, 'c').pk,
      keys.stripeCustomerKey(PROGRAM_ID, keys.stripeCustomerName('cus_1')).pk,
      keys.webhookKey(PROGRAM_ID, CLICK_ID).pk,
      keys.deliveryKey(PROGRAM_ID, CLICK_ID, milliseconds(0), 'a.1').pk,
      keys.idempotencyRecordKey(PROGRAM_ID, keys.idempotencyRecordName('POST /a', 'k')).pk,
    ];
    for (const pk of own) {
      expect(pk.startsWith(`PROGRAM#${PROGRAM_ID}#`)).toBe(true);
      expect(keys.programInKey(pk)).toBe(PROGRAM_ID);
    }
  });

  test('the keys of lists differ between programs, even if advocates, states and sub ids are the same', () => {
    const lists = (program: string) => [
      keys.programTokens(program),
      keys.programAdvocates(program),
      keys.programWebhooks(program),
      keys.advocateReferrals(program, 'jane'),
      keys.advocateSubId(program, 'john', true, 'news'),
      ...STATES.map((state) => keys.advocateState(program, 'jane', state)),
      keys.advocateSubId(program, 'jane', true, 'news'),
      keys.advocateSubId(program, 'jane', false, 'news'),
    ];
    expect(new Set([...lists(PROGRAM_ID), ...lists(CLICK_ID)]).size).toBe(2 * lists(PROGRAM_ID).length);
    for (const list of lists(PROGRAM_ID)) expect(list).toContain(PROGRAM_ID);
  });

  test('the keys contain no email, customer id or idempotency key, only their hashes', () => {
    const secret = 'marker@example.com';
    const made = [
      keys.emailKey(PROGRAM_ID, secret),
      keys.customerKey(PROGRAM_ID, secret),
      keys.stripeCustomerName(secret),
      keys.idempotencyRecordKey(PROGRAM_ID, keys.idempotencyRecordName('POST /a', secret)),
    ];
    expect(JSON.stringify(made)).not.toContain('marker');
    expect(keys.emailKey(PROGRAM_ID, '').pk).toMatch(/#EMAIL#e3b0c44298fc1c149afbf4c8996fb924[0-9a-f]{32}$/);
  });
});

const ALL = { from: 0, to: LAST_SECOND };
const created = { from: seconds(100), to: seconds(300) };
const set = { from: seconds(200), to: seconds(400) };
const NONE: ReferralFilters = {
  state: undefined,
  subId: undefined,
  createdAt: undefined,
  stateSetAt: undefined,
};
const plan = (filters: Partial<ReferralFilters>) => planReferrals(PROGRAM_ID, 'jane', { ...NONE, ...filters });

const all = advocateReferrals(PROGRAM_ID, 'jane');
const paid = advocateState(PROGRAM_ID, 'jane', 'paid');
const clicks = advocateState(PROGRAM_ID, 'jane', 'clicked');
const subId = advocateSubId(PROGRAM_ID, 'jane', false, 's');
const subIdClicks = advocateSubId(PROGRAM_ID, 'jane', true, 's');

describe("the plan of an advocate's referrals", () => {
  test.each([
    [{}, 'by_created_at', all, ALL, {}],
    [{ state: 'paid', createdAt: created }, 'by_state', paid, created, {}],
    [{ subId: 's' }, 'by_sub_id', subId, ALL, { equal: {} }],
    [{ subId: 's', state: 'paid', createdAt: created }, 'by_sub_id', subId, created, { equal: { state: 'paid' } }],
    [{ stateSetAt: set }, 'by_state_set_at', all, set, { equal: {} }],
    [
      { stateSetAt: set, subId: 's', state: 'paid' },
      'by_state_set_at',
      all,
      set,
      { equal: { sub_id: 's', state: 'paid' } },
    ],
    [
      { stateSetAt: set, createdAt: created, subId: 's', state: 'paid' },
      'by_state_set_at',
      all,
      set,
      { createdAt: created, equal: { sub_id: 's', state: 'paid' } },
    ],
    [{ state: 'clicked' }, 'by_state', clicks, ALL, {}],
    [{ state: 'clicked', createdAt: created, stateSetAt: set }, 'by_state', clicks, { from: 200, to: 300 }, {}],
    [{ state: 'clicked', subId: 's' }, 'by_sub_id', subIdClicks, ALL, {}],
    [
      { state: 'clicked', subId: 's', createdAt: created, stateSetAt: set },
      'by_sub_id',
      subIdClicks,
      { from: 200, to: 300 },
      {},
    ],
  ] satisfies [Partial<ReferralFilters>, ...unknown[]][])(
    'the plan with the filters %j reads %s',
    (filters, index, partition, range, filter) => {
      expect(plan(filters)).toEqual({ index, partition, range, filter });
    },
  );

  test('the plan starts no earlier than the lower bound of created_at: no state is set before', () => {
    const late = { from: seconds(350), to: seconds(1000) };
    expect(plan({ stateSetAt: set, createdAt: late })).toMatchObject({
      range: { from: 350, to: 400 },
      filter: { createdAt: late },
    });
  });
});

test("the plan of a program's advocates is the range of created_at in its own partition", () => {
  fc.assert(
    fc.property(fc.option(fc.record({ from: aSecond, to: aSecond }), { nil: undefined }), (range) => {
      expect(planAdvocates(PROGRAM_ID, range)).toEqual({
        index: 'by_created_at',
        partition: programAdvocates(PROGRAM_ID),
        range: range ?? ALL,
        filter: { equal: {} },
      });
    }),
  );
});
