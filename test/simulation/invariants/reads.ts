import { STATES, type State } from '../../../functions/referrals/rules/state.ts';
import type { ApiRequest } from '../service.ts';
import type { Shop } from '../shops.ts';
import type { Evidence } from './evidence.ts';
import { type Row, rowsOf } from './rows.ts';

const PAGE = 50;

/** Compares all lists of the service with the rows. Returns a sentence for each difference. */
export async function* listProblems({ table, service, shops }: Evidence): AsyncGenerator<string, void> {
  const rows = Map.groupBy(rowsOf(table), ownerOf);
  for (const shop of shops) {
    for (const { slug, token } of readersOf(shop, rows)) {
      const expected = (rows.get(`${shop.program.id} ${slug}`) ?? []).filter(
        ({ referral }) => referral.state !== 'clicked',
      );
      const newestFirst = expected.map(({ referral: { id, state, createdAt } }) => ({ id, state, createdAt }));
      newestFirst.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1));
      const request: Omit<ApiRequest, 'query'> = token
        ? { operation: 'listReferrals', shop, token }
        : { operation: 'listReferralsV2', shop, token: shop.programToken };
      const listed = await allPages(service, request, token ? '' : `&affiliate_slug=${slug}`);
      if (listed.join() !== newestFirst.map(({ id, state }) => `${id} ${state}`).join()) {
        yield `The list of ${slug} in ${shop.mark} has ${listed.length} referrals, the table ${expected.length}`;
      }
    }
  }
}

/** Compares the lists of all referrals of each program with the rows. Returns a sentence for each difference. */
export async function* programListProblems({ table, service, shops }: Evidence): AsyncGenerator<string, void> {
  for (const shop of shops) {
    const rows = rowsOf(table).filter(({ program }) => program === shop.program.id);
    const expected = rows.map(({ referral }) => referral).filter(({ state }) => state !== 'clicked');
    expected.sort((one, other) => other.stateSetAt - one.stateSetAt || (one.id < other.id ? 1 : -1));
    const listed: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const query = `per_page=${PAGE}${cursor && `&cursor=${cursor}`}`;
      const request = { operation: 'listReferralsV2', shop, token: shop.programToken, query } as const;
      const response = await service.call(request);
      const { data }: { data: { id: string; attributes: { state: string } }[] } = JSON.parse(response?.body ?? '');
      listed.push(...data.map(({ id, attributes }) => `${id} ${attributes.state}`));
      cursor = /cursor=([^&>]+)/.exec(String(response?.headers['link'] ?? ''))?.[1];
    }
    if (listed.join() !== expected.map(({ id, state }) => `${id} ${state}`).join()) {
      yield `The list of ${shop.mark} has ${listed.length} referrals, the table ${expected.length}`;
    }
  }
}

/** Compares all counts of the service with the rows. Returns a sentence for each difference. */
export async function* countProblems({ table, service, shops }: Evidence): AsyncGenerator<string, void> {
  const rows = Map.groupBy(rowsOf(table), ownerOf);
  for (const shop of shops) {
    for (const { slug, token } of readersOf(shop, rows)) {
      const own = rows.get(`${shop.program.id} ${slug}`) ?? [];
      const request: Omit<ApiRequest, 'query'> = token
        ? { operation: 'countOwnReferrals', shop, token }
        : { operation: 'countReferrals', shop, token: shop.programToken };
      const query = `group_by=sub_id${token ? '' : `&affiliate_slug=${slug}`}`;
      const { attributes } = await data(service, { ...request, query });
      const counted = [['total', attributes.total], ...attributes.groups.map(({ key, ...counts }) => [key, counts])];
      const groups = Map.groupBy(own, ({ referral }) => referral.subId);
      const expected = [['total', countsOf(own)], ...[...groups].map(([key, members]) => [key, countsOf(members)])];
      if (sorted(counted) !== sorted(expected)) yield `The counts of ${slug} in ${shop.mark} differ from the table`;
    }
  }
}

const ownerOf = ({ program, referral }: Row) => `${program} ${referral.advocateSlug}`;

/** The advocates with referrals, each with its token if the test has one. */
function readersOf({ advocates, affiliateTokens, program }: Shop, rows: ReadonlyMap<string, unknown>) {
  const slugs = [...rows.keys()].filter((owner) => owner.startsWith(program.id)).map((owner) => owner.split(' ')[1]);
  return slugs.map((slug = '') => {
    return { slug, token: affiliateTokens[advocates.findIndex((advocate) => advocate.slug === slug)] };
  });
}

type Counts = Record<State, number>;
interface Counted {
  readonly attributes: {
    readonly total: Counts;
    readonly groups: readonly (Counts & { readonly key: string | null })[];
  };
}

const countsOf = (rows: readonly Row[]) =>
  Object.fromEntries(STATES.map((state) => [state, rows.filter(({ referral }) => referral.state === state).length]));

/** A text that is the same for equal counts in any order. */
const sorted = (entries: readonly (readonly unknown[])[]) =>
  entries
    .map(([key, counts]) => `${key} ${STATES.map((state) => (counts as Counts)[state]).join()}`)
    .sort()
    .join('\n');

async function allPages(service: Evidence['service'], request: Omit<ApiRequest, 'query'>, query: string) {
  const rows: string[] = [];
  for (let page = 1; ; page += 1) {
    const listed: readonly { id: string; attributes: { state: string } }[] = await data(service, {
      ...request,
      query: `per_page=${PAGE}&page=${page}${query}`,
    });
    rows.push(...listed.map(({ id, attributes }) => `${id} ${attributes.state}`));
    if (listed.length < PAGE) return rows;
  }
}

async function data<Data = Counted>(service: Evidence['service'], request: ApiRequest): Promise<Data> {
  const response = await service.call(request);
  if (response?.status !== 200) throw new Error(`${request.operation} returned ${response?.status}: ${response?.body}`);
  return JSON.parse(response.body).data;
}
