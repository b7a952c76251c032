import type { CallLimits } from '../../functions/table/table.ts';

/**
 * Limits of one request to the table for `npm start` and the operator's command line. Neither has the time limit of a
 * Lambda function, and a busy laptop or a slow network is no reason to give up.
 */
export const UNHURRIED: CallLimits = {
  connectionTimeout: 10_000,
  requestTimeout: 10_000,
  socketTimeout: 10_000,
};
