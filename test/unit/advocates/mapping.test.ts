import { describe, expect, test } from '@jest/globals';
import { toAdvocateV1 } from '../../../functions/advocates/mapping.ts';
import { type Advocate, EMPTY_ADVOCATE, referralLinks } from '../../../functions/domain/advocate.ts';
import { affiliate, NOW, PROGRAM_ID, program, REFERRAL_ID } from '../samples.ts';

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
