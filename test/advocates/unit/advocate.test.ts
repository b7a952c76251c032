import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  type AdvocateChanges,
  type AdvocateDraft,
  changeAdvocate,
  changeOwn,
  draftAdvocate,
  newAdvocate,
  undoPayoutAccount,
} from '../../../functions/advocates/rules/advocate-changes.ts';
import {
  type AdvocateFields,
  EMPTY_ADVOCATE,
  referralLinks,
} from '../../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { newProgram, type ProgramFields } from '../../../functions/kernel/accounts/rules/program.ts';
import { emptyValues } from '../../../functions/kernel/fields/field-list.ts';
import { type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { NOW, PROGRAM_ID, program, REFERRAL_ID, refusal } from '../../support/samples.ts';

const FIELDS: AdvocateFields = { ...EMPTY_ADVOCATE, email: ' Jane@Example.com', slug: 'Jane-Doe' };
const make = (change: Partial<AdvocateFields> = {}) => newAdvocate({ ...FIELDS, ...change }, REFERRAL_ID, NOW);

describe('advocates', () => {
  test('an advocate starts active, with normalized email and slug, and without the fields that are not given', () => {
    expect(make()).toEqual({
      ...emptyValues(ADVOCATE_FIELDS),
      id: REFERRAL_ID,
      email: 'jane@example.com',
      slug: 'jane-doe',
      createdAt: NOW,
      active: true,
      version: 1,
    });
  });

  test.each<[string, Partial<AdvocateFields>]>([
    ['email', { email: 'jane' }],
    ['first_name', { firstName: 'a\u200b' }],
    ['slug', { slug: 'jane doe' }],
    ['company', { company: '\ud800' }],
  ])('an advocate with an invalid %s is rejected, and the error contains it: %j', (field, change) => {
    expect(refusal(() => make(change))).toMatch(new RegExp(`^${field} must `));
  });
});

describe('a draft of an advocate', () => {
  const draft = (change: Partial<AdvocateDraft>) =>
    draftAdvocate({ ...FIELDS, ...change }, { slugs: 'names' }, { id: REFERRAL_ID, now: NOW, random: randomBytes });

  test('a draft without a slug gets one from its names, never from its email', () => {
    const { advocate, otherSlugs } = draft({ slug: null, firstName: 'Zoë', lastName: "O'Neil" });
    expect(advocate).toEqual(make({ slug: 'zoe-o-neil', firstName: 'Zoë', lastName: "O'Neil" }));
    expect(otherSlugs).toHaveLength(7);
    const nameless = draft({ slug: null, email: 'secret@example.com' });
    for (const slug of [nameless.advocate.slug, ...nameless.otherSlugs]) expect(slug).toMatch(/^[a-z0-9]{8}$/);
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

  test.each<[AdvocateChanges]>([
    [{}],
    [{ email: ' JANE@example.com ' }],
    [{ active: true, uid: 'Ab#1', commissionPercentage: 12.5, company: 'Doe & Söhne' }],
  ])('the update %j changes nothing: the same object is returned', (changes) => {
    expect(changeAdvocate(before, changes, NOW)).toBe(before);
  });
});

test('another address makes the account pending, and no change undoable whose time has passed', () => {
  const pay = (payoutAccount: string) => ({ payoutMethod: 'paypal', payoutAccount }) as const;
  const changed = changeOwn({ ...make(pay('old@x.example')), signedInAt: NOW }, pay('new@x.example'), NOW);
  const undoneAfter = (now: Seconds) => undoPayoutAccount(changeAdvocate(changed, { email: 'a@x.example' }, now), now);
  expect(undoneAfter(NOW)).toMatchObject(pay('old@x.example'));
  expect(undoneAfter(seconds(NOW + 4 * 86_400))).toBeUndefined();
});

test('an update checks names only if they change, because stored ones may be older than the rule', () => {
  const names = { firstName: 'علی\u200cرضا', lastName: '\u200f', company: '👩\u200d💻' };
  const stored = { ...make(), ...names };
  expect(changeAdvocate(stored, { active: false }, NOW)).toEqual({ ...stored, active: false, version: 2 });
  for (const [name, text] of Object.entries(names)) {
    expect(refusal(() => changeAdvocate(stored, { [name]: `${text}\u200b` }, NOW))).toMatch(
      /must not contain zero-width/,
    );
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
});

const makeProgram = (change: Partial<ProgramFields> = {}) =>
  newProgram({ name: 'Acme', siteUrl: 'https://acme.example', ...change }, PROGRAM_ID, NOW);

describe('programs', () => {
  test('a program has by default the parameter via, an attribution window of 90 days and no rate', () => {
    expect(makeProgram()).toEqual({
      id: PROGRAM_ID,
      name: 'Acme',
      publicKey: 'pk_019a2b3c4d5e7f608a1b2c3d4e5f6071',
      siteUrl: 'https://acme.example/',
      linkParameter: 'via',
      commissionPercentage: null,
      commissionMonths: null,
      commissionRulesId: null,
      attributionDays: 90,
      payableAfterDays: 0,
      allowedOrigins: [],
      affiliatesSeeEmail: 'full',
      assistantsSeeEmail: 'masked',
      codePriority: 'link',
      slugs: 'names',
      mode: 'live',
      payoutName: null,
      payoutIban: null,
      minimumPayout: {},
      payoutDay: null,
      accent: null,
      logoVersion: null,
      onRefund: 'ignore',
      createdAt: NOW,
    });
  });

  test('a program accepts numbers up to their limits', () => {
    const full = { commissionPercentage: 100, commissionMonths: 1200, attributionDays: 3650, payableAfterDays: 365 };
    expect(makeProgram(full)).toMatchObject(full);
    const least = { commissionPercentage: 0, commissionMonths: 1, attributionDays: 1, payableAfterDays: 0 };
    expect(makeProgram(least)).toMatchObject(least);
    expect(makeProgram({ commissionPercentage: 12.5 }).commissionPercentage).toBe(12.5);
    expect(makeProgram({ commissionPercentage: 12.3456789 }).commissionPercentage).toBe(12.345679);
  });

  test('a program keeps its origins in lower case, as browsers send them', () => {
    expect(
      makeProgram({ allowedOrigins: ['https://WWW.acme.example', 'http://localhost:3000'] }).allowedOrigins,
    ).toEqual(['https://www.acme.example', 'http://localhost:3000']);
  });

  test.each<[string, Partial<ProgramFields>]>([
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(201) }],
    ['name', { name: 'a\u200bb' }],
    ['site_url', { siteUrl: 'javascript:alert(1)' }],
    ['site_url', { siteUrl: 'https://user@acme.example' }],
    ['site_url', { siteUrl: 'https://:secret@acme.example' }],
    ['site_url', { siteUrl: `https://acme.example/${'a'.repeat(2048)}` }],
    ['link_parameter', { linkParameter: 'gr_id' }],
    ['link_parameter', { linkParameter: 'a=b' }],
    ['link_parameter', { linkParameter: 'a'.repeat(33) }],
    ['commission_percentage', { commissionPercentage: -0.1 }],
    ['commission_percentage', { commissionPercentage: 100.1 }],
    ['commission_months', { commissionMonths: 0 }],
    ['commission_months', { commissionMonths: 1201 }],
    ['allowed_origins', { allowedOrigins: ['https://acme.example/'] }],
    ['allowed_origins', { allowedOrigins: ['null'] }],
    ['allowed_origins', { allowedOrigins: ['https://acme.example', 'https://b.example/path'] }],
  ])('a program with an invalid %s is rejected, and the error contains it: %j', (field, change) => {
    expect(refusal(() => makeProgram(change))).toMatch(new RegExp(`^${field} must `));
  });
});
