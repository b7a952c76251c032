import { expect, test } from '@jest/globals';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import type { Tampering } from '../run.ts';
import { rowsOf } from './rows.ts';
import { change, first, item, newest, plusOne, violationsIn } from './tampering.ts';

/** Changes an entry by rules, by default of a payment. */
const entry = (attributes: Item, isWanted: (item: Item) => boolean = () => true, kind = 'payment'): Tampering => ({
  afterwards: (evidence) => {
    const isRuled = (given: Item) => given['kind'] === kind && given['rule'] !== undefined && isWanted(given);
    change(evidence, first(evidence.table.items.values(), isRuled), attributes);
  },
});

/** Gives a code the promotion code of another. */
const claimedTwice: Tampering = {
  afterwards: (evidence) => {
    const { pk, sk, promotion_code_id } = newest(evidence, /\nCODE#OWN/);
    const other = first(evidence.past.newest(/\nCODE#/), (code) => code['pk'] === pk && code['sk'] !== sk);
    change(evidence, other, { promotion_code_id });
  },
};

/** Moves a referral to an advocate who never had its terms. */
const moved: Tampering = {
  afterwards: (evidence) => {
    const { item: before } = first(rowsOf(evidence.table), ({ referral }) => referral.state === 'converted');
    change(evidence, before, { owner_state: String(before['owner_state']).replace(/#.*#/, '#nobody#'), rate: 99 });
  },
};

test.each<[string, string, Tampering]>([
  ['an entry that another rule decided', 'rules: Payment', entry({ rule: 10 })],
  [
    'an entry with another commission',
    'rules: Payment',
    entry({ commission: 0 }, ({ commission }) => commission !== 0),
  ],
  ['an entry that saw other customers', ' saw 999 customers', entry({ paying_seen: 999 })],
  ['a refund with another rule', 'have other rules', entry({ rule: 10 }, undefined, 'refund')],
  ['a payment that is counted twice', 'were counted as', item(/\nMONEY$/, plusOne('payments'))],
  ['rules that change', 'rules: The rules', item(/#RULES\n/, () => ({ rules: [{ percentage: 99 }] }))],
  ['a group that is lost', 'rules: The acknowledged group', item(/\nGROUPS$/, () => ({ groups: [] }))],
  ['a referral whose terms change', ' changed from ', item(/\nREFERRAL$/, () => ({ rate: 99 }))],
  ['a referral with terms of nobody', ' of nobody has ', moved],
  ['a promotion code of two codes', 'codes: Several codes', claimedTwice],
  ['a promotion code that gets another code', ' leads to OTHER', item(/\nPROMOTION#/, () => ({ code: 'OTHER' }))],
  ['a code that changes its owner', ' was acknowledged', item(/\nCODE#OWN/, () => ({ affiliate_slug: 'nobody' }))],
  ['a code that is not counted', 'codes are counted as', item(/#CODES\nCOUNT$/, plusOne('codes'))],
  ['a credit by a code of another', ' was credited by ', item(/\nREFERRAL$/, () => ({ code: 'OTHER' }))],
  ['a customer who is counted twice', ' customers is ', item(/#TOTALS\nADVOCATE/, plusOne('n'))],
])('%s is reported', async (_, sentence, tampering) => {
  expect((await violationsIn(tampering)).join('\n')).toContain(sentence);
});
