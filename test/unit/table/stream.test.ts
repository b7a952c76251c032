import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toReferralItem } from '../../../functions/table/referrals/referral-item.ts';
import { referralWriteOf } from '../../../functions/table/stream.ts';
import { itemRecord, streamRecord } from '../../support/events/events.ts';
import { aClick, aConversion } from '../domain/referral/situations.ts';
import { apply, aStep } from '../domain/referral/steps.ts';
import { PROGRAM_ID } from '../samples.ts';

describe('a record of the stream', () => {
  test('a record of the stream is parsed into the referral before and after any change', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(aStep, { maxLength: 10 }), aStep, (isClick, steps, last) => {
        const before = steps.reduce(apply, isClick ? aClick() : aConversion());
        const after = apply(before, last);
        const program = PROGRAM_ID;
        expect(referralWriteOf(streamRecord(program, before, after))).toEqual({ program, before, after });
        expect(referralWriteOf(streamRecord(program, null, after))).toEqual({ program, before: null, after });
      }),
    );
  });

  test('a record of the stream of a deletion or of another item is ignored', () => {
    expect(referralWriteOf(streamRecord(PROGRAM_ID, aClick(), null))).toBeUndefined();
    expect(referralWriteOf(itemRecord(null, { pk: `PROGRAM#${PROGRAM_ID}`, sk: 'PROGRAM' }))).toBeUndefined();
    expect(referralWriteOf({ eventName: 'INSERT' })).toBeUndefined();
  });

  test.each(['owner_state', 'version', 'state_set_at', 'updated_at'])(
    'a record of the stream without %s is an error',
    (attribute) => {
      const item = Object.fromEntries(
        Object.entries(toReferralItem(PROGRAM_ID, aConversion())).filter(([name]) => name !== attribute),
      );
      expect(() => referralWriteOf(itemRecord(null, item))).toThrow(`"${attribute}"`);
    },
  );
});
