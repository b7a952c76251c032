import type { OperationId } from '../routes.ts';

/** The operations that assistants may call as tools: reads only, in the order of `tools/list`. */
export const TOOL_OPERATIONS = [
  'explainCustomer',
  'lookUpReferral',
  'searchReferrals',
  'listReferralsV2',
  'listAdvocatesV2',
  'getStatistics',
  'listAdvocateStatistics',
  'listBalances',
  'getStatements',
  'listEntries',
  'getProgram',
  'listWebhooks',
  'listDeliveries',
  'listOwnReferrals',
  'getOwnStatistics',
  'getOwnStatements',
] as const satisfies readonly OperationId[];
