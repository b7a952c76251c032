import type { Faults } from '../table.ts';

export const PAGES: Faults = {
  'web/dashboard/advocates/import/file.ts': [
    ["quoted?.replaceAll('\"\"', '\"')", 'quoted', 'pages/unit/import-file'],
    ['`s${slug.toLowerCase()}`', '`s${slug}`', 'pages/unit/import-file'],
  ],
  'web/kit/csv.ts': [
    ['return quotedCell(value);', 'return value;', 'pages/unit/format'],
    ['|| rows.length > MAX_ROWS };', '};', 'pages/unit/format'],
  ],
  'web/kit/days.ts': [
    ['Math.min(last, date.getUTCDate())', 'date.getUTCDate()', 'pages/unit/period'],
  ],
  'web/kit/measures.ts': [
    ['const FEWEST = 10;', 'const FEWEST = 11;', 'pages/unit/period'],
    ['const MOST = 9.99;', 'const MOST = 10;', 'pages/unit/period'],
  ],
  'web/kit/period.ts': [
    ['countDays({ from, to }) <= MAX_DAYS', 'countDays({ from, to }) < MAX_DAYS', 'pages/unit/period'],
    ['addDays(to, -6)', 'addDays(to, -7)', 'pages/unit/period'],
    ['if (start.slice(8) !== from.slice(8)) return undefined;', '', 'pages/unit/period'],
  ],
  'web/kit/responses.ts': [
    ['COMMON.fields.get(word) ?? word', 'word', 'pages/unit/words'],
  ],
  'web/portal/deep-link.ts': [
    ['host.endsWith(`.${base}`)', 'host.endsWith(base)', 'pages/unit/format'],
    [" || url.username !== ''", '', 'pages/unit/format'],
  ],
};
