import { expect, test } from '@jest/globals';
import { hasToken, tokenOfFragment } from '../../../web/kit/responses.ts';

test.each([
  ['#token=rta_a-b', true, 'rta_a-b'],
  ['#token=rta_a&utm_source=mail', true, 'rta_a'],
  ['#token=rta_a%20', true, 'rta_a'],
  ['#token=', true, undefined],
  ['#/referrals?token=rta_a', false, undefined],
])('the fragment %s has a token: %p', (hash, has, token) => {
  expect([hasToken(hash), tokenOfFragment(hash)]).toEqual([has, token]);
});
