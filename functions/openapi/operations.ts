import { ADVOCATES_OPERATIONS } from '../advocates/docs/operations.ts';
import { CODE_OPERATIONS } from '../codes/docs/operations.ts';
import { EXPLAIN_OPERATIONS } from '../explain/docs/operations.ts';
import { PAYOUT_OPERATIONS } from '../ledger/docs/payouts.ts';
import { LEDGER_READ_OPERATIONS } from '../ledger/docs/reads.ts';
import { LEDGER_WRITE_OPERATIONS } from '../ledger/docs/writes.ts';
import { MCP_OPERATIONS } from '../mcp/docs/operations.ts';
import { PAGE_OPERATIONS } from '../pages/docs/operations.ts';
import { PEOPLE_OPERATIONS } from '../people/docs/operations.ts';
import { BRAND_OPERATIONS } from '../program/docs/brand.ts';
import { PROGRAM_OPERATIONS } from '../program/docs/operations.ts';
import { REFERRALS_OPERATIONS } from '../referrals/docs/operations.ts';
import type { ROUTES } from '../routes.ts';
import { STATISTICS_OPERATIONS } from '../statistics/docs/operations.ts';
import { STRIPE_CONNECTION_OPERATIONS } from '../stripe/docs/connection.ts';
import { STRIPE_OPERATIONS } from '../stripe/docs/events.ts';
import { TERMS_OPERATIONS } from '../terms/docs/operations.ts';
import { TRACKING_OPERATIONS } from '../tracking/docs/operations.ts';
import { WEBHOOK_EVENT_OPERATIONS } from '../webhooks/docs/events.ts';
import { WEBHOOK_OPERATIONS } from '../webhooks/docs/webhooks.ts';
import type { Operations } from './operation.ts';

/** The documentation of all operations. */
export const OPERATIONS: Operations<typeof ROUTES> = {
  ...TRACKING_OPERATIONS,
  ...LEDGER_WRITE_OPERATIONS,
  ...PAYOUT_OPERATIONS,
  ...STRIPE_OPERATIONS,
  ...PAGE_OPERATIONS,
  ...PROGRAM_OPERATIONS,
  ...BRAND_OPERATIONS,
  ...ADVOCATES_OPERATIONS,
  ...TERMS_OPERATIONS,
  ...CODE_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...WEBHOOK_EVENT_OPERATIONS,
  ...STRIPE_CONNECTION_OPERATIONS,
  ...REFERRALS_OPERATIONS,
  ...EXPLAIN_OPERATIONS,
  ...STATISTICS_OPERATIONS,
  ...LEDGER_READ_OPERATIONS,
  ...MCP_OPERATIONS,
  ...PEOPLE_OPERATIONS,
};
