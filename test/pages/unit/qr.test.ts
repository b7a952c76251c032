import { expect, test } from '@jest/globals';
import { encode } from 'uqr';
import { qrCodeOf } from '../../../web/portal/qr.ts';

/** Texts around the limits of versions, which have other numbers of blocks and other patterns. */
const LENGTHS = [10, 14, 15, 26, 27, 62, 63, 106, 107, 122, 123, 180, 181, 213, 214, 500, 1500, 2331];
const textOf = (length: number) =>
  Array.from({ length }, (_, index) => 'https://northwind.example/?via=amara-okafor&'[index % 44]).join('');
const MASKS = [0, 1, 2, 3];

test.each(LENGTHS)('a library draws the same QR code of %i characters, under one of the masks', (length) => {
  const text = textOf(length);
  const codes = MASKS.map((maskPattern) => encode(text, { ecc: 'M', border: 0, maskPattern }).data);
  expect(codes).toContainEqual(qrCodeOf(text));
});

test('a text with more than 2,331 bytes has no QR code', () => {
  expect(qrCodeOf(textOf(2332))).toBeUndefined();
  expect(qrCodeOf('é'.repeat(1166))).toBeUndefined();
});
