import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AdvocateChanges,
  type AdvocateDraft,
  type AdvocateFields,
  changeAdvocate,
  draftAdvocate,
  EMPTY_ADVOCATE,
  newAdvocate,
  referralLinks,
} from '../../../functions/domain/advocate.ts';
import { anySlug, NOW, program, REFERRAL_ID, refusal } from '../samples.ts';

const FIELDS: AdvocateFields = { ...EMPTY_ADVOCATE, email: ' Jane@Example.com', slug: 'Jane-Doe' };
const make = (change: Partial<AdvocateFields> = {}) => newAdvocate({ ...FIELDS, ...change }, REFERRAL_ID, NOW);

describe('advocates', () => {
  test('an advocate starts active, with normalized email and slug, and without the fields that are not given', () => {
    expect(make()).toEqual({
      ...EMPTY_ADVOCATE,
      erasedAt: null,
      tokensRevokedAt: null,
      id: REFERRAL_ID,
      email: 'jane@example.com',
      slug: 'jane-doe',
      createdAt: NOW,
      active: true,
      version: 1,
    });
  });

  test('an advocate keeps its uid with its case, and its names as they are', () => {
    expect(make({ uid: 'Ab#1', firstName: 'Zoë', lastName: "O'Neil" })).toMatchObject({
      uid: 'Ab#1',
      firstName: 'Zoë',
      lastName: "O'Neil",
    });
  });

  test.each<[string, Partial<AdvocateFields>]>([
    ['email', { email: 'jane' }],
    ['first_name', { firstName: '' }],
    ['first_name', { firstName: 'a\u200b' }],
    ['slug', { slug: 'jane doe' }],
    ['uid', { uid: 'a'.repeat(129) }],
    ['company_id', { companyId: 'a'.repeat(129) }],
    ['company', { company: '\ud800' }],
    ['commission_percentage', { commissionPercentage: 101 }],
  ])('an advocate with an invalid %s is rejected, and the error contains it: %j', (field, change) => {
    expect(refusal(() => make(change))).toMatch(new RegExp(`^${field} must `));
  });
});

describe('a draft of an advocate', () => {
  const draft = (change: Partial<AdvocateDraft>) =>
    draftAdvocate({ ...FIELDS, ...change }, { slugs: 'names' }, { id: REFERRAL_ID, now: NOW, random: randomBytes });

  test('a draft with a slug has no other slugs to try', () => {
    expect(draft({ slug: 'Jane-Doe' })).toEqual({ advocate: make(), otherSlugs: [] });
  });

  test('a draft without a slug gets one from its names, never from its email', () => {
    const { advocate, otherSlugs } = draft({ slug: null, firstName: 'Zoë', lastName: "O'Neil" });
    expect(advocate).toEqual(make({ slug: 'zoe-o-neil', firstName: 'Zoë', lastName: "O'Neil" }));
    expect(otherSlugs).toHaveLength(7);
    const nameless = draft({ slug: null, email: 'secret@example.com' });
    for (const slug of [nameless.advocate.slug, ...nameless.otherSlugs]) expect(slug).toMatch(/^[a-z0-9]{8}$/);
  });

  test('a draft is checked like an advocate', () => {
    expect(refusal(() => draft({ slug: null, email: 'jane' }))).toMatch(/^email must /);
    expect(refusal(() => draft({ slug: '' }))).toMatch(/^slug must /);
  });
});

describe('updates of an advocate', () => {
  const before = make({
    firstName: 'Jane',
    lastName: 'Doe',
    uid: 'Ab#1',
    companyId: 'org-1',
    company: 'Doe & Söhne',
    commissionPercentage: 12.5,
  });

  test.each<[AdvocateChanges, AdvocateChanges]>([
    [{ email: ' New@Example.com' }, { email: 'new@example.com' }],
    [{ lastName: null }, { lastName: null }],
    [{ companyId: null }, { companyId: null }],
    [{ commissionPercentage: 0 }, { commissionPercentage: 0 }],
    [{ commissionPercentage: null }, { commissionPercentage: null }],
    [{ active: false }, { active: false }],
    [
      { active: false, uid: null },
      { active: false, uid: null },
    ],
  ])('the update %j sets exactly these fields and adds one to the version', (changes, after) => {
    expect(changeAdvocate(before, changes)).toEqual({ ...before, ...after, version: 2 });
  });

  test.each<[AdvocateChanges]>([
    [{}],
    [{ email: ' JANE@example.com ' }],
    [{ active: true, uid: 'Ab#1', commissionPercentage: 12.5, company: 'Doe & Söhne' }],
  ])('the update %j changes nothing: the same object is returned', (changes) => {
    expect(changeAdvocate(before, changes)).toBe(before);
  });

  test.each<[string, AdvocateChanges]>([
    ['email', { email: '' }],
    ['first_name', { firstName: 'a\u200b' }],
    ['commission_percentage', { commissionPercentage: 100.5 }],
  ])('an update to an invalid %s is rejected, and the error contains it', (field, changes) => {
    expect(refusal(() => changeAdvocate(before, changes))).toMatch(new RegExp(`^${field} must `));
  });
});

test('an update checks names only if they change, because stored ones may be older than the rule', () => {
  const names = { firstName: 'علی\u200cرضا', lastName: '\u200f', company: '👩\u200d💻' };
  const stored = { ...make(), ...names };
  expect(changeAdvocate(stored, { active: false })).toEqual({ ...stored, active: false, version: 2 });
  for (const [name, text] of Object.entries(names)) {
    expect(refusal(() => changeAdvocate(stored, { [name]: `${text}\u200b` }))).toMatch(/must not contain zero-width/);
  }
});

describe('referral links', () => {
  test.each([
    ['https://acme.example/', 'via', 'https://acme.example/?via=jane'],
    ['https://acme.example/shop?x=1#top', 'ref', 'https://acme.example/shop?x=1&ref=jane#top'],
    ['https://acme.example/?via=other&via=another', 'via', 'https://acme.example/?via=jane'],
  ])('the link to %s with the parameter %s is %s', (siteUrl, linkParameter, link) => {
    expect(referralLinks({ ...program, siteUrl, linkParameter })('jane')).toBe(link);
  });

  test("a link is the advocate's own, however many links one program builds", () => {
    fc.assert(
      fc.property(fc.array(anySlug), (slugs) => {
        const link = referralLinks(program);
        expect(slugs.map(link)).toEqual(slugs.map((slug) => `https://acme.example/?via=${slug}`));
      }),
    );
  });
});
