import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, isColor, readableAccent, textOn } from '../../../web/portal/accent.ts';
import { sectionText } from './documents.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('an accent that can be read stays as it is', () => {
  expect(readableAccent('#0a5c45', 'light')).toBe('#0a5c45');
  expect(readableAccent('#7ddfb9', 'dark')).toBe('#7ddfb9');
});

test('every accent can be read on the page and on cards, in both themes, and so can text on it', () => {
  const style = sectionText('web/style.css');
  const backgrounds = ['page', 'card'].map(
    (name) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(style)?.slice(1) ?? [],
  );
  fc.assert(
    fc.property(color, (accent) => {
      for (const [index, theme] of (['light', 'dark'] as const).entries()) {
        const moved = readableAccent(accent, theme);
        for (const background of backgrounds) {
          expect(contrast(moved, background[index] ?? '')).toBeGreaterThanOrEqual(4.5);
        }
        expect(contrast(moved, textOn(moved))).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test.each(['red', '#fff', '#12345g', 'url(x)', '#1234567', null, 5])('%j is no accent', (value) => {
  expect(isColor(value)).toBe(false);
});
