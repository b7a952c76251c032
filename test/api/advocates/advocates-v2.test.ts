import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { cursorOf, idsOf } from '../../support/responses.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** 2026-01-01T00:00:00Z; one advocate was created in each second from then on. */
const BEGIN = 1_767_225_600;
let program: Program;
/** Newest first; the newest one is deactivated and has a rate of its own. */
let advocates: Advocate[];
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { name: 'Acme', siteUrl: 'https://acme.example/', linkParameter: 'ref' });
  advocates = [];
  for (let index = 0; index < 30; index += 1) {
    advocates.unshift(await anAdvocate(table, program, { uid: `partner-${index}` }, seconds(BEGIN + index)));
  }
  const changes = { active: false, commissionPercentage: 12.5 };
  await updateAdvocate(table, program.id, advocates[0]?.slug ?? '', changes);
  await anAdvocate(table, await aProgram(table));
  token = await aToken(table, program);
});
const slugAt = (index: number) => advocates[index]?.slug ?? '';

describe.each(DRIVERS)('GET /v2/advocates through %s', (_, connect) => {
  const send = connect(table);
  const list = (query = '', operation: 'listAdvocatesV2' | 'listAdvocates' = 'listAdvocatesV2') =>
    send({ operation, token, query });

  test('the V2 list has the same advocates, in the same order, as V1', async () => {
    for (const query of ['', 'page=2', 'page=99', 'per_page=7&page=3', 'created_at_gt=2026-01-01T00:00:20Z']) {
      const [v1, v2] = [await list(query, 'listAdvocates'), await list(query)];
      expect([v2.status, idsOf(v2), v2.json.meta]).toEqual([200, idsOf(v1), v1.json.meta]);
    }
    expect(idsOf(await list())).toEqual(advocates.slice(0, 25).map(({ id }) => id));
  });

  test('the V2 list returns the attributes of V1, active and the own rate', async () => {
    const [deactivated, active] = (await list('per_page=2')).json.data;
    const [v1] = (await list('per_page=1', 'listAdvocates')).json.data;
    expect(deactivated).toEqual({
      id: v1.id,
      type: 'advocate',
      attributes: { ...v1.attributes, active: false, commission_percentage: 12.5 },
    });
    expect(active.attributes).toMatchObject({ active: true, commission_percentage: null });
    expect(active.attributes.referral_link).toBe(`https://acme.example/?ref=${slugAt(1)}`);
    expect(Object.keys(v1.attributes)).not.toContain('active');
  });

  test('the Link header leads through the whole list', async () => {
    const seen: string[] = [];
    for (let query = 'per_page=13'; query !== ''; ) {
      const response = await list(query);
      seen.push(...idsOf(response));
      const cursor = cursorOf(response);
      query = cursor === undefined ? '' : `per_page=13&cursor=${cursor}`;
    }
    expect(seen).toEqual(advocates.map(({ id }) => id));
  });

  test('a cursor is not valid in the other version of the list, nor in another program', async () => {
    const [v1, v2] = [cursorOf(await list('per_page=1', 'listAdvocates')), cursorOf(await list('per_page=1'))];
    expect(v1).not.toBe(v2);
    const other = await aToken(table, await aProgram(table));
    for (const { status, json } of [
      await list(`cursor=${v1}`),
      await list(`cursor=${v2}`, 'listAdvocates'),
      await list(`cursor=${v2}&created_at_gt=2020-01-01T00:00:00Z`),
      await send({ operation: 'listAdvocatesV2', token: other, query: `cursor=${v2}` }),
    ]) {
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^cursor is not valid for this list/)]);
    }
  });
});

describe.each(DRIVERS)('GET /v2/advocates/{slug} through %s', (_, connect) => {
  const send = connect(table);
  const get = (slug: string) => send({ operation: 'getAdvocate', token, slug });

  test('an advocate is returned with the attributes of the list, by its slug in any case', async () => {
    const [row] = (await send({ operation: 'listAdvocatesV2', token, query: 'per_page=1' })).json.data;
    for (const slug of [slugAt(0), slugAt(0).toUpperCase()]) {
      const { status, json } = await get(slug);
      expect([status, json]).toMatchObject([200, { data: row }]);
    }
  });

  test.each(['nobody', 'jane doe', 'jane.doe', 'zoë', '\u0000', ' ', '-'.repeat(65), '__proto__', '%', '\u212a'])(
    'an unknown or malformed slug returns the same 404: %j',
    async (slug) => {
      for (const operation of ['getAdvocate', 'updateAdvocate', 'createAdvocateToken'] as const) {
        const { status, json, headers } = await send({ operation, token, slug, body: '{}' });
        expect([status, json, headers['x-error-code']]).toEqual([
          404,
          { error: 'Advocate not found' },
          'advocate_not_found',
        ]);
      }
    },
  );
});
