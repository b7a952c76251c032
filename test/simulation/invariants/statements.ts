import { isDeepStrictEqual } from 'node:util';
import { programKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import { verifyLedger } from '../../../functions/ledger/operator/ledger.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import { expectedStatement, type ShownStatement, shownStatement } from '../statements.ts';
import type { Evidence } from './evidence.ts';
import { storedEntries } from './ledger.ts';

const DAY = 86_400;
const PAGE = 50;

/** Compares sums, lists and statements of each program with its entries. Returns a sentence for each difference. */
export async function* statementProblems(evidence: Evidence): AsyncGenerator<string, void> {
  const { table, shops, operator } = evidence;
  const byProgram = Map.groupBy(storedEntries(table), ({ program }) => program);
  for (const shop of shops) {
    const entries = (byProgram.get(shop.program.id) ?? []).map(({ entry }) => entry);
    const byAdvocate = Map.groupBy(entries, ({ advocateSlug }) => advocateSlug);
    const check = await verifyLedger(operator, shop.program.id);
    for (const difference of check.differences) yield `ledger verify prints ${JSON.stringify(difference)}`;
    if (check.entries !== entries.length) yield `ledger verify of ${shop.mark} found ${check.entries} entries`;
    yield* listedProblems(evidence, shop, byAdvocate);
    yield* shownProblems(evidence, shop, byAdvocate);
  }
}

type ByAdvocate = ReadonlyMap<string, readonly Entry[]>;

/** Compares the list of each advocate's entries. */
async function* listedProblems({ service }: Evidence, shop: Shop, byAdvocate: ByAdvocate) {
  for (const [slug, entries] of byAdvocate) {
    const newestFirst = entries.toSorted((one, other) =>
      one.createdAt === other.createdAt ? (one.id < other.id ? 1 : -1) : other.createdAt - one.createdAt,
    );
    const request = { operation: 'listEntries', shop, token: shop.programToken } as const;
    const listed = await allOf(service, request, `per_page=${PAGE}&affiliate_slug=${slug}`);
    if (!isDeepStrictEqual(listed, newestFirst.map(toEntry))) {
      yield `The ledger of ${slug} in ${shop.mark} lists ${listed.length} entries, the table has ${entries.length}`;
    }
  }
}

/** Compares the statements of all months. The service checks all numbers but what is payable. */
async function* shownProblems({ table, service, operator }: Evidence, shop: Shop, byAdvocate: ByAdvocate) {
  const now = Math.floor(operator.clock() / 1000);
  const entries = [...byAdvocate.values()].flat();
  const first = Math.min(now, ...entries.map(({ createdAt }) => createdAt));
  const months = [...new Set([first, now].map((second) => new Date(second * 1000).toISOString().slice(0, 7)))];
  const days = Number(table.get({ ...programKey(shop.program.id) })?.['payable_after_days'] ?? 0);
  for (const month of months) {
    const request = { operation: 'getStatements', shop, token: shop.programToken } as const;
    const shown: ShownStatement[] = await allOf(service, request, `month=${month}`);
    const slugs = shown.map(({ id }) => id).sort();
    const expected = [...byAdvocate].filter(([, own]) => expectedStatement(own, month).length > 0);
    const missing = expected.map(([slug]) => slug).filter((slug) => !slugs.includes(slug));
    if (missing.length > 0) yield `The statements of ${shop.mark} for ${month} lack ${missing.join()}`;
    const own = await Promise.all(
      shop.affiliateTokens.map((token) =>
        allOf<ShownStatement>(service, { operation: 'getOwnStatements', shop, token }, `from=${month}&to=${month}`),
      ),
    );
    for (const statement of [...shown, ...own.flat()]) {
      const ofAdvocate = byAdvocate.get(statement.id) ?? [];
      for (const { currency, payable } of statement.attributes.currencies) {
        const computed = payableOf(ofAdvocate, currency, { now, days });
        if (payable !== computed)
          yield `Payable to ${statement.id} in ${currency}: ${payable} instead of ${computed}, with ${shownStatement(statement)}`;
      }
    }
  }
}

/** The balance less what is left of the payments of the last days. */
function payableOf(
  entries: readonly Entry[],
  currency: string,
  { now, days }: { readonly now: number; readonly days: number },
): number {
  const own = entries.filter((entry) => entry.currency === currency);
  const recent = new Set(
    own
      .filter(({ kind, occurredAt }) => kind === 'payment' && dayOf(now) - dayOf(occurredAt) < days)
      .map(({ paymentId }) => paymentId),
  );
  const isPending = ({ kind, paymentId }: Entry) =>
    (kind === 'payment' || kind === 'refund' || kind === 'void') && recent.has(paymentId);
  return own.reduce((sum, entry) => sum + (isPending(entry) ? 0 : entry.commission), 0);
}

const dayOf = (second: number): number => Math.floor(second / DAY);

/** Follows all pages of a list. */
async function allOf<Row>(
  service: Evidence['service'],
  request: Omit<ApiRequest, 'query'>,
  query: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const response = await service.call({ ...request, query: `${query}${cursor && `&cursor=${cursor}`}` });
    if (response?.status !== 200) throw new Error(`${request.operation} returned ${response?.status}`);
    rows.push(...JSON.parse(response.body).data);
    cursor = /cursor=([^&>]+)/.exec(String(response.headers['link'] ?? ''))?.[1];
  }
  return rows;
}
