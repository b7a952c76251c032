import { describe, expect, test } from '@jest/globals';
import { newClick, newReferral } from '../../../functions/domain/referral/referral.ts';
import { toListedReferral } from '../../../functions/http/referral.ts';
import { toCounts } from '../../../functions/referrals/mapping.ts';
import { conversionOf } from '../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID } from '../samples.ts';

const click = newClick(program, affiliate, { id: CLICK_ID, subId: null }, NOW);
const conversion = conversionOf({ email: 'a@example.com', customerUid: 'c-1', subId: 'spring' });
const referral = newReferral(REFERRAL_ID, { program, target: affiliate, ...conversion, now: NOW });

describe('referrals in the list', () => {
  test('a referral in the list has every field of the contract and no other', () => {
    expect(toListedReferral(referral, 'full')).toEqual({
      id: REFERRAL_ID,
      type: 'referral',
      attributes: {
        email: 'a@example.com',
        state: 'converted',
        state_set_at: NOW,
        created_at: NOW,
        updated_at: NOW,
        sub_id: 'spring',
        commission_percentage: 20,
        commission_end_date: referral.commissionEndDate,
      },
    });
  });

  test('a referral in the list has null for the values that a click lacks', () => {
    const rateless = { ...click, commissionPercentage: null };
    expect(toListedReferral(rateless, 'full').attributes).toEqual({
      email: null,
      state: 'clicked',
      state_set_at: NOW,
      created_at: NOW,
      updated_at: NOW,
      sub_id: null,
      commission_percentage: null,
      commission_end_date: null,
    });
  });
});

describe('counts without clicks', () => {
  const counts = { clicked: 0, converted: 1, paid: 2, churned: 3, rejected: 4 };
  const shown = { ...counts, clicked: null };

  test('counts without clicks have null for clicked in total, groups and other', () => {
    const all = { total: counts, groups: [{ key: 'news', counts }], other: counts };
    expect(toCounts('jane', all, false).attributes).toEqual({
      total: shown,
      groups: [{ key: 'news', ...shown }],
      other: shown,
    });
  });

  test('counts without clicks have null for other if it is null', () => {
    expect(toCounts('jane', { total: counts, groups: [], other: null }, false).attributes.other).toBeNull();
  });
});
