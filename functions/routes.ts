import { ADVOCATE_ROUTES } from './advocates/http/routes.ts';
import { CODE_ROUTES } from './codes/http/routes.ts';
import { EXPLAIN_ROUTES } from './explain/http/routes.ts';
import type { FunctionName, Route } from './kernel/http/route.ts';
import { PAYOUT_ROUTES } from './ledger/http/payouts/routes.ts';
import { LEDGER_READ_ROUTES } from './ledger/http/reads/routes.ts';
import { LEDGER_WRITE_ROUTES } from './ledger/http/writes/routes.ts';
import { MCP_ROUTES } from './mcp/http/routes.ts';
import { PAGE_ROUTES } from './pages/http/routes.ts';
import { PEOPLE_ROUTES } from './people/http/routes.ts';
import { BRAND_ROUTES } from './program/http/brand/routes.ts';
import { PROGRAM_ROUTES } from './program/http/routes.ts';
import { REFERRAL_ROUTES } from './referrals/http/routes.ts';
import { STATISTICS_ROUTES } from './statistics/http/routes.ts';
import { STRIPE_EVENT_ROUTES } from './stripe/http/event-routes.ts';
import { STRIPE_CONNECTION_ROUTES } from './stripe/http/routes.ts';
import { TERMS_ROUTES } from './terms/http/routes.ts';
import { TRACKING_ROUTES } from './tracking/http/routes.ts';
import { WEBHOOK_ROUTES } from './webhooks/http/routes.ts';

/** All routes, for stack, local gateway, documents and tests. */
export const ROUTES = {
  ...TRACKING_ROUTES,
  ...LEDGER_WRITE_ROUTES,
  ...PAYOUT_ROUTES,
  ...STRIPE_EVENT_ROUTES,
  ...PAGE_ROUTES,
  ...PROGRAM_ROUTES,
  ...BRAND_ROUTES,
  ...ADVOCATE_ROUTES,
  ...TERMS_ROUTES,
  ...CODE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...STRIPE_CONNECTION_ROUTES,
  ...REFERRAL_ROUTES,
  ...EXPLAIN_ROUTES,
  ...STATISTICS_ROUTES,
  ...LEDGER_READ_ROUTES,
  ...MCP_ROUTES,
  ...PEOPLE_ROUTES,
} as const satisfies Record<string, Route>;

export type OperationId = keyof typeof ROUTES;
/** The operations of one function. */
export type OperationOf<Name extends FunctionName> = {
  [Id in OperationId]: (typeof ROUTES)[Id]['function'] extends Name ? Id : never;
}[OperationId];

export function isOperationId(id: string): id is OperationId {
  return Object.hasOwn(ROUTES, id);
}
