import { advocatesHandler } from '../../functions/advocates/handler.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import type { Connection } from '../../functions/table/connection.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import type { Functions } from './gateway.ts';

/** The functions as Lambda would run them, on a table. */
export function functionsOf(connection: Connection): Functions {
  return {
    tracking: trackingHandler(connection),
    advocates: advocatesHandler(connection),
    referrals: referralsHandler(connection),
  };
}
