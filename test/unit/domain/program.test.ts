import { describe, expect, test } from '@jest/globals';
import { changeProgram, newProgram, type ProgramFields, publicKeyOf } from '../../../functions/domain/program.ts';
import { NOW, PROGRAM_ID, refusal } from '../samples.ts';

const make = (change: Partial<ProgramFields> = {}) =>
  newProgram({ name: 'Acme', siteUrl: 'https://acme.example', ...change }, PROGRAM_ID, NOW);

test('an update checks the name only if it changes, because a stored one may be older than the rule', () => {
  const stored = { ...make(), name: 'Café\u200b' };
  expect(changeProgram(stored, { commissionMonths: 3 })).toEqual({ ...stored, commissionMonths: 3 });
  expect(refusal(() => changeProgram(stored, { name: 'Bar\u200b' }))).toMatch(/^name must /);
});

describe('programs', () => {
  test('a program has by default the parameter via, an attribution window of 90 days and no rate', () => {
    expect(make()).toEqual({
      id: PROGRAM_ID,
      name: 'Acme',
      publicKey: 'pk_019a2b3c4d5e7f608a1b2c3d4e5f6071',
      siteUrl: 'https://acme.example/',
      linkParameter: 'via',
      commissionPercentage: null,
      commissionMonths: null,
      attributionDays: 90,
      payableAfterDays: 0,
      allowedOrigins: [],
      affiliatesSeeEmail: 'full',
      slugs: 'names',
      mode: 'live',
      onRefund: 'ignore',
      createdAt: NOW,
    });
  });

  test('a program has a public key that contains its id', () => {
    expect(publicKeyOf(PROGRAM_ID)).toBe(`pk_${PROGRAM_ID.split('-').join('')}`);
  });

  test('a program accepts numbers up to their limits', () => {
    const full = { commissionPercentage: 100, commissionMonths: 1200, attributionDays: 3650, payableAfterDays: 365 };
    expect(make(full)).toMatchObject(full);
    const least = { commissionPercentage: 0, commissionMonths: 1, attributionDays: 1, payableAfterDays: 0 };
    expect(make(least)).toMatchObject(least);
    expect(make({ commissionPercentage: 12.5 }).commissionPercentage).toBe(12.5);
    expect(make({ commissionPercentage: 12.3456789 }).commissionPercentage).toBe(12.345679);
  });

  test('a program keeps its origins in lower case, as browsers send them', () => {
    expect(make({ allowedOrigins: ['https://WWW.acme.example', 'http://localhost:3000'] }).allowedOrigins).toEqual([
      'https://www.acme.example',
      'http://localhost:3000',
    ]);
  });

  test.each<[string, Partial<ProgramFields>]>([
    ['name', { name: '' }],
    ['name', { name: 'a'.repeat(201) }],
    ['name', { name: 'a\nb' }],
    ['name', { name: 'a\u200bb' }],
    ['name', { name: '\u202eb' }],
    ['site_url', { siteUrl: 'acme.example' }],
    ['site_url', { siteUrl: 'javascript:alert(1)' }],
    ['site_url', { siteUrl: 'ftp://acme.example' }],
    ['site_url', { siteUrl: 'https://user@acme.example' }],
    ['site_url', { siteUrl: 'https://:secret@acme.example' }],
    ['site_url', { siteUrl: `https://acme.example/${'a'.repeat(2048)}` }],
    ['link_parameter', { linkParameter: 'gr_id' }],
    ['link_parameter', { linkParameter: 'gr_sub' }],
    ['link_parameter', { linkParameter: 'sub_id' }],
    ['link_parameter', { linkParameter: 'sid' }],
    ['link_parameter', { linkParameter: '' }],
    ['link_parameter', { linkParameter: 'a=b' }],
    ['link_parameter', { linkParameter: 'a'.repeat(33) }],
    ['commission_percentage', { commissionPercentage: -0.1 }],
    ['commission_percentage', { commissionPercentage: 100.1 }],
    ['commission_percentage', { commissionPercentage: Number.NaN }],
    ['commission_months', { commissionMonths: 0 }],
    ['commission_months', { commissionMonths: 1.5 }],
    ['commission_months', { commissionMonths: 1201 }],
    ['attribution_days', { attributionDays: 0 }],
    ['attribution_days', { attributionDays: Number.POSITIVE_INFINITY }],
    ['attribution_days', { attributionDays: 3651 }],
    ['allowed_origins', { allowedOrigins: ['https://acme.example/'] }],
    ['payable_after_days', { payableAfterDays: -1 }],
    ['payable_after_days', { payableAfterDays: 366 }],
    ['allowed_origins', { allowedOrigins: Array<string>(101).fill('https://acme.example') }],
    ['allowed_origins', { allowedOrigins: ['acme.example'] }],
    ['allowed_origins', { allowedOrigins: ['null'] }],
    ['allowed_origins', { allowedOrigins: ['*'] }],
    ['allowed_origins', { allowedOrigins: ['https://acme.example', 'https://b.example/path'] }],
  ])('a program with an invalid %s is rejected, and the error contains it: %j', (field, change) => {
    expect(refusal(() => make(change))).toMatch(new RegExp(`^${field} must `));
  });
});
