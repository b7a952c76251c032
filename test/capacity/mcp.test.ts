import { expect, test } from '@jest/globals';
import type { OperationId } from '../../functions/routes.ts';
import { sendToHandlers } from '../support/drivers.ts';
import { requestWith } from '../support/mcp.ts';
import { metered } from '../support/meter.ts';
import { anAdvocate, aProgram, aReferral, aToken } from '../support/program.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();

test('the call of a tool by a caller that is known already costs what its operation costs', async () => {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  for (let count = 0; count < 3; count += 1) await aReferral(table, program, advocate);
  const token = await aToken(table, program);
  const send = sendToHandlers(table);
  const costOf = async (request: Parameters<typeof send>[0]) => {
    await send({ ...request, token });
    const { result, requests, readUnits, writeUnits } = await metered(table, () => send({ ...request, token }));
    expect([result.status, result.json.result?.isError ?? false]).toEqual([200, false]);
    return [requests, readUnits, writeUnits];
  };
  // In the function of the operation, and instead of another function.
  for (const [name, given] of [
    ['listReferralsV2', { affiliate_slug: advocate.slug }],
    ['searchReferrals', { text: advocate.slug }],
    ['getProgram', {}],
    ['listAdvocatesV2', { sort: 'clicks' }],
  ] as const satisfies [OperationId, object][]) {
    const params = { name, arguments: given };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect([name, await costOf({ operation: 'callMcp', body })]).toEqual([
      name,
      await costOf(requestWith(name, given)),
    ]);
  }
});
