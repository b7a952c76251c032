import { advocatesHandler } from '../../functions/advocates/handler.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import type { Table } from '../../functions/table/table.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import type { Functions } from './gateway.ts';

/** The functions as Lambda would run them, on a table. */
export function functionsOf(table: Table): Functions {
  return {
    tracking: trackingHandler(table),
    advocates: advocatesHandler(table),
    referrals: referralsHandler(table),
  };
}
