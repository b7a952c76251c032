import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { FunctionName } from '../../functions/routes.ts';
import type { Table } from '../../functions/table/dynamodb/table.ts';
import conversion from '../events/conversion-v2.json' with { type: 'json' };
import advocates from '../events/list-advocates.json' with { type: 'json' };
import referrals from '../events/list-referrals.json' with { type: 'json' };
import { anAdvocate, aProgram, aReferral, aToken } from './program.ts';

/** Builds a valid event for each function, which reads the table: 201 from `tracking`, 200 from the others. */
export type ResponseEvents = Record<FunctionName, () => APIGatewayProxyEventV2>;

/** Stores a program with one advocate and 25 referrals, which fill the default page of the list. */
export async function responseEvents(table: Table): Promise<ResponseEvents> {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  const programToken = await aToken(table, program);
  const affiliateToken = await aToken(table, program, advocate);
  for (let count = 0; count < 25; count += 1) await aReferral(table, program, advocate);
  const withToken = (event: APIGatewayProxyEventV2, token: string): APIGatewayProxyEventV2 => ({
    ...event,
    rawQueryString: '',
    headers: { ...event.headers, authorization: `Bearer ${token}` },
  });
  return {
    tracking: () => ({
      ...withToken(conversion, programToken),
      body: JSON.stringify({ email: `${randomUUID()}@shop.example`, affiliate_slug: advocate.slug }),
    }),
    advocates: () => withToken(advocates, programToken),
    referrals: () => withToken(referrals, affiliateToken),
  };
}
