import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
beforeAll(async () => {
  program = await aProgram(table, { linkParameter: 'ref', attributionDays: 30, payableAfterDays: 14, mode: 'test' });
});

describe.each(DRIVERS)('GET /v2/affiliate through %s', (_, connect) => {
  const send = connect(table);
  const get = (token: string) => send({ operation: 'getAffiliate', token });

  test('it returns the advocate, its terms and its program', async () => {
    const jane = await anAdvocate(table, program, { uid: newId(), company: 'Doe Media' });
    const expiresAt = seconds(now() + 600);
    const { status, json } = await get(await aToken(table, program, jane, expiresAt));
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: jane.id,
          type: 'affiliate',
          attributes: {
            slug: jane.slug,
            first_name: 'Jane',
            last_name: 'Doe',
            active: true,
            referral_link: `https://acme.example/?ref=${jane.slug}`,
            commission_percentage: 20,
            commission_months: 12,
            attribution_days: 30,
            payable_after_days: 14,
            program: { name: 'Acme', site_url: 'https://acme.example/', link_parameter: 'ref', mode: 'test' },
          },
        },
        meta: { token: { expires_at: expiresAt } },
      },
    ]);
  });

  test("the advocate's own rate replaces the program's, and 0 is a rate", async () => {
    const jane = await anAdvocate(table, program, { commissionPercentage: 0 });
    const { json } = await get(await aToken(table, program, jane));
    expect(json.data.attributes.commission_percentage).toBe(0);
  });

  test('names, rates and months that are not set, and the end of a token without one, are null', async () => {
    const own = await aProgram(table, { commissionPercentage: null, commissionMonths: null });
    const jane = await anAdvocate(table, own, { firstName: null, lastName: null });
    const { json } = await get(await aToken(table, own, jane));
    expect(json.data.attributes).toMatchObject({
      first_name: null,
      last_name: null,
      commission_percentage: null,
      commission_months: null,
    });
    expect(json.meta.token.expires_at).toBeNull();
  });

  test('a deactivated advocate sees that it is not active', async () => {
    const jane = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, jane.slug, { active: false });
    const { json } = await get(await aToken(table, program, jane));
    expect(json.data.attributes.active).toBe(false);
  });

  test('a program token is refused', async () => {
    expect(outcomeOf(await get(await aToken(table, program)))).toEqual([
      403,
      'forbidden',
      'This operation requires an affiliate token',
    ]);
  });
});
