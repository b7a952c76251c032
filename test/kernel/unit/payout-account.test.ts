import { describe, expect, test } from '@jest/globals';
import {
  maskedAccount,
  nextPayoutVersion,
  type PayoutMethod,
  visibleAccount,
  withPayoutAccount,
} from '../../../functions/kernel/accounts/rules/payout-account.ts';
import { parseIban } from '../../../functions/kernel/fields/iban.ts';
import { refusal } from '../../support/samples.ts';

const IBAN = 'DE02120300000000202051';

describe('IBANs', () => {
  // The longest, the shortest, and one with letters (https://www.swift.com/standards/data-standards/iban).
  test.each([
    ['DE02 1203 0000 0000 2020 51', IBAN],
    ['de02120300000000202051', IBAN],
    ['MT84MALT011000012345MTLCAST001S', 'MT84MALT011000012345MTLCAST001S'],
    ['NO93 8601 1117 947', 'NO9386011117947'],
    ['GB82 WEST 1234 5698 7654 32', 'GB82WEST12345698765432'],
  ])('%s is stored as %s', (text, stored) => {
    expect(parseIban('payout_iban', text)).toBe(stored);
  });

  test.each([
    ['with a wrong digit', 'DE02120300000000202052'],
    ['with two digits exchanged', 'DE20120300000000202051'],
    ['of 14 characters', 'NO938601111794'],
    ['without a country', '02120300000000202051'],
    // 00, 01 and 99 have the right remainder, but ISO 13616 never computes them.
    ['with the check digits 99', 'DE99000000000000000095'],
    ['with a hyphen', 'DE02-1203-0000-0000-2020-51'],
    ['with a letter whose upper case is ASCII', 'DEſ2120300000000202051'],
    ['of many spaces', ' '.repeat(100_000)],
    ['that is empty', ''],
  ])('a text %s is refused', (_, text) => {
    expect(refusal(() => parseIban('payout_iban', text))).toBe('payout_iban must be a valid IBAN: check its digits');
  });
});

describe('payout accounts', () => {
  test.each<[PayoutMethod, string, string]>([
    ['paypal', ' Jane@Example.COM ', 'jane@example.com'],
    ['bank', 'de02 1203 0000 0000 2020 51', IBAN],
    ['other', 'Wise @janedoe', 'Wise @janedoe'],
    ['other', 'x'.repeat(200), 'x'.repeat(200)],
  ])('an account of the method %s is normalized: %s', (payoutMethod, payoutAccount, stored) => {
    expect(withPayoutAccount({ payoutMethod, payoutAccount })).toEqual({ payoutMethod, payoutAccount: stored });
  });

  test.each<[PayoutMethod, string, RegExp]>([
    ['paypal', IBAN, /^payout_account must be an email/],
    ['paypal', '=1+1@example.com', /^payout_account must not begin like a formula/],
    ['bank', 'jane@example.com', /^payout_account must be a valid IBAN/],
    ['other', 'x'.repeat(201), /^payout_account must be 1 to 200/],
  ])('for the method %s, the account %s is refused', (payoutMethod, payoutAccount, sentence) => {
    expect(refusal(() => withPayoutAccount({ payoutMethod, payoutAccount }))).toMatch(sentence);
  });

  test('method and account are set together, and null in one clears both', () => {
    const cleared = { payoutMethod: null, payoutAccount: null };
    expect(withPayoutAccount({})).toEqual({});
    for (const change of [{ payoutMethod: null }, { payoutAccount: null }, cleared]) {
      expect(withPayoutAccount(change)).toEqual(cleared);
    }
    for (const account of [{}, { payoutAccount: null }]) {
      expect(refusal(() => withPayoutAccount({ payoutMethod: 'bank', ...account }))).toBe(
        'payout_account is required with payout_method',
      );
    }
    expect(refusal(() => withPayoutAccount({ payoutAccount: IBAN }))).toBe(
      'payout_method is required with payout_account',
    );
  });

  test.each<[PayoutMethod | null, string | null, string | null]>([
    ['paypal', 'jane@example.com', 'j***@example.com'],
    ['bank', IBAN, 'DE** **** 2051'],
    ['other', 'Wise @janedoe', '***'],
    [null, null, null],
  ])('the advocate sees an account of the method %p masked: %p as %p', (payoutMethod, payoutAccount, masked) => {
    expect(maskedAccount({ payoutMethod, payoutAccount })).toBe(masked);
  });

  test('only the scope payouts sees an account', () => {
    const account = { payoutMethod: 'bank', payoutAccount: IBAN, payoutPendingUntil: null } as const;
    expect(visibleAccount({ scopes: ['read', 'payouts'] }, account)).toEqual(account);
    const hidden = { payoutMethod: null, payoutAccount: null, payoutPendingUntil: null };
    expect(visibleAccount({ scopes: ['read', 'advocates', 'admin'] }, account)).toEqual(hidden);
  });

  test('each change of method or account has the next number', () => {
    const before = { payoutMethod: 'other', payoutAccount: 'x', payoutVersion: 3 } as const;
    expect(nextPayoutVersion(before, before)).toBe(3);
    expect(nextPayoutVersion(before, { payoutMethod: 'other', payoutAccount: 'y' })).toBe(4);
    expect(nextPayoutVersion(before, { payoutMethod: null, payoutAccount: null })).toBe(4);
    const paypal = { payoutMethod: 'paypal', payoutAccount: 'a@b.example', payoutVersion: 1 } as const;
    expect(nextPayoutVersion(paypal, { payoutMethod: 'other', payoutAccount: 'a@b.example' })).toBe(2);
  });
});
