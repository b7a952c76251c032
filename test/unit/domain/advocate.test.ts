import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AdvocateFields, newAdvocate, referralLinks } from '../../../functions/domain/advocate.ts';
import { anySlug, NOW, program, REFERRAL_ID, refusal } from '../samples.ts';

const FIELDS: AdvocateFields = {
  email: ' Jane@Example.com',
  firstName: null,
  lastName: null,
  slug: 'Jane-Doe',
  uid: null,
  companyId: null,
  company: null,
  commissionPercentage: null,
};
const make = (change: Partial<AdvocateFields> = {}) => newAdvocate({ ...FIELDS, ...change }, REFERRAL_ID, NOW);

describe('an advocate', () => {
  test('starts active, with normalized email and slug, and null for missing fields', () => {
    expect(make()).toEqual({
      id: REFERRAL_ID,
      email: 'jane@example.com',
      firstName: null,
      lastName: null,
      slug: 'jane-doe',
      uid: null,
      companyId: null,
      company: null,
      commissionPercentage: null,
      createdAt: NOW,
      active: true,
    });
  });

  test('keeps its uid with its case, and its names as they are', () => {
    expect(make({ uid: 'Ab#1', firstName: 'Zoë', lastName: "O'Neil" })).toMatchObject({
      uid: 'Ab#1',
      firstName: 'Zoë',
      lastName: "O'Neil",
    });
  });

  test.each<[string, Partial<AdvocateFields>]>([
    ['email', { email: 'jane' }],
    ['first_name', { firstName: '' }],
    ['first_name', { firstName: 'a'.repeat(201) }],
    ['last_name', { lastName: 'a\u0000' }],
    ['slug', { slug: 'jane doe' }],
    ['uid', { uid: 'a'.repeat(129) }],
    ['uid', { uid: '' }],
    ['company_id', { companyId: 'a'.repeat(129) }],
    ['company', { company: '\ud800' }],
    ['commission_percentage', { commissionPercentage: 101 }],
  ])('with an invalid %s is rejected, and the error names it: %j', (field, change) => {
    expect(refusal(() => make(change))).toMatch(new RegExp(`^${field} must `));
  });
});

describe('the referral link of an advocate', () => {
  test.each([
    ['https://acme.example/', 'via', 'https://acme.example/?via=jane'],
    ['https://acme.example/shop?x=1#top', 'ref', 'https://acme.example/shop?x=1&ref=jane#top'],
    ['https://acme.example/?via=other&via=another', 'via', 'https://acme.example/?via=jane'],
  ])('to %s with the parameter %s is %s', (siteUrl, linkParameter, link) => {
    expect(referralLinks({ ...program, siteUrl, linkParameter })('jane')).toBe(link);
  });

  test("is the advocate's own, however many links one program builds", () => {
    fc.assert(
      fc.property(fc.array(anySlug), (slugs) => {
        const link = referralLinks(program);
        expect(slugs.map(link)).toEqual(slugs.map((slug) => `https://acme.example/?via=${slug}`));
      }),
    );
  });
});
