import type { CallLimits } from '../../functions/table/connection.ts';

/**
 * Limits of one request to the table for `npm start` and the operator's command line. Neither has the time limit of a
 * Lambda function, so a busy laptop or a slow network does not make them fail.
 */
export const UNHURRIED: CallLimits = {
  connectionTimeout: 10_000,
  requestTimeout: 10_000,
  socketTimeout: 10_000,
};
