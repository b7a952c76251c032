import type { Faults } from '../table.ts';

export const SCRIPT: Faults = {
  'web/arrival.ts': [
    ['if (mark[1] === SENT) return;', '', 'script/retry'],
    ['if (current && keepsFirst) waiting.push(arrival);\n  else {', '{', 'script/follow'],
    ['isResting = true;', '', 'script/retry'],
    ['if (!next || next === slugOf(current) || next === refused) return;', 'if (!next || next === refused) return;', 'script/click'],
    ['mayRetry = status >= 429;', 'mayRetry = status >= 500;', 'script/retry'],
    ['storeGrId(before || previous);', '', 'script/unknown-slug'],
    ["  if (!mayTrack()) return;\n  waiting", '  waiting', 'script/consent'],
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
};
