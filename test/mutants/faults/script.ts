import type { Faults } from '../table.ts';

export const SCRIPT: Faults = {
  'web/arrival.ts': [
    ['if (mark[1] === SENT) return;', '', 'unit/web/retry'],
    ['if (current && keepsFirst) waiting.push(arrival);\n  else {', '{', 'unit/web/follow'],
    ['isResting = true;', '', 'unit/web/throttle'],
    ['if (!next || next === slugOf(current) || next === refused) return;', 'if (!next || next === refused) return;', 'unit/web/click'],
    ['mayRetry = status >= 429;', 'mayRetry = status >= 500;', 'unit/web/retry'],
    ['storeGrId(before || previous);', '', 'unit/web/unknown-slug'],
    ["  if (!mayTrack()) return;\n  waiting", '  waiting', 'unit/web/consent'],
  ],
  'web/cross-domain.ts': [
    ['otherDomains.some((domain) => isWithin(link.hostname, domain))', 'otherDomains[0]', 'unit/web/cross-domain'],
    ["history.replaceState(history.state, '', address);", '', 'unit/web/cross-domain'],
  ],
  'web/gr.ts': [
    ["if (queue.some(isRefusal)) gr('consent', false);", '', 'unit/web/consent'],
    ['return status === 204;', 'return status < 500;', 'unit/web/calls'],
  ],
  'web/post.ts': [
    ["credentials: 'omit',", '', 'unit/web/click'],
    ['keepalive: true,', '', 'unit/web/click'],
  ],
  'web/safely.ts': [
    ['console.error(error);', 'throw error;', 'unit/web/safety'],
  ],
  'web/settings.ts': [
    ['`.${host}`.endsWith(`.${domain.toLowerCase()}`)', 'host.endsWith(domain.toLowerCase())', 'unit/web/cross-domain'],
    ['Math.min(days, 400)', 'days', 'unit/web/cookie'],
  ],
  'web/visitor.ts': [
    ['!navigator.globalPrivacyControl && ', '', 'unit/web/consent'],
    ['if (!given) storeGrId();', '', 'unit/web/consent'],
    ['-7xxx-8xxx-', '-4xxx-8xxx-', 'unit/web/click'],
    ["location.protocol === 'https:' ? ';secure' : ''", "''", 'unit/web/cookie'],
    ['.filter(slugOf).pop()', '.pop()', 'unit/web/cookie'],
    ['let hasConsent = !needsConsent;', 'let hasConsent = needsConsent;', 'unit/web/consent'],
  ],
};
