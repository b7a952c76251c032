import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { trackConversion } from '../../functions/table/conversions.ts';
import { metered } from '../support/meter.ts';
import { aClick, anAdvocate, aProgram, newId } from '../support/program.ts';
import { soon, useTable } from '../support/table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
});

const customer = () => ({ email: `${newId()}@shop.example`, uid: null });

describe('a conversion takes two requests', () => {
  test.each([
    ['of a click', null, false, 8],
    ['of a click, with Idempotency-Key', null, true, 10],
    ['of a click with sub id', 'news', false, 10],
    ['of a click with sub id, with Idempotency-Key', 'news', true, 12],
  ])('%s', async (_, subId, isIdempotent, writeUnits) => {
    const click = await aClick(table, program, advocate, { subId });
    const reading = await metered(table, () =>
      trackConversion(
        table,
        {
          program,
          conversion: {
            customer: customer(),
            attribution: { slug: advocate.slug, clickId: click.id },
            subId: null,
          },
          idempotent: isIdempotent ? { key: newId(), route: 'x' } : undefined,
          newId: newId(),
        },
        soon(),
      ),
    );
    expect(reading.result.referral.id).toBe(click.id);
    expect(reading).toMatchObject({ requests: 2, writeUnits });
  });
});
