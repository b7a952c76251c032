import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { optional, required } from '../../../../functions/kernel/dynamodb/item.ts';
import * as parsers from '../../../../functions/kernel/fields/parsers.ts';
import { referralWriteOf } from '../../../../functions/referrals/table/stream.ts';
import { aClick, aConversion } from '../../../referrals/unit/situations.ts';
import { apply, aStep } from '../../../referrals/unit/steps.ts';
import { itemRecord, streamRecord } from '../../../support/events/events.ts';
import { PROGRAM_ID } from '../../../support/samples.ts';

/** The name of a type, its parser, a value of the type, values of other types. */
const PARSERS: [string, (value: unknown) => unknown, unknown, unknown[]][] = [
  ['text', parsers.text, 'a', [1, null, ['a'], {}, true]],
  ['number', parsers.number, 1.5, ['1', null, [1], {}]],
  ['wholeSeconds', parsers.wholeSeconds, 1_780_000_000, ['1780000000', null, {}]],
  ['texts', parsers.texts, ['a', 'b'], ['a', [1], ['a', null], {}]],
  ['record', parsers.record, { a: 1 }, ['a', null, [], 1]],
];

describe('attributes of an item', () => {
  test.each(PARSERS)('an attribute of the type %s is returned unchanged', (_, parse, value) => {
    expect(required({ a: value }, 'a', parse)).toEqual(value);
    expect(optional({ a: value }, 'a', parse)).toEqual(value);
  });

  test.each(PARSERS)('an attribute of another type than %s is an error', (_, parse, __, others) => {
    for (const other of others) {
      expect(() => required({ a: other }, 'a', parse)).toThrow('attribute "a" of an item is missing');
      expect(() => optional({ a: other }, 'a', parse)).toThrow('attribute "a" of an item is missing');
    }
  });
});

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
});
