import { describe, expect, test } from '@jest/globals';
import { type Mapping, type MappingOptions, parseHeader, parseMapping } from '../../../bin/admin/import/mapping.ts';
import { PRESETS, type Preset } from '../../../bin/admin/import/presets.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { sectionOf } from '../../support/documents/documents.ts';
import { refusal } from '../../support/samples.ts';

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

test('a header contains some of the columns, in any order and case', () => {
  expect(positions('c,a')).toEqual({ c: [0], a: [1] });
  expect(positions(' B ,A')).toEqual({ b: [0], a: [1] });
});

test.each<[string | undefined, string]>([
  ['a,b,A', 'the header must not name the column a twice'],
  ['a', 'the header must name the column b or c'],
  ['a\tb', 'the header has neither comma nor semicolon: save the file as CSV with one of them'],
  ['"a', 'the line has a misplaced quote'],
])('the header %j is not valid', (text, sentence) => {
  expect(refusal(() => header(text))).toBe(sentence);
});

describe('--map', () => {
  const map = (...renamed: Mapping['renamed']) => ({ renamed });

  test('--map without a target drops a column, which is not reported as unknown', () => {
    const dropped = map({ from: 'c', to: null }, { from: 'note', to: null });
    expect(positions('a,b,C,Note,x', dropped)).toEqual({ a: [0], b: [1] });
    expect(header('a,b,C,Note,x', dropped).ignored).toEqual(['x']);
    expect(refusal(() => header('a,b,note', dropped))).toBe('the header lacks a column that --map drops');
    expect(refusal(() => header('a,b', map({ from: 'b', to: null })))).toBe('the header must name the column b or c');
  });

  test('--map cannot rename a column that the file lacks, or two columns to one', () => {
    const rename = (...names: string[]) => map(...names.map((from) => ({ from, to: 'b' })));
    const lacks = 'the header lacks the column that --map names for b';
    expect(refusal(() => header('a,b', rename('mail')))).toBe(lacks);
    expect(refusal(() => header('x,y', rename('x', 'y')))).toBe('the header must not name the column b twice');
  });
});

const ADVOCATES = {
  columns: ['email', 'slug'],
  required: [],
  stateColumn: 'state',
  states: ['paid', 'churned'],
  presetOf: () => ({ columns: { email: ['mail'] }, states: { paid: ['active'], churned: ['gone'] } }),
} as const;
const parse = (options: MappingOptions) => parseMapping(options, ADVOCATES);

test('the last = separates the names, which are trimmed and may have any case', () => {
  const { renamed, translations } = parse({
    map: ['E-Mail = EMAIL', 'a=b=slug'],
    mapState: ['x=y= Paid', 'OLD=churned'],
  });
  expect(renamed.map(({ from, to }) => [from, to])).toEqual([
    ['e-mail', 'email'],
    ['a=b', 'slug'],
  ]);
  expect(Object.fromEntries(translations)).toEqual({ 'x=y': 'paid', old: 'churned' });
});

const form = 'must have the form THEIRS=OURS. Run with --help to see an example.';
const twice = '--map-state names a state of the file twice.';

test.each<[string, MappingOptions, string]>([
  ['no =', { map: ['email'] }, `--map ${form}`],
  ['an unknown state', { mapState: ['x=secret'] }, '--map-state must end with = and one of paid, churned.'],
  ['a state twice', { mapState: ['x=paid', 'X=churned'] }, `${twice} Give each state once.`],
])('the invalid arguments are reported: %s', (_, options, message) => {
  expect(() => parse(options)).toThrow(expect.objectContaining({ status: 2, message }));
});

const PRODUCTS = Object.entries(PRESETS);

describe('the lists of docs/migrate.md', () => {
  const [columnsTable = [], statesTable = []] = tablesIn(
    sectionOf('docs/migrate.md', 'Rewardful, FirstPromoter, Tapfiliate'),
  ).slice(1);
  /** Returns the names in a product's cell of each row whose first cell contains `name`, in order. */
  const namesIn = (table: string[][], name: string, product: number) =>
    table.filter(([first]) => first === name).map((row) => quoted(row[product + 1] ?? ''));

  test.each(PRODUCTS)('docs/migrate.md lists the columns of %s', (product, { advocates, referrals }) => {
    const index = PRODUCTS.findIndex(([name]) => name === product);
    const start = columnsTable.findIndex(([first]) => first === '**referrals**');
    const kinds = [
      [advocates, columnsTable.slice(0, start)],
      [referrals, columnsTable.slice(start)],
    ] as const;
    for (const [preset, rows] of kinds) {
      const listed = rows.flatMap(([first = '', ...cells]) => {
        const names = quoted(cells[index] ?? '');
        return names.length > 0 && first.startsWith('`') ? [[first.slice(1, -1), names] as const] : [];
      });
      expect(Object.fromEntries(listed)).toEqual(preset.columns);
    }
  });

  test.each(PRODUCTS)('docs/migrate.md lists the states of %s', (product, { advocates, referrals }) => {
    const index = PRODUCTS.findIndex(([name]) => name === product);
    expect(namesIn(statesTable, 'active', index)).toEqual([advocates.states.true]);
    expect(namesIn(statesTable, 'deactivated', index)).toEqual([advocates.states.false]);
    const states: Preset['states'] = referrals.states;
    for (const state of STATES) expect(namesIn(statesTable, `\`${state}\``, index)).toEqual([states[state] ?? []]);
  });
});

/** Returns the cells of all tables in a Markdown text, without their headers. */
function tablesIn(text: string): string[][][] {
  const cellsOf = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => table.trim().split('\n').slice(2).map(cellsOf));
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
