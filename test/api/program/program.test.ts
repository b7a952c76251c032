import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { stopProgram } from '../../../functions/table/operator/delete-program.ts';
import { updateProgram } from '../../../functions/table/program-changes.ts';
import { findProgram } from '../../../functions/table/programs.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aProgram, aToken } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
});

const CHANGES = {
  name: 'Other',
  site_url: 'https://other.example/',
  link_parameter: 'ref',
  attribution_days: 30,
  commission_percentage: 12.5,
  commission_months: 6,
  payable_after_days: 14,
  allowed_origins: ['https://www.other.example'],
  affiliates_see_email: 'masked',
  slugs: 'random',
} as const;

describe.each(DRIVERS)('the program through %s', (_, connect) => {
  const send = connect(table);
  const change = (body: unknown) => send({ operation: 'updateProgram', token, body });

  test('GET /v2/program returns the program with the calling token', async () => {
    const own = await aProgram(table);
    const { status, json } = await send({ operation: 'getProgram', token: await aToken(table, own) });
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: own.id,
          type: 'program',
          attributes: {
            name: 'Acme',
            site_url: 'https://acme.example/',
            public_key: own.publicKey,
            link_parameter: 'via',
            attribution_days: 90,
            commission_percentage: 20,
            commission_months: 12,
            payable_after_days: 0,
            allowed_origins: [],
            affiliates_see_email: 'full',
            slugs: 'names',
            mode: 'live',
          },
        },
        meta: {
          token: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            name: null,
            scopes: ['read', 'track', 'advocates', 'payouts', 'admin'],
            expires_at: null,
          },
        },
      },
    ]);
  });

  test('PATCH /v2/program changes every field, and a repetition changes nothing', async () => {
    const { status, json } = await change(CHANGES);
    expect([status, json.data.attributes]).toEqual([200, { ...CHANGES, public_key: program.publicKey, mode: 'live' }]);
    const stored = await findProgram(table, program.id);
    expect(stored).toMatchObject({ name: 'Other', payableAfterDays: 14, affiliatesSeeEmail: 'masked' });
    await expectUnchanged(table, async () => expect((await change(CHANGES)).json.data).toEqual(json.data));
    await expectUnchanged(table, async () => expect((await change({})).json.data).toEqual(json.data));
  });

  test('GET /v2/program returns a change immediately, although callers are remembered for 30 seconds', async () => {
    const own = await aProgram(table);
    const get = { operation: 'getProgram', token: await aToken(table, own) } as const;
    await send(get);
    await updateProgram(table, own.id, { name: 'Other', commissionPercentage: null });
    const { json } = await send(get);
    expect(json.data.attributes).toMatchObject({ name: 'Other', commission_percentage: null });
    await stopProgram(table, own.id);
    expect(outcomeOf(await send(get))).toEqual([401, 'unauthorized', expect.stringContaining('revoked')]);
  });

  test('null clears the commission, and [] the allowed origins', async () => {
    await change(CHANGES);
    const { json } = await change({ commission_percentage: null, commission_months: null, allowed_origins: [] });
    expect(json.data.attributes).toMatchObject({
      commission_percentage: null,
      commission_months: null,
      allowed_origins: [],
      attribution_days: 30,
    });
  });

  test.each([
    ['id', { id: null }],
    ['public_key', { public_key: 'pk_1' }],
    ['mode', { mode: 'live' }],
    ...Object.keys(CHANGES)
      .filter((name) => !name.startsWith('commission'))
      .map((name) => [name, { [name]: null }] as const),
    ['name', { name: '' }],
    ['site_url', { site_url: 'javascript:alert(1)' }],
    ['link_parameter', { link_parameter: 'a b' }],
    ['attribution_days', { attribution_days: 0 }],
    ['commission_percentage', { commission_percentage: 101 }],
    ['commission_months', { commission_months: 1.5 }],
    ['payable_after_days', { payable_after_days: 366 }],
    ['allowed_origins', { allowed_origins: ['https://a.example/path'] }],
    ['allowed_origins', { allowed_origins: 'https://a.example' }],
    ['affiliates_see_email', { affiliates_see_email: 'all' }],
    ['slugs', { slugs: 'email' }],
  ])('PATCH /v2/program with an invalid %s, %j, changes nothing', async (field, body) => {
    await expectUnchanged(table, async () => {
      const [status, code, error] = outcomeOf(await change({ name: 'Changed', ...body }));
      expect([status, code]).toEqual([400, 'invalid_field']);
      expect(error).toMatch(new RegExp(`^${field}\\b`));
    });
  });
});
