import { describe, expect, test } from '@jest/globals';
import { type Mapping, parseHeader, withTheirName } from '../../../bin/admin/import/mapping.ts';
import { refusal } from '../../unit/samples.ts';

const NO_PRESET = { columns: {}, states: {} };
const KIND = {
  columns: ['a', 'b', 'c'],
  required: [['b', 'c']],
  stateColumn: 'a',
  states: [],
  presetOf: () => NO_PRESET,
};
const NOTHING: Mapping = { kind: KIND, renamed: [], preset: undefined, translations: new Map() };

const header = (text: string | undefined, mapping: Partial<Mapping> = {}) =>
  parseHeader(text === undefined ? undefined : { number: 1, text }, { ...NOTHING, ...mapping });
const positions = (text: string, mapping: Partial<Mapping> = {}) => Object.fromEntries(header(text, mapping).positions);

describe('headers', () => {
  test('a header contains some of the columns, in any order and case', () => {
    expect(positions('c,a')).toEqual({ c: [0], a: [1] });
    expect(positions('"b"')).toEqual({ b: [0] });
    expect(positions(' B ,A')).toEqual({ b: [0], a: [1] });
  });

  test('a header may contain other columns, which are ignored', () => {
    expect(header('Note,b,,"x, y",b b')).toMatchObject({ ignored: ['Note', '', 'x, y', 'b b'] });
    expect(header('b,a').ignored).toEqual([]);
  });

  test.each([
    ['a;b', ';'],
    ['a;"b,c";b', ';'],
    ['a,b', ','],
    ['"a;b",b', ','],
    ['b', ','],
  ])('the header %j is separated by %j', (text, delimiter) => {
    expect(header(text).delimiter).toBe(delimiter);
  });

  test('a header is separated by the delimiter in the line above, even if another one gives more names', () => {
    const parsed = parseHeader({ number: 2, text: 'b;x,y,z' }, NOTHING, ';');
    expect(parsed).toMatchObject({ delimiter: ';', names: ['b', 'x,y,z'], ignored: ['x,y,z'] });
    expect(parseHeader({ number: 2, text: 'b' }, NOTHING, ',')).toMatchObject({
      delimiter: ',',
      names: ['b'],
    });
  });

  test.each<[string | undefined, string]>([
    [undefined, 'the file is empty: its first line must name its columns'],
    ['a,b,A', 'the header must not name the column a twice'],
    ['a', 'the header must name the column b or c'],
    ['jane,jane@partners.example', 'the header must name the column b or c'],
    ['a\tb', 'the header has neither comma nor semicolon: save the file as CSV with one of them'],
    ['a|b', 'the header has neither comma nor semicolon: save the file as CSV with one of them'],
    ['"a', 'the line has a misplaced quote'],
  ])('the header %j is not valid', (text, sentence) => {
    expect(refusal(() => header(text))).toBe(sentence);
  });
});

describe('--map', () => {
  const map = (...renamed: Mapping['renamed']) => ({ renamed });

  test('--map renames a column, in any case', () => {
    expect(positions('Mail,a', map({ from: 'mail', to: 'b' }))).toEqual({ b: [0], a: [1] });
  });

  test('--map without a target drops a column, which is not reported as unknown', () => {
    const dropped = map({ from: 'c', to: null }, { from: 'note', to: null });
    expect(header('a,b,C,Note,x', dropped)).toMatchObject({
      positions: [
        ['a', [0]],
        ['b', [1]],
      ],
      ignored: ['x'],
    });
    expect(refusal(() => header('a,b,note', dropped))).toBe('the header lacks a column that --map drops');
    expect(refusal(() => header('a,b', map({ from: 'b', to: null })))).toBe('the header must name the column b or c');
  });

  test('--map may rename one of our columns, which then no longer has its own name', () => {
    const swapped = map({ from: 'a', to: 'b' }, { from: 'b', to: 'a' });
    expect(positions('a,b', swapped)).toEqual({ b: [0], a: [1] });
    expect(positions('a,c', map({ from: 'a', to: 'b' }))).toEqual({ b: [0], c: [1] });
    expect(positions('b', map({ from: 'b', to: 'b' }))).toEqual({ b: [0] });
  });

  test.each([
    ['a column that the file lacks', 'a,b', map({ from: 'mail', to: 'b' }), 'lacks the column that --map names for b'],
    ['a column that the file has twice', 'x,x', map({ from: 'x', to: 'b' }), 'must not name the column b twice'],
    [
      'two columns as one',
      'x,y',
      map({ from: 'x', to: 'b' }, { from: 'y', to: 'b' }),
      'must not name the column b twice',
    ],
    ['a column as one that the file also has', 'x,b', map({ from: 'x', to: 'b' }), 'must not name the column b twice'],
  ])('--map cannot rename to %s', (_, text, mapping, sentence) => {
    expect(refusal(() => header(text, mapping))).toBe(`the header ${sentence}`);
  });
});

test('a reason contains the name of the column in the file if --map or a preset translates it', () => {
  const preset = { columns: { a: ['their_a', 'old_a'], b: ['b'] }, states: {} };
  const parsed = header('Their A,old-a, B , Mine,d', { preset, renamed: [{ from: 'mine', to: 'c' }] });
  const reasons = ['a is wrong', 'b is wrong', 'c is wrong', 'the line is wrong'];
  expect(reasons.map((reason) => withTheirName(reason, parsed))).toEqual([
    'a ("Their A" or "old-a" in the file) is wrong',
    'b is wrong',
    'c ("Mine" in the file) is wrong',
    'the line is wrong',
  ]);
});

describe('presets', () => {
  const preset = { columns: { a: ['their_a', 'old_a'], b: ['b'] }, states: {} };

  test('a preset identifies columns whatever their spaces and capitals', () => {
    expect(positions('Their A,B', { preset })).toEqual({ a: [0], b: [1] });
    expect(positions('their-a,b', { preset })).toEqual({ a: [0], b: [1] });
  });

  test('a preset may map several columns to one, the most important first', () => {
    expect(positions('old_a,b,their_a', { preset })).toEqual({ a: [2, 0], b: [1] });
  });

  test('a preset does not read other columns, not even columns with our names', () => {
    expect(header('a,b,c', { preset })).toMatchObject({ positions: [['b', [1]]], ignored: ['a', 'c'] });
  });

  test('a preset does not read a column that --map drops', () => {
    const mapping = { preset, renamed: [{ from: 'their a', to: null }] };
    expect(positions('Their A,b', { preset })).toEqual({ a: [0], b: [1] });
    expect(header('Their A,old-a,b', mapping)).toMatchObject({
      positions: [
        ['a', [1]],
        ['b', [2]],
      ],
      ignored: [],
    });
  });

  test('a preset can be extended by --map', () => {
    expect(positions('x,b', { preset, renamed: [{ from: 'x', to: 'c' }] })).toEqual({ b: [1], c: [0] });
    expect(positions('x', { preset, renamed: [{ from: 'x', to: 'b' }] })).toEqual({ b: [0] });
    const both = { preset, renamed: [{ from: 'x', to: 'b' }] as const };
    expect(refusal(() => header('x,b', both))).toBe('the header must not name the column b twice');
  });
});
