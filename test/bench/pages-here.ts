import { setTimeout as pause } from 'node:timers/promises';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { contextOf } from '../../bin/local/event.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import { FUNCTIONS } from '../../functions/routes.ts';
import list from '../events/list-referrals-v2.json' with { type: 'json' };
import { inSeries, metered, type Reading } from '../support/meter.ts';
import type { LoadedTable } from './many-referrals.ts';
import { median } from './report.ts';

/** The time of a page if a request was not answered within its deadline. It is longer than any other. */
export const UNANSWERED = Number.POSITIVE_INFINITY;

/** What it takes to answer a page. `null` if it was never answered. */
export type PageCost =
  | (Pick<Reading, 'requests' | 'readUnits'> & { readonly ms: number; readonly series: number })
  | null;

/** What the first request for a page takes, with all requests that had to be repeated after a 503. */
export interface FirstVisit extends Reading {
  readonly ms: number;
  /** Responses with 503 before the answer. */
  readonly refused: number;
}

export const PER_PAGE = 50;
/** Measurements of the time of a page. */
const ROUNDS = 5;
/** A page that is refused this often, or for this many milliseconds, is never answered. */
const MOST_REFUSALS = 40;
const PATIENCE = 90_000;
/** Seconds to wait after a 503 without Retry-After. */
const RETRY_AFTER = 1;

/** The list of one advocate's referrals, read through the handler of the service. */
export class PagesHere {
  readonly #loaded: LoadedTable;
  readonly #handler;

  constructor(loaded: LoadedTable) {
    this.#loaded = loaded;
    this.#handler = referralsHandler(loaded.table.connection);
  }

  /** Requests a page until it is answered, and waits as long as the responses say. */
  async firstVisit(page: number): Promise<FirstVisit & { readonly isAnswered: boolean }> {
    await this.#send(`page=1`);
    const startedAt = performance.now();
    const { result, ...reading } = await metered(this.#loaded.table, async () => {
      for (let refused = 0; ; refused += 1) {
        const { statusCode, headers } = await this.#send(`page=${page}`);
        if (statusCode === 200) return { refused, isAnswered: true };
        const isLate = performance.now() - startedAt > PATIENCE;
        if (refused + 1 >= MOST_REFUSALS || isLate) return { refused: refused + 1, isAnswered: false };
        await pause(Number(headers?.['retry-after'] ?? RETRY_AFTER) * 1000);
      }
    });
    return { ...reading, ...result, ms: performance.now() - startedAt };
  }

  /** Measures a page by its number. */
  byNumber(page: number): Promise<PageCost> {
    return this.#cost(`page=${page}`);
  }

  /** Measures the page with the cursor of the `Link` header of the page before it. */
  async byLink(page: number): Promise<PageCost> {
    if (page === 1) return this.#cost('');
    const { statusCode, headers } = await this.#send(`page=${page - 1}`);
    const cursor = /[?&]cursor=([\w-]+)/.exec(String(headers?.['link']))?.[1];
    return statusCode === 200 && cursor !== undefined ? this.#cost(`cursor=${cursor}`) : null;
  }

  async #cost(query: string): Promise<PageCost> {
    // The first request looks the token up, and shows whether the page can be answered.
    if ((await this.#send(query)).statusCode !== 200) return null;
    const { table } = this.#loaded;
    const { result, requests, readUnits } = await metered(table, () => inSeries(table, () => this.#send(query)));
    if (result.result.statusCode !== 200) return null;
    const times = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      const { statusCode } = await this.#send(query);
      times.push(statusCode === 200 ? performance.now() - startedAt : UNANSWERED);
    }
    const ms = times.includes(UNANSWERED) ? UNANSWERED : median(times);
    return { requests, readUnits, series: result.rounds, ms };
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
    const { statusCode } = response;
    if (statusCode !== 200 && statusCode !== 503) throw new Error(`${query}: ${statusCode} ${response.body}`);
    const rows = statusCode === 200 ? JSON.parse(response.body ?? '').data.length : PER_PAGE;
    if (rows !== PER_PAGE) throw new Error(`${query}: ${rows} rows`);
    return response;
  }
}
