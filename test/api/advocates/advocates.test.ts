import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { sortKey } from '../../../functions/table/keys.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** 2026-01-01T00:00:00Z; one advocate was created in each second from then on. */
const BEGIN = 1_767_225_600;
let program: Program;
let advocates: Advocate[];
let token: string;
beforeAll(async () => {
  program = await aProgram(table, {
    name: 'Acme',
    siteUrl: 'https://acme.example/shop?lang=en',
    linkParameter: 'ref',
  });
  advocates = [];
  for (let index = 0; index < 60; index += 1) {
    advocates.unshift(await anAdvocate(table, program, { uid: `partner-${index}` }, seconds(BEGIN + index)));
  }
  await anAdvocate(table, await aProgram(table));
  token = await aToken(table, program);
});

const lists =
  (send: Send) =>
  (query = '') =>
    send({ operation: 'listAdvocates', token, query });
const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);

describe.each(DRIVERS)('GET /v1/advocates through %s', (_, connect) => {
  const send = connect(table);
  const list = lists(send);

  test("the list has the program's 25 newest advocates, and no advocate of another program", async () => {
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(ids(json)).toEqual(advocates.slice(0, 25).map(({ id }) => id));
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: true } });
  });

  test('the list returns exactly the documented fields of an advocate', async () => {
    const [advocate] = advocates;
    const { json } = await list('per_page=1');
    expect(json.data).toEqual([
      {
        id: advocate?.id,
        type: 'advocate',
        attributes: {
          id: advocate?.id,
          uid: 'partner-59',
          email: advocate?.email,
          first_name: 'Jane',
          last_name: 'Doe',
          slug: advocate?.slug,
          referral_link: `https://acme.example/shop?lang=en&ref=${advocate?.slug}`,
          company_id: program.id,
          company: 'Acme',
          created_at: BEGIN + 59,
        },
      },
    ]);
  });

  test("the list returns the advocate's company, or the program if the advocate has none", async () => {
    const other = await aProgram(table);
    await anAdvocate(table, other, { company: 'Doe Media' }, seconds(BEGIN));
    await anAdvocate(table, other, { companyId: 'c-1' }, seconds(BEGIN + 1));
    const { json } = await send({ operation: 'listAdvocates', token: await aToken(table, other) });
    expect(json.data.map(({ attributes }: { attributes: object }) => attributes)).toMatchObject([
      { company_id: 'c-1', company: null },
      { company_id: null, company: 'Doe Media' },
    ]);
  });

  test('pages are exact offsets, and a page past the end is empty', async () => {
    const third = (await list('page=3&per_page=25')).json;
    expect(ids(third)).toEqual(advocates.slice(50).map(({ id }) => id));
    expect(third.meta.pagination).toEqual({ page: 3, per_page: 25, has_more: false });
    expect((await list('page=2&per_page=30')).json.meta.pagination.has_more).toBe(false);
    expect((await list('page=999999999')).json).toEqual({
      data: [],
      meta: { pagination: { page: 999_999_999, per_page: 25, has_more: false } },
    });
  });
});

describe.each(ALL_DRIVERS)('GET /v1/advocates through %s', (_, connect) => {
  const send = connect(table);
  const list = lists(send);

  test('the list filters by created_at, exclusive on both sides, in both formats of a time', async () => {
    const expected = advocates.slice(29, 39).map(({ id }) => id);
    const queries = [
      `created_at_gt=${encodeURIComponent('2026-01-01 00:00:20 +0000')}&created_at_lt=${encodeURIComponent('2026-01-01 00:00:31 +0000')}`,
      'created_at_gt=2026-01-01+00:00:20++0000&created_at_lt=2026-01-01+02:00:31++0200',
      'created_at_gt=2026-01-01t00:00:20z&created_at_lt=2025-12-31T22:00:30.5-02:00',
    ];
    for (const query of queries) expect(ids((await list(query)).json)).toEqual(expected);
  });

  test('following the Link header returns the whole list, even if per_page changes', async () => {
    const seen: string[] = [];
    let query = 'per_page=11&created_at_gt=2025-01-01T00:00:00Z';
    for (let page = 1; query; page += 1) {
      const { json, headers } = await list(query);
      seen.push(...ids(json));
      expect(json.meta.pagination.page).toBe(page);
      const next = /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
      query = next ? new URL(next).search.slice(1).replace('per_page=11', 'per_page=7') : '';
    }
    expect(seen).toEqual(advocates.map(({ id }) => id));
  });

  test('a cursor that version 1.0.0 issued is still valid', async () => {
    // The page, a fingerprint of the list, and the sort key of the row before the page.
    const fingerprint = createHash('sha256').update(`["advocates","${program.id}",null]`).digest('base64url');
    const { createdAt = seconds(0), id = '' } = advocates[4] ?? {};
    const before = `2.${fingerprint.slice(0, 22)}.${sortKey(createdAt, id)}`;
    const { status, json } = await list(`cursor=${Buffer.from(before).toString('base64url')}`);
    expect([status, json.data?.[0]?.id]).toEqual([200, advocates[5]?.id]);
  });

  test('a cursor is valid for its own filters and owner only, and not with page', async () => {
    const next = /<([^>]+)>/.exec((await list('per_page=5')).headers['link'] ?? '')?.[1] ?? '';
    const { search, searchParams } = new URL(next);
    const cursor = searchParams.get('cursor') ?? '';
    const other = await aToken(table, await aProgram(table));
    const responses = [
      await list(`${search.slice(1)}&page=2`),
      await list(`cursor=${cursor}&created_at_gt=2020-01-01T00:00:00Z`),
      await send({ operation: 'listAdvocates', token: other, query: `cursor=${cursor}` }),
      await list(`cursor=${cursor.slice(0, -4)}`),
      await list('cursor='),
      await list('cursor=%F0%9F%A6%86'),
    ];
    for (const { status, json } of responses) {
      expect(status).toBe(400);
      expect(json.error).toMatch(/^cursor /);
    }
    expect((await list(`cursor=${cursor}`)).json.data[0].id).toBe(advocates[5]?.id);
  });
});
