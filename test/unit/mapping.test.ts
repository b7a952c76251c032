import { describe, expect, test } from '@jest/globals';
import { toAdvocateV1 } from '../../functions/advocates/mapping.ts';
import { type Advocate, EMPTY_ADVOCATE, referralLinks } from '../../functions/domain/advocate.ts';
import { newClick, newReferral } from '../../functions/domain/referral/referral.ts';
import { toListedReferral } from '../../functions/http/referral.ts';
import { toCounts } from '../../functions/referrals/mapping.ts';
import { conversionOf } from '../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, PROGRAM_ID, program, REFERRAL_ID } from './samples.ts';

describe('advocates', () => {
  const advocate: Advocate = {
    ...EMPTY_ADVOCATE,
    ...affiliate,
    id: REFERRAL_ID,
    createdAt: NOW,
    erasedAt: null,
    tokensRevokedAt: null,
    version: 1,
  };
  const resource = (change: Partial<Advocate> = {}) =>
    toAdvocateV1(program, referralLinks(program), { ...advocate, ...change });

  describe('an advocate in the list', () => {
    test('an advocate in the list has every field of the contract, null if it has no value', () => {
      expect(resource()).toEqual({
        id: REFERRAL_ID,
        type: 'advocate',
        attributes: {
          id: REFERRAL_ID,
          uid: null,
          email: 'jane@example.com',
          first_name: null,
          last_name: null,
          slug: 'jane-doe',
          referral_link: 'https://acme.example/?via=jane-doe',
          company_id: PROGRAM_ID,
          company: 'Acme',
          created_at: NOW,
        },
      });
    });

    test('an advocate in the list has the uid and the names', () => {
      const names = { uid: 'u-1', firstName: 'Jane', lastName: 'Doe' };
      expect(resource(names).attributes).toMatchObject({ uid: 'u-1', first_name: 'Jane', last_name: 'Doe' });
    });

    test.each([
      [null, null, PROGRAM_ID, 'Acme'],
      ['c-1', null, 'c-1', null],
      [null, 'Doe Ltd', null, 'Doe Ltd'],
      ['c-1', 'Doe Ltd', 'c-1', 'Doe Ltd'],
    ])(
      'an advocate in the list with the company id %p and the company %p has %p and %p',
      (companyId, company, shownId, shown) => {
        expect(resource({ companyId, company }).attributes).toMatchObject({
          company_id: shownId,
          company: shown,
        });
      },
    );

    test('an advocate in the list does not reveal whether it is active, nor its commission', () => {
      expect(resource({ active: false, commissionPercentage: 30 })).toEqual(resource());
    });
  });
});

describe('referrals', () => {
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
});
