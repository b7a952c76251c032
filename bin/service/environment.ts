import type { CallLimits } from '../../functions/kernel/dynamodb/connection.ts';

export const DATA_DIR = 'DATA_DIR';
export const DEFAULT_DATA_DIR = '.local';
export const DEFAULT_TABLE = 'referral-tracking';

/** The user agent of a browser. The service ignores clicks of bots, and curl's own user agent counts as one. */
export const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

/** Limits of one request to the table, in milliseconds. It can wait longer than in a Lambda function. */
export const GENEROUS_LIMITS: CallLimits = { connectionTimeout: 10_000, requestTimeout: 10_000, socketTimeout: 10_000 };

export function isHttpAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}
