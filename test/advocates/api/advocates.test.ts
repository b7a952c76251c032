import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { ALL_DRIVERS, DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { cursorOf, idsOf, outcomeOf } from '../../support/responses.ts';
import { useProgram } from '../../support/use-table.ts';

/** 2026-01-01T00:00:00Z; one advocate was created in each second from then on. */
const BEGIN = 1_767_225_600;
const TERMS = { name: 'Acme', siteUrl: 'https://acme.example/shop?lang=en', linkParameter: 'ref' };
const { table, program, advocate: latest } = await useProgram(TERMS);
/** The advocates of January, newest first. The first one is deactivated and has a rate of its own. */
const advocates: Advocate[] = [];
for (let index = 0; index < 39; index += 1) {
  advocates.unshift(await anAdvocate(table, program, { uid: `partner-${index}` }, seconds(BEGIN + index)));
}
const [newest = latest] = advocates;
await updateAdvocate(table, program.id, newest.slug, { active: false, commissionPercentage: 12.5 });
const token = await aToken(table, program);
const other = await aToken(table, await aProgram(table));
const OF_JANUARY = 'created_at_lt=2026-02-01T00:00:00Z';
const idsFrom = (begin: number, end?: number) => advocates.slice(begin, end).map(({ id }) => id);

describe.each(DRIVERS)('lists of advocates through %s', (_, connect) => {
  const send = connect(table);
  const list = (query = '', operation: 'listAdvocatesV2' | 'listAdvocates' = 'listAdvocates') =>
    send({ operation, token, query: `${query}&${OF_JANUARY}` });

  test("the list of V1 has the program's newest advocates, 25 on a page, with exactly the documented fields", async () => {
    const response = await list();
    const { status, json } = response;
    expect([status, idsOf(response)]).toEqual([200, idsFrom(0, 25)]);
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: true } });
    expect(json.data[0]).toEqual({
      id: newest.id,
      type: 'advocate',
      attributes: {
        id: newest.id,
        uid: 'partner-38',
        email: newest.email,
        first_name: 'Jane',
        last_name: 'Doe',
        slug: newest.slug,
        referral_link: `https://acme.example/shop?lang=en&ref=${newest.slug}`,
        company_id: program.id,
        company: 'Acme',
        created_at: BEGIN + 38,
      },
    });
  });

  test('the list of V2 has the same advocates, in the same order, with active, the own rate and the group', async () => {
    for (const query of ['', 'page=2', 'page=99', 'per_page=7&page=3', 'created_at_gt=2026-01-01T00:00:20Z']) {
      const [v1, v2] = [await list(query), await list(query, 'listAdvocatesV2')];
      expect([v2.status, idsOf(v2), v2.json.meta]).toEqual([200, idsOf(v1), v1.json.meta]);
    }
    const [deactivated, active] = (await list('', 'listAdvocatesV2')).json.data;
    const [v1] = (await list()).json.data;
    const attributes = { ...v1.attributes, active: false, commission_percentage: 12.5, group: null };
    expect(deactivated).toEqual({ id: v1.id, type: 'advocate', attributes });
    expect(active.attributes).toMatchObject({ active: true, commission_percentage: null });
  });

  test('a cursor is valid for its own list, filters and owner only, and not with page', async () => {
    const [v1, v2] = [cursorOf(await list('per_page=5')), cursorOf(await list('per_page=5', 'listAdvocatesV2'))];
    expect(v1).not.toBe(v2);
    for (const { status, json } of [
      await list(`cursor=${v1}&page=2`),
      await list(`cursor=${v1}&created_at_gt=2020-01-01T00:00:00Z`),
      await send({ operation: 'listAdvocates', token: other, query: `cursor=${v1}&${OF_JANUARY}` }),
      await send({ operation: 'listAdvocatesV2', token: other, query: `cursor=${v2}&${OF_JANUARY}` }),
      await list(`cursor=${v1}`, 'listAdvocatesV2'),
      await list(`cursor=${v2}`),
      await list(`cursor=${v1?.slice(0, -4)}`),
      await list('cursor='),
      await list('cursor=%F0%9F%A6%86'),
    ]) {
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^cursor /)]);
    }
    expect(idsOf(await list(`cursor=${v1}`))[0]).toBe(advocates[5]?.id);
  });

  test('email_eq, uid_eq and active_eq find advocates, alone and together', async () => {
    const own = await aProgram(table);
    const merchant = await aToken(table, own);
    const jane = await anAdvocate(table, own, { email: 'jane@partners.example', uid: 'p-1' });
    const john = await anAdvocate(table, own, { email: 'john@partners.example' });
    await send({ operation: 'updateAdvocate', token: merchant, slug: john.slug, body: { active: false } });
    const list = async (query: string) =>
      idsOf(await send({ operation: 'listAdvocatesV2', token: merchant, query: `${query}&per_page=1` }));
    expect(await list('email_eq=%20JANE@partners.example')).toEqual([jane.id]);
    expect(await list('uid_eq=p-1')).toEqual([jane.id]);
    expect(await list('uid_eq=P-1')).toEqual([]);
    expect(await list('active_eq=false')).toEqual([john.id]);
    expect(await list('active_eq=true&email_eq=john@partners.example')).toEqual([]);
    const invalid = await send({ operation: 'listAdvocatesV2', token: merchant, query: 'email_eq=jane' });
    expect(outcomeOf(invalid)[2]).toMatch(/^email_eq must be /);
  });

  test('search finds advocates by name, newest first, with filters and a cursor of its own', async () => {
    const own = await aProgram(table);
    const merchant = await aToken(table, own);
    const named = (firstName: string, lastName: string, second: number) =>
      anAdvocate(table, own, { firstName, lastName, uid: `p-${second}` }, seconds(BEGIN + second));
    const kate = await named('Kate', 'Doe', 1);
    const zoe = await named('Zoë', 'Katsen', 2);
    await named('Ann', 'Lee', 3);
    const find = (query: string) => send({ operation: 'listAdvocatesV2', token: merchant, query });
    expect(idsOf(await find('search=kat'))).toEqual([zoe.id, kate.id]);
    expect(idsOf(await find('search=zoe%20KATS&active_eq=true'))).toEqual([zoe.id]);
    expect(idsOf(await find('search=kat&uid_eq=p-1'))).toEqual([kate.id]);
    expect(idsOf(await find('search=kat&active_eq=false'))).toEqual([]);
    const first = await find('search=kat&per_page=1');
    expect([idsOf(first), first.json.meta.pagination.has_more]).toEqual([[zoe.id], true]);
    const cursor = cursorOf(first);
    expect(idsOf(await find(`search=kat&per_page=1&cursor=${cursor}`))).toEqual([kate.id]);
    for (const query of [`search=kate&cursor=${cursor}`, `cursor=${cursor}`]) {
      expect(outcomeOf(await find(query))[2]).toMatch(/^cursor /);
    }
    expect(outcomeOf(await find('search=kat&page=2'))[2]).toBe(
      'page must be 1 with search: follow the Link header instead',
    );
  });
});

describe.each(ALL_DRIVERS)('GET /v1/advocates through %s', (_, connect) => {
  const send = connect(table);
  const list = (query: string) => send({ operation: 'listAdvocates', token, query });

  test('the list filters by created_at, exclusive on both sides, in both formats of a time', async () => {
    const queries = [
      `created_at_gt=${encodeURIComponent('2026-01-01 00:00:20 +0000')}&created_at_lt=${encodeURIComponent('2026-01-01 00:00:31 +0000')}`,
      'created_at_gt=2026-01-01+00:00:20++0000&created_at_lt=2026-01-01+02:00:31++0200',
      'created_at_gt=2026-01-01t00:00:20z&created_at_lt=2025-12-31T22:00:30.5-02:00',
    ];
    for (const query of queries) expect(idsOf(await list(query))).toEqual(idsFrom(8, 18));
  });

  test('following the Link header returns the whole list, even if per_page changes', async () => {
    const seen: string[] = [];
    let query = 'per_page=11&created_at_gt=2025-01-01T00:00:00Z';
    for (let page = 1; query; page += 1) {
      const response = await list(query);
      seen.push(...idsOf(response));
      expect(response.json.meta.pagination.page).toBe(page);
      const next = /^<([^>]+)>; rel="next"$/.exec(response.headers['link'] ?? '')?.[1];
      query = next ? new URL(next).search.slice(1).replace('per_page=11', 'per_page=7') : '';
    }
    expect(seen).toEqual([latest.id, ...idsFrom(0)]);
  });

  test('a cursor that version 1.0.0 issued is still valid', async () => {
    // The page, a fingerprint of the list, and the sort key of the row before the page.
    const fingerprint = createHash('sha256').update(`["advocates","${program.id}",null]`).digest('base64url');
    const { createdAt, id } = advocates[4] ?? latest;
    const before = `2.${fingerprint.slice(0, 22)}.${sortKey(createdAt, id)}`;
    const { status, json } = await list(`cursor=${Buffer.from(before).toString('base64url')}`);
    expect([status, json.data?.[0]?.id]).toEqual([200, advocates[5]?.id]);
  });
});
