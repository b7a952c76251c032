import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { contextOf } from '../../bin/local/event.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import { FUNCTIONS } from '../../functions/routes.ts';
import list from '../events/list-referrals-v2.json' with { type: 'json' };
import { inSeries, metered, type Reading } from '../support/meter.ts';
import type { LoadedTable } from './many-referrals.ts';
import { median } from './report.ts';

/** What it takes to answer a page. */
export type PageCost = Pick<Reading, 'requests' | 'readUnits'> & { readonly ms: number; readonly series: number };

export const PER_PAGE = 50;
/** Measurements of the time of a page. */
const ROUNDS = 5;
/** Rows that a page number may skip. */
const MAX_SKIPPED = 100_000;

/** The list of one advocate's referrals, read through the handler of the service. */
export class PagesHere {
  readonly #loaded: LoadedTable;
  readonly #handler;
  /** The last page that `byLink` reached, and the query of the page after it. */
  #reached = { page: 0, next: '' };

  constructor(loaded: LoadedTable) {
    this.#loaded = loaded;
    this.#handler = referralsHandler(loaded.table.connection);
  }

  /** Measures a page by its number; `undefined` if it skips more rows than a number may. */
  async byNumber(page: number): Promise<PageCost | undefined> {
    return (page - 1) * PER_PAGE > MAX_SKIPPED ? undefined : this.#cost(`page=${page}`);
  }

  /** Measures the page with the cursor of the `Link` header of the page before it. Pages must be measured in order. */
  async byLink(page: number): Promise<PageCost> {
    while (this.#reached.page < page - 1) {
      const { headers } = await this.#send(this.#reached.next);
      const [cursor] = /\bcursor=[\w-]+/.exec(String(headers?.['link'])) ?? [];
      if (cursor === undefined) throw new Error(`No page follows page ${this.#reached.page + 1}.`);
      this.#reached = { page: this.#reached.page + 1, next: cursor };
    }
    return this.#cost(this.#reached.next);
  }

  async #cost(query: string): Promise<PageCost> {
    // The first request looks the token up.
    await this.#send(query);
    const { table } = this.#loaded;
    const { result, requests, readUnits } = await metered(table, () => inSeries(table, () => this.#send(query)));
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      await this.#send(query);
      times.push(performance.now() - startedAt);
    }
    return { requests, readUnits, series: result.rounds, ms: median(times) };
  }

  async #send(query: string): Promise<APIGatewayProxyStructuredResultV2> {
    const { token, slug } = this.#loaded;
    const parameters = new URLSearchParams(`affiliate_slug=${slug}&per_page=${PER_PAGE}&${query}`);
    const event = {
      ...list,
      headers: { ...list.headers, authorization: `Bearer ${token}` },
      rawQueryString: parameters.toString(),
      queryStringParameters: Object.fromEntries(parameters),
    };
    const response = await this.#handler(event, contextOf('referrals', FUNCTIONS.referrals.timeout));
    const rows = response.statusCode === 200 ? JSON.parse(response.body ?? '').data.length : 0;
    if (rows !== PER_PAGE) throw new Error(`${query}: ${response.statusCode} with ${rows} rows`);
    return response;
  }
}
