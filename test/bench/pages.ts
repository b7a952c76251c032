import { chart, type Series } from './chart.ts';
import { loadReferrals } from './many-referrals.ts';
import { type PageCost, PagesHere, PER_PAGE } from './pages-here.ts';
import { type BlockCost, byKeyset, byOffset, fillPostgres } from './pages-postgres.ts';
import type { Postgres } from './postgres.ts';
import { type Comparison, figure, type Report, type Section } from './report.ts';

/** A list, and the pages that are measured. */
export interface MeasuredList {
  readonly rows: number;
  readonly pages: readonly number[];
}

interface MeasuredPage {
  readonly rows: number;
  readonly page: number;
  /** `undefined` if the page skips more rows than a number may. */
  readonly number: PageCost | undefined;
  readonly link: PageCost;
  readonly offset: BlockCost;
  readonly keyset: BlockCost;
}

/** Numbers of the pages to measure: the first page, pages at powers of ten, and the last page. */
export function pagesOf(rows: number): number[] {
  const last = Math.floor(rows / PER_PAGE);
  return [...[1, 20, 200, 2000].filter((page) => page < last), last];
}

/** KB of a read unit, of an eventually consistent read, and of a block of PostgreSQL. */
const UNIT_KB = 8;
const BLOCK_KB = 8;
/** In place of the figures of a page that is refused with 400. */
const REFUSED = 'refused';

/** Measures pages of the service and of PostgreSQL. Returns also a chart of the longest list. */
export async function measurePages(
  postgres: Postgres,
  lists: readonly MeasuredList[],
): Promise<Report & { readonly svg: string }> {
  const measured: MeasuredPage[] = [];
  for (const list of lists) {
    console.log(`  ${figure(list.rows)} rows here …`);
    const loaded = await loadReferrals(list.rows);
    try {
      console.log(`  ${figure(list.rows)} rows in PostgreSQL …`);
      await fillPostgres(postgres, list.rows);
      const here = new PagesHere(loaded);
      for (const page of list.pages) {
        const [number, link] = [await here.byNumber(page), await here.byLink(page)];
        const [offset, keyset] = [await byOffset(postgres, page), await byKeyset(postgres, page)];
        measured.push({ rows: list.rows, page, number, link, offset, keyset });
      }
    } finally {
      await loaded.stop();
    }
  }
  const longest = Math.max(...lists.map(({ rows }) => rows));
  return {
    sections: [pageSection(measured)],
    comparisons: measured.flatMap(comparisonsOf),
    svg: chartOf(measured.filter(({ rows }) => rows === longest)),
  };
}

function pageSection(measured: readonly MeasuredPage[]): Section {
  const kilobytes = (blocks: number) => figure(blocks * BLOCK_KB);
  return {
    name: 'pages',
    head: [
      'rows',
      'page',
      'requests in series',
      'read units',
      'KB read',
      'ms',
      'by `Link`: KB read',
      'ms',
      '`OFFSET`: KB read',
      'ms',
      'keyset: KB read',
      'ms',
    ],
    rows: measured.map(({ rows, page, number, link, offset, keyset }) => [
      figure(rows),
      figure(page),
      ...(number
        ? [number.series, number.readUnits, number.readUnits * UNIT_KB, number.ms].map(figure)
        : Array(4).fill(REFUSED)),
      ...[link.readUnits * UNIT_KB, link.ms].map(figure),
      kilobytes(offset.blocks),
      figure(offset.ms),
      kilobytes(keyset.blocks),
      figure(keyset.ms),
    ]),
  };
}

function comparisonsOf({ rows, page, number, link, offset, keyset }: MeasuredPage): Comparison[] {
  const name = `page ${figure(page)} of ${figure(rows)}`;
  const pair = (title: string, peer: string, here: PageCost, there: BlockCost): Comparison[] => [
    { figure: `time of ${name}, ${title}`, unit: 'ms', here: here.ms, peer, there: there.ms },
    {
      figure: `KB read for ${name}, ${title}`,
      unit: 'KB',
      here: here.readUnits * UNIT_KB,
      peer,
      there: there.blocks * BLOCK_KB,
    },
  ];
  return [
    ...(number ? pair('by number', 'PostgreSQL, `OFFSET`', number, offset) : []),
    ...pair('by `Link`', 'PostgreSQL, keyset', link, keyset),
  ];
}

function chartOf(measured: readonly MeasuredPage[]): string {
  const [{ rows } = { rows: 0 }] = measured;
  const panel = (title: string, here: (cost: PageCost) => number, there: (cost: BlockCost) => number) => {
    const own = (cost: (page: MeasuredPage) => PageCost | undefined): Series['points'] =>
      measured.flatMap((page) => {
        const found = cost(page);
        return found ? [[page.page, here(found)] as const] : [];
      });
    const series: Series[] = [
      { name: 'the service, by page number', points: own(({ number }) => number) },
      { name: 'the service, by Link', points: own(({ link }) => link) },
      { name: 'PostgreSQL, OFFSET', points: measured.map(({ page, offset }) => [page, there(offset)]) },
      { name: 'PostgreSQL, keyset', points: measured.map(({ page, keyset }) => [page, there(keyset)]) },
    ];
    return { title, xTitle: `page of ${figure(rows)} rows, 50 a page`, series };
  };
  return chart(
    [
      panel(
        'KB that the database reads',
        ({ readUnits }) => readUnits * UNIT_KB,
        ({ blocks }) => blocks * BLOCK_KB,
      ),
      panel(
        'milliseconds, the service with the embedded engine',
        ({ ms }) => ms,
        ({ ms }) => ms,
      ),
    ],
    `What a page of ${figure(rows)} rows costs, by its number`,
  );
}
