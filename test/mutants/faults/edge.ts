import type { Faults } from '../table.ts';

export const EDGE: Faults = {
  'web/arrival.ts': [
    [' || mark[1] === SENT) return;', ') return;', 'script/retry'],
    ['if (current && keepsFirst) waiting.push(arrival);\n  else {', '{', 'script/follow'],
    ['isResting = true;', '', 'script/retry'],
    ['mayRetry = status >= 429;', 'mayRetry = status >= 500;', 'script/retry'],
    ['storeGrId(before || previous);', '', 'script/unknown-slug'],
    ['  if (!mayTrack()) return;\n  waiting', '  waiting', 'script/consent'],
  ],
  'web/cross-domain.ts': [
    ["history.replaceState(history.state, '', address);", '', 'script/cross-domain'],
  ],
  'web/gr.ts': [
    ['.status === 204', '.status < 500', 'script/calls'],
  ],
  'web/post.ts': [
    ['keepalive: true,', '', 'script/click'],
  ],
  'web/visitor.ts': [
    ['!navigator.globalPrivacyControl && ', '', 'script/consent'],
  ],
  'lib/operations/edge-check.ts': [
    ['return value === ~crc >>> 0;', 'return true;', 'kernel/unit/ids'],
    ['isProgram && isSigned ?', 'isSigned ?', 'edge/unit/edge-function'],
  ],
  'lib/operations/event-alarms.ts': [
    ["'=', 'failing'", "'=', 'gone'", 'infra/monitoring'],
  ],
  'lib/data/events.ts': [
    ['reportBatchItemFailures: true,\n      bisectBatchOnError', 'bisectBatchOnError', 'infra/events'],
  ],
  'lib/data/referral-table.ts': [
    ['timeToLiveAttribute: EXPIRY_ATTRIBUTE,', '', 'infra/table'],
    ['{ pointInTimeRecoveryEnabled: true }', '{ pointInTimeRecoveryEnabled: false }', 'infra/table'],
  ],
  'lib/referral-tracking-stack.ts': [
    ["allowSecrets(functions.tracking, table, 'stripe');", "allowSecrets(functions.referrals, table, 'stripe');", 'infra/functions'],
  ],
  'lib/api/secret-access.ts': [
    ['/${owners}/*`', '/*`', 'infra/functions'],
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
  'lib/api/service-function.ts': [
    ['stage.isForDevelopment ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN', 'RemovalPolicy.DESTROY', 'infra'],
  ],
  'lib/operations/monitoring.ts': [
    ["'IF(clicks > 0 AND conversions < 1, 1, 0)'", "'IF(conversions < 1, 1, 0)'", 'infra/monitoring'],
  ],
};
