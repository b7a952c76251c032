import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderList, renderObject } from '../../../bin/admin/output.ts';

const ID = '0192e505-9000-77f3-bf94-41d1854e99e1';
const PROGRAM = { id: ID, name: 'Shop', commission_percentage: 20 };
const COLUMNS = ['id', 'name', 'commission_percentage'] as const;
const ADVOCATE = { slug: 'jane-doe', email: 'jane.doe.of.many.names@partners.example.com', active: true };

const list = (width: number, ...rows: (typeof PROGRAM)[]) => renderList(rows, COLUMNS, 'None.').text(width);

describe('a list', () => {
  test('a list has its natural width if it fits, or if the output is not a terminal', () => {
    const natural = list(Number.POSITIVE_INFINITY, PROGRAM);
    expect(natural.split('\n')).toEqual([
      `┌${'─'.repeat(38)}┬──────┬───────────────────────┐`,
      `│ id${' '.repeat(35)}│ name │ commission percentage │`,
      `├${'─'.repeat(38)}┼──────┼───────────────────────┤`,
      `│ ${ID} │ Shop │ 20                    │`,
      `└${'─'.repeat(38)}┴──────┴───────────────────────┘`,
    ]);
    expect(list(71, PROGRAM)).toBe(natural);
  });

  test('a list wraps its headers first, then its longest values, between words if possible', () => {
    expect(list(70, PROGRAM)).toMatch(/│ commission │\n.*│ percentage │\n/);
    const text = list(74, { ...PROGRAM, name: 'A shop with a name in more than one line' });
    expect(text).toMatch(/│ A shop with a name │ 20 .*\n.*│ in more than one +│ .*\n.*│ line +│/);
    expect(text).toContain(`│ ${ID} │`);
    const advocates = renderList([ADVOCATE], ['slug', 'email', 'active'], '').text(45);
    expect(advocates).toMatch(
      /│ jane-doe │ jane\.doe\.of\.many\.name │ yes .*\n.*│ s@ +│ .*\n.*│ partners\.example\.com +│/,
    );
  });

  test('a list becomes blocks of lines if the columns do not fit, with values that can be copied', () => {
    const text = list(40, PROGRAM, { ...PROGRAM, name: 'A shop with a name in two lines' });
    expect(text).toBe(
      [
        ...['id', `  ${ID}`, 'name                   Shop', 'commission percentage  20', ''],
        ...['id', `  ${ID}`, 'name                   A shop with a', '                       name in two lines'],
        'commission percentage  20',
      ].join('\n'),
    );
  });

  test('a list without rows is a sentence', () => {
    expect(list(10)).toBe('None.');
  });
});

describe('an object', () => {
  const token = { id: ID, token: `rtp_${'x'.repeat(36)}`, origins: ['https://a.example', 'https://b.example'] };

  test('an object is a table of two columns if it fits', () => {
    const table = renderObject(token, {}, 'Store it.').text(54);
    expect(table).toMatch(/^┌─+┬─+┐\n│ id {6}│ 0192.*\n(│.*│\n)+└─+┴─+┘\nStore it\.$/);
    expect(renderObject(token, {}, 'Store it.').text(Number.POSITIVE_INFINITY)).toBe(table);
  });

  test('an object becomes lines if it does not fit; words are never cut', () => {
    expect(renderObject(token).text(40).split('\n')).toEqual([
      ...['id', `  ${ID}`, 'token', token.token, 'origins  https://a.example', '         https://b.example'],
    ]);
  });
});

test('wide characters count as two cells', () => {
  const text = renderList([{ name: '東京の店と大阪の店と名古屋の店', email: 'a@b.example' }], ['name', 'email'], '');
  expect(text.text(48)).toMatch(/│ 東京の店と大阪の店と名古屋の店 │ a@b\.example │/);
  expect(text.text(47)).toMatch(/│ 東京の店と大阪の店と名古屋の +│ a@b\.example │\n│ 店 +│/);
});

test('no table is wider than the terminal, and no character is lost', () => {
  const word = fc.string({
    unit: fc.constantFrom('a', 'Z', '7', '@', '/', '-', '京', 'é'),
    minLength: 1,
    maxLength: 30,
  });
  const value = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const row = fc.record({ id: fc.constant(ID), name: value, email: value });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 160 }), (rows, width) => {
      const text = renderList(rows, ['id', 'name', 'email'], '').text(width);
      const [border = ''] = text.split('\n');
      if (border.startsWith('┌')) expect(border.length).toBeLessThanOrEqual(width);
      const characters = (of: string) => [...of.replace(/[\s│┌┬┐├┼┤└┴┘─]/g, '')].sort().join('');
      const labels = border.startsWith('┌') ? 'idnameemail' : 'idnameemail'.repeat(rows.length);
      expect(characters(text)).toBe(characters(labels + rows.map((of) => Object.values(of).join('')).join('')));
    }),
  );
});
