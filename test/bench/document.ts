import {
  BY_LINK,
  BY_NUMBER,
  cellOf,
  FASTIFY,
  KEYSET,
  OFFSET,
  type Results,
  SERVICE,
  TOOLBOX,
  UNCOMPILED,
} from './report.ts';

// The table and the chart of docs/benchmarks.md, made of docs/benchmarks.json.

const [BEGIN, END] = ['<!-- figures -->\n\n', '\n\n<!-- /figures -->'];
const CONVERSION = 'conversion';
const LIST = 'list of referrals';

type Figure = readonly [title: string, here: number, peer?: string, there?: number];

/** The ten figures that decide. */
function figuresOf(results: Results): Figure[] {
  /** The same column of the service and of a peer. */
  const pair = (title: string, benchmark: string, operation: string, column: string, peer: string): Figure => {
    const cell = (subject: string) => cellOf(results, benchmark, { operation, with: subject }, column);
    return [title, cell(SERVICE), peer, cell(peer)];
  };
  const cold = (operation: string, build: string) =>
    pair(`CPU of a cold start: ${operation}, ms`, 'cold', operation, 'CPU, ms', build);
  /** Two columns of the same row. */
  const page = (number: number, way: string, peer: string): Figure => {
    const cell = (column: string) => cellOf(results, 'pages', { page: number }, `${column}: KB`);
    return [`KB read for page ${number.toLocaleString('en')}, ${way}`, cell(way), `PostgreSQL, ${peer}`, cell(peer)];
  };
  const imported = cellOf(results, 'import', { command: 'referral import' }, 'referrals a second');
  return [
    pair('write units of a conversion', 'units', CONVERSION, 'write units', TOOLBOX),
    pair('read units of a page of 25 referrals', 'units', LIST, 'read units', TOOLBOX),
    cold(CONVERSION, UNCOMPILED),
    cold(CONVERSION, TOOLBOX),
    cold(LIST, TOOLBOX),
    page(20_000, BY_LINK, KEYSET),
    page(2000, BY_NUMBER, OFFSET),
    pair('conversions a second over HTTP', 'throughput', CONVERSION, 'a second', FASTIFY),
    pair('pages of 50 a second over HTTP', 'throughput', LIST, 'a second', FASTIFY),
    ['referrals imported a second', imported],
  ];
}

/** Puts the ten figures between the markers of the document. */
export function withFigures(document: string, results: Results): string {
  const text = (value: number | undefined) => value?.toLocaleString('en') ?? '';
  const rows = figuresOf(results).map(([title, here, peer = '', there]) => {
    return [title, text(here), peer, text(there), there === undefined ? '' : (here / there).toFixed(2)];
  });
  const table = [['figure', 'the service', 'peer', 'the peer', 'ratio'], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => cells[column]?.padEnd(width)).join(' | ')} |`;
  const [head = [], ...others] = table;
  const lines = [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...others.map(line)];
  const [before = '', rest = ''] = document.split(BEGIN);
  const [, after] = rest.split(END);
  if (after === undefined) throw new Error('The document has no markers for the figures.');
  return `${before}${BEGIN}${lines.join('\n')}${END}${after}`;
}

/** Space around the axes, and the highest powers of ten: of the page's number, and of KB. */
const [LEFT, RIGHT, TOP, BOTTOM] = [76, 510, 34, 290];
const [PAGES, KILOBYTES] = [5, 6];
const LINES = [
  { column: BY_NUMBER, name: 'the service, by page number', style: 'stroke="#2f81f7"' },
  { column: BY_LINK, name: 'the service, by Link', style: 'stroke="#1a9c6b" stroke-dasharray="6 3"' },
  { column: OFFSET, name: 'PostgreSQL, OFFSET', style: 'stroke="#d9730d"' },
  { column: KEYSET, name: 'PostgreSQL, keyset', style: 'stroke="#a371f7" stroke-dasharray="6 3"' },
];

/** Draws the KB that each page reads as SVG, with logarithmic axes, for light and dark pages. */
export function chartOf({ pages }: Results): string {
  const rows = pages?.rows ?? [];
  const atX = (page: number) => Math.round(LEFT + (Math.log10(page) / PAGES) * (RIGHT - LEFT));
  const atY = (kilobytes: number) => Math.round(BOTTOM - (Math.log10(kilobytes) / KILOBYTES) * (BOTTOM - TOP));
  const text = (value: string, x: number, y: number, anchor: 'start' | 'middle' | 'end') =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}">${value}</text>`;
  const powers = (highest: number) => Array.from({ length: highest + 1 }, (_, power) => 10 ** power);
  const parts = [
    text('KB that the database reads', LEFT, TOP - 16, 'start'),
    text(
      `page of ${rows[0]?.['rows']?.toLocaleString('en')} rows, 50 a page`,
      (LEFT + RIGHT) / 2,
      BOTTOM + 36,
      'middle',
    ),
    ...powers(PAGES).map((page) => text(page.toLocaleString('en'), atX(page), BOTTOM + 18, 'middle')),
    ...powers(KILOBYTES).flatMap((kilobytes) => [
      `<path d="M${LEFT} ${atY(kilobytes)}H${RIGHT}" stroke="#8b949e" opacity="0.3"/>`,
      text(kilobytes.toLocaleString('en'), LEFT - 8, atY(kilobytes) + 4, 'end'),
    ]),
    ...LINES.flatMap(({ column, name, style }, index) => {
      const points = rows.flatMap((row) => {
        const [page, kilobytes] = [row['page'], row[`${column}: KB`]];
        return typeof page === 'number' && typeof kilobytes === 'number' ? [`${atX(page)},${atY(kilobytes)}`] : [];
      });
      const y = TOP + 20 + index * 22;
      return [
        `<polyline points="${points.join(' ')}" fill="none" stroke-width="2" ${style}/>`,
        `<path d="M${RIGHT + 20} ${y}h24" stroke-width="2" ${style}/>`,
        text(name, RIGHT + 50, y + 4, 'start'),
      ];
    }),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 340" role="img" aria-label="What a page costs, by its number">
<style>text { font: 12px system-ui, sans-serif; fill: #59636e } @media (prefers-color-scheme: dark) { text { fill: #b1bac4 } }</style>
${parts.join('\n')}
</svg>
`;
}
