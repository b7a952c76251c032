import { describe, expect, test } from '@jest/globals';
import { PRESETS, type Preset } from '../../../bin/admin/import/presets.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { sectionOf } from '../../support/documents/documents.ts';

const PRODUCTS = Object.entries(PRESETS);

test.each(PRODUCTS)('the names of %s have the form in which they are compared', (_, { advocates, referrals }) => {
  const names = [advocates, referrals].flatMap(({ columns }) => Object.values(columns).flat());
  expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)*$/.test(name))).toEqual([]);
  const states = [advocates, referrals].flatMap((preset) => Object.values(preset.states).flat());
  expect(states.filter((state) => state !== state.toLowerCase())).toEqual([]);
});

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
    for (const [preset, rows] of [
      [advocates, columnsTable.slice(0, start)],
      [referrals, columnsTable.slice(start)],
    ] as const) {
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
  return [...text.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => cells.map((cell) => cell.trim())),
  );
}

function quoted(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
