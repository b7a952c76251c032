import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayOf } from '../../../functions/domain/statistics/days.ts';
import { NO_NUMBERS } from '../../../functions/domain/statistics/statistics.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { countStream, numbersOn } from '../../support/statistics/statistics.ts';
import { move, set } from '../../support/table/situations.ts';
import { track } from '../../support/table/track.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
beforeAll(() => createMissingTable(table, { stream: true }));

describe("the table's stream", () => {
  test('clicks, conversions and changes of states are counted on the real stream, once, and are returned by the API', async () => {
    const program = await aProgram(table);
    const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const click = await aClick(table, program, jane);
    await aClick(table, program, jane);
    const { referral } = await track(table, program, { by: { slug: jane.slug, clickId: click.id } });
    await set(table, program, referral.id, 'paid');
    await move(table, program, referral.id, john.slug);
    await set(table, program, referral.id, 'churned');
    await set(table, program, referral.id, 'rejected');
    await eraseReferral(table, program.id, referral.id, 'merchant');
    await countStream(table);
    await countStream(table);
    const today = dayOf(secondOf(table.clock()));
    const ofJane = { ...NO_NUMBERS, clicks: 2, conversions: 1, paying: 1 };
    const ofJohn = { ...NO_NUMBERS, churned: 1, rejected: 1 };
    expect(await numbersOn(table, program, jane.slug, today)).toEqual(ofJane);
    expect(await numbersOn(table, program, john.slug, today)).toEqual(ofJohn);
    expect(await numbersOn(table, program, null, today)).toEqual({ ...ofJane, churned: 1, rejected: 1 });

    const send = sendToHandlers(table);
    const token = await aToken(table, program);
    const { json } = await send({ operation: 'getStatistics', token });
    expect(json.data.attributes.total).toEqual({ ...ofJane, churned: 1, rejected: 1 });
    expect(json.data.attributes.groups[0]).toEqual({ key: today, ...ofJane, churned: 1, rejected: 1 });
    expect(json.data.attributes.groups).toHaveLength(30);
  });
});
