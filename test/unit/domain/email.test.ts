import { expect, test } from '@jest/globals';
import { parseEmail } from '../../functions/domain/email.ts';

test('an e-mail is trimmed and lower-cased, its domain in punycode', () => {
  expect(parseEmail('email', '  Zoe+A@BÜCHER.example ')).toBe('zoe+a@xn--bcher-kva.example');
});
