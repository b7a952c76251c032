import type { Faults } from '../table.ts';

export const STACK: Faults = {
  'functions/routes.ts': [
    ["requestHeaders: ['authorization', 'content-type', 'idempotency-key']", "requestHeaders: ['authorization', 'content-type']", 'documents/openapi/openapi exactly the methods'],
  ],
  'lib/edge-check.ts': [
    ['return value === ~crc >>> 0;', 'return true;', 'unit/domain/ids'],
    ['<= tolerance;', '< tolerance;', 'unit/tracking/stripe/stripe-signature'],
    ["path.indexOf('/', prefix.length) < 0", 'true', 'unit/edge-function'],
    ['isProgram && isSigned ?', 'isSigned ?', 'unit/edge-function'],
    ['config.publicKey.indexOf(path) >= 0', 'true', 'unit/edge-function'],
    ["headers['deprecation'] = { value: deprecated[0] };", '', 'api/edge'],
  ],
  'lib/edge.ts': [
    ['FunctionEventType.VIEWER_REQUEST', 'FunctionEventType.VIEWER_RESPONSE', 'infra/edge'],
  ],
  'lib/event-alarms.ts': [
    ["'=', 'failing'", "'=', 'gone'", 'infra/monitoring'],
  ],
  'lib/events.ts': [
    ['reportBatchItemFailures: true,\n      bisectBatchOnError', 'bisectBatchOnError', 'infra/events'],
    ['StartingPosition.TRIM_HORIZON', 'StartingPosition.LATEST', 'infra/events'],
    ['webhookKey(ANY_ID, ANY_ID)', "webhookKey('*', '*')", 'infra/extension-permissions'],
  ],
  'lib/referral-api.ts': [
    ['const DEFAULT_THROTTLE = { rateLimit: 10, burstLimit: 20 };', 'const DEFAULT_THROTTLE = { rateLimit: 10_000, burstLimit: 20 };', 'infra/api'],
    ["routeKey: '$context.routeKey'", "routeKey: '$context.path'", 'infra/api'],
  ],
  'lib/referral-table.ts': [
    ['timeToLiveAttribute: EXPIRY_ATTRIBUTE,', '', 'infra/table'],
    ['{ pointInTimeRecoveryEnabled: true }', '{ pointInTimeRecoveryEnabled: false }', 'infra/table'],
  ],
  'lib/referral-tracking-stack.ts': [
    ["allowSecrets(functions.tracking, table, 'stripe');", "allowSecrets(functions.referrals, table, 'stripe');", 'infra/functions'],
    ["queriedIndexes: ['by_created_at'],\n  },", "queriedIndexes: ['by_created_at', 'by_state'],\n  },", 'infra/permissions'],
  ],
  'lib/secret-access.ts': [
    ['/${owners}/*`', '/*`', 'infra/functions'],
  ],
  'lib/web-acl.ts': [
    ['not(allOf(ofStripe, hasSignatureShape))', 'not(ofStripe)', 'infra/web-acl'],
    ['allOf(hasTokenShape, not(busy), not(ofStripe)', 'allOf(hasTokenShape, not(ofStripe)', 'infra/web-acl'],
  ],
};
