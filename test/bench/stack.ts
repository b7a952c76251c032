import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { contextOf } from '../../bin/local/event.ts';
import { milliseconds, systemClock } from '../../functions/domain/time.ts';
import { newToken } from '../../functions/domain/token.ts';
import { json } from '../../functions/http/response.ts';
import { routeHandler } from '../../functions/http/route-handler.ts';
import { ROUTES } from '../../functions/routes.ts';
import { parseConversionV1 } from '../../functions/tracking/mapping.ts';
import event from '../events/conversion-v1.json' with { type: 'json' };
import { program } from '../unit/samples.ts';

const CALLS = 50_000;

/**
 * Measures the microseconds of a conversion without the table: the middy stack with authentication (a cached token),
 * JSON, validation and the response.
 */
export async function stackCost(): Promise<number> {
  const body = { data: { id: program.id, type: 'referral', attributes: {} } };
  const handler = routeHandler({
    route: ROUTES.trackConversionV1,
    service: {
      clock: systemClock,
      until: (deadline) => deadline,
      callers: {
        byToken: async () => ({ kind: 'program', program, token: newToken({}, program.id, program.createdAt) }),
        byPublicKey: async () => program,
        byProgramId: async () => program,
      },
    },
    input: (_, body) => parseConversionV1(body),
    handle: async () => json(201, body),
  });
  const context = contextOf('tracking');
  const sent: APIGatewayProxyEventV2 = event;
  const run = async () => {
    const start = milliseconds(performance.now());
    for (let call = 0; call < CALLS; call += 1) await handler(sent, context);
    return ((performance.now() - start) * 1000) / CALLS;
  };
  // The first round lets the JIT compiler optimize.
  await run();
  return run();
}
