import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { GROUPINGS } from '../../../functions/domain/counts.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { countReferrals } from '../../../functions/table/referrals/counts.ts';
import { metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { addCopies } from '../../support/table/many-rows.ts';
import { useCountingTable } from '../../support/use-table.ts';

const table = useCountingTable();
const CLICKS = 500;
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  await aReferral(table, program, advocate, { subId: 'news' });
  const times = { createdAt: seconds(1_700_000_000), stateSetAt: seconds(1_700_000_000) };
  const sample = await aClick(table, program, advocate, { ...times, updatedAt: times.createdAt, subId: 'news' });
  await addCopies(table, program, sample, { from: 1, to: CLICKS });
});

describe('the capacity of counts', () => {
  test.each([undefined, ...GROUPINGS])(
    'a count without clicks uses half a read unit for each other state, grouped by %s',
    async (grouping) => {
      const count = (clicks: boolean, subId?: string) =>
        metered(table, () =>
          countReferrals(table, program.id, advocate.slug, { subId, createdAt: undefined, clicks, grouping }),
        );
      expect(await count(false)).toMatchObject({ result: { total: { converted: 1 } }, requests: 4, readUnits: 2 });
      expect(await count(false, 'news')).toMatchObject({ requests: 1, readUnits: 0.5 });
      const withClicks = await count(true);
      expect(withClicks).toMatchObject({ result: { total: { clicked: CLICKS, converted: 1 } }, requests: 5 });
      expect(withClicks.readUnits).toBeGreaterThan(10);
    },
  );
});
