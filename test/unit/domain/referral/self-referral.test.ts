import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AttributionTarget } from '../../../../functions/domain/advocate.ts';
import { convertClick, newClick, newReferral, type Referral } from '../../../../functions/domain/referral/referral.ts';
import { flagsOf } from '../../../../functions/domain/referral/self-referral.ts';
import { conversionOf } from '../../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID } from '../../samples.ts';

const FLAGGED = ['self_referral'];
const advocate = (email: string, uid: string | null = null): AttributionTarget => ({ ...affiliate, email, uid });

describe('customers with the mailbox of the advocate', () => {
  test.each([
    ['the same email', 'jane@example.com', 'jane@example.com'],
    ['a plus-tag of the customer', 'jane+shop@example.com', 'jane@example.com'],
    ['a plus-tag of the advocate', 'jane@example.com', 'jane+partner@example.com'],
    ['two different plus-tags', 'jane+shop@example.com', 'jane+partner@example.com'],
    ['a plus-tag with another plus', 'jane+a+b@example.com', 'jane@example.com'],
    ['an empty plus-tag', 'jane+@example.com', 'jane@example.com'],
    ['dots at Gmail', 'j.a.ne@gmail.com', 'jane@gmail.com'],
    ['the other domain of Gmail', 'jane@googlemail.com', 'jane@gmail.com'],
    ['dots, plus-tags and both domains of Gmail', 'ja.ne+shop@googlemail.com', 'j.ane+x.y@gmail.com'],
    ['a local part that starts with a plus', '+x@example.com', '+x@example.com'],
    ['a plus-tag after a leading plus', '+x+shop@example.com', '+x@example.com'],
  ])('a customer with the mailbox of the advocate is flagged: %s', (_, customer, own) => {
    expect(flagsOf({ email: customer, uid: null }, advocate(own))).toEqual(FLAGGED);
  });
});

describe('customers with another mailbox', () => {
  test.each([
    ['another name', 'john@example.com', 'jane@example.com'],
    ['another domain', 'jane@example.org', 'jane@example.com'],
    ['a subdomain', 'jane@mail.example.com', 'jane@example.com'],
    ['dots at other providers', 'j.ane@example.com', 'jane@example.com'],
    ['dots at a domain that only ends like Gmail', 'j.ane@notgmail.com', 'jane@notgmail.com'],
    ['dots at a domain that only begins like Gmail', 'j.ane@gmail.com.example', 'jane@gmail.com.example'],
    ['two local parts that start with a plus', '+x@example.com', '+y@example.com'],
    ['a local part that is only a plus-tag', '+jane@example.com', 'jane@example.com'],
    ['a hyphen instead of a plus', 'jane-shop@example.com', 'jane@example.com'],
  ])('a customer with another mailbox is not flagged: %s', (_, customer, own) => {
    expect(flagsOf({ email: customer, uid: null }, advocate(own))).toEqual([]);
    expect(flagsOf({ email: own, uid: null }, advocate(customer))).toEqual([]);
  });
});

describe('customers with the uid of the advocate', () => {
  test('a customer with the uid of the advocate is flagged, whatever the emails are', () => {
    const target = advocate('jane@example.com', 'Person#1');
    expect(flagsOf({ email: null, uid: 'Person#1' }, target)).toEqual(FLAGGED);
    expect(flagsOf({ email: 'other@shop.example', uid: 'Person#1' }, target)).toEqual(FLAGGED);
    expect(flagsOf({ email: 'jane@example.com', uid: 'Person#1' }, target)).toEqual(FLAGGED);
  });

  test.each([
    ['in another case', 'person#1', 'Person#1'],
    ['if neither has one', null, null],
    ['if only the customer has one', 'Person#1', null],
    ['if only the advocate has one', null, 'Person#1'],
  ])('a customer is not flagged by a uid %s', (_, uid, own) => {
    expect(flagsOf({ email: 'other@shop.example', uid }, advocate('jane@example.com', own))).toEqual([]);
  });
});

test('the flag is symmetric, and depends on no plus-tag and on no dot of a Gmail address', () => {
  const local = fc.stringMatching(/^[a-z0-9]{1,8}(?:\.[a-z0-9]{1,8}){0,3}$/);
  const tag = fc.stringMatching(/^(?:\+[a-z0-9.+]{0,8})?$/);
  const domain = fc.constantFrom('gmail.com', 'googlemail.com', 'example.com', 'mail.example.com');
  const email = fc.record({ local, tag, domain });
  const text = ({ local, tag, domain }: { local: string; tag: string; domain: string }) => `${local}${tag}@${domain}`;
  fc.assert(
    fc.property(email, email, fc.boolean(), (one, other, isSame) => {
      const second = isSame ? { ...one, tag: other.tag } : other;
      const flags = flagsOf({ email: text(one), uid: null }, advocate(text(second)));
      expect(flagsOf({ email: text(second), uid: null }, advocate(text(one)))).toEqual(flags);
      const isGmail = [one, second].every((each) => /^g(?:oogle)?mail\.com$/.test(each.domain));
      const hasSameLocal = isGmail
        ? one.local.split('.').join('') === second.local.split('.').join('')
        : one.domain === second.domain && one.local === second.local;
      expect(flags).toEqual(hasSameLocal ? FLAGGED : []);
    }),
  );
});

describe('conversions of self-referrals', () => {
  const target = advocate('jane@example.com');
  const conversion = { program, target, ...conversionOf({ email: 'jane+shop@example.com' }), now: NOW };
  const click: Referral = newClick(program, target, { id: CLICK_ID, subId: null }, NOW);

  test('a conversion with or without a click computes the flags, and a click has none', () => {
    expect(click.flags).toEqual([]);
    expect(convertClick(click, conversion).flags).toEqual(FLAGGED);
    expect(newReferral(REFERRAL_ID, conversion).flags).toEqual(FLAGGED);
  });

  test('a conversion of a flagged customer has the same state, rate and end of the commission', () => {
    const other = conversionOf({ email: 'john@example.com' });
    const { flags: _, email: __, ...flagged } = newReferral(REFERRAL_ID, conversion);
    expect(newReferral(REFERRAL_ID, { ...conversion, ...other })).toEqual({
      ...flagged,
      flags: [],
      email: 'john@example.com',
    });
  });
});
