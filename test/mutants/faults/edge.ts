import type { Faults } from '../table.ts';

export const EDGE: Faults = {
  'web/arrival.ts': [
    ['if (mark[1] === SENT) return;', '', 'script/retry'],
    ['if (current && keepsFirst) waiting.push(arrival);\n  else {', '{', 'script/follow'],
    ['isResting = true;', '', 'script/retry'],
    ['if (!next || next === slugOf(current) || next === refused) return;', 'if (!next || next === refused) return;', 'script/click'],
    ['mayRetry = status >= 429;', 'mayRetry = status >= 500;', 'script/retry'],
    ['storeGrId(before || previous);', '', 'script/unknown-slug'],
    ['  if (!mayTrack()) return;\n  waiting', '  waiting', 'script/consent'],
  ],
  'web/cross-domain.ts': [
    ['otherDomains.some((domain) => isWithin(link.hostname, domain))', 'otherDomains[0]', 'script/cross-domain'],
    ["history.replaceState(history.state, '', address);", '', 'script/cross-domain'],
  ],
  'web/gr.ts': [
    ["if (queue.some(isRefusal)) gr('consent', false);", '', 'script/consent'],
    ['return status === 204;', 'return status < 500;', 'script/calls'],
  ],
  'web/post.ts': [
    ["credentials: 'omit',", '', 'script/click'],
    ['keepalive: true,', '', 'script/click'],
  ],
  'web/safely.ts': [
    ['console.error(error);', 'throw error;', 'script/calls'],
  ],
  'web/settings.ts': [
    ['`.${host}`.endsWith(`.${domain.toLowerCase()}`)', 'host.endsWith(domain.toLowerCase())', 'script/cross-domain'],
    ['Math.min(days, 400)', 'days', 'script/cookie'],
  ],
  'web/visitor.ts': [
    ['!navigator.globalPrivacyControl && ', '', 'script/consent'],
    ['if (!given) storeGrId();', '', 'script/consent'],
    ['-7xxx-8xxx-', '-4xxx-8xxx-', 'script/click'],
    ["location.protocol === 'https:' ? ';secure' : ''", "''", 'script/cookie'],
    ['.filter(slugOf).pop()', '.pop()', 'script/cookie'],
    ['let hasConsent = !needsConsent;', 'let hasConsent = needsConsent;', 'script/consent'],
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
  'client/src/send.ts': [
    ['if (status === 429) return true;', '', 'client'],
    ["'/v2/webhooks': 'never'", "'/v2/webhooks': 'plain'", 'client'],
    ["if (lacksKey) headers.set('idempotency-key', crypto.randomUUID());", '', 'client'],
  ],
  'client/src/renew-cookie.ts': [
    ["|| header('sec-gpc') === '1'", '', 'client'],
    ['seconds > 0 && seconds <= lifetime', 'seconds > 0', 'client'],
  ],
  'lib/service-function.ts': [
    ['stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN', 'RemovalPolicy.DESTROY', 'infra'],
  ],
  'lib/monitoring.ts': [
    ["'IF(clicks > 0 AND conversions < 1, 1, 0)'", "'IF(conversions < 1, 1, 0)'", 'infra/monitoring'],
  ],
};
