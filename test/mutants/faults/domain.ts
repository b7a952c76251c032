import type { Faults } from '../table.ts';

export const DOMAIN: Faults = {
  'functions/domain/advocate.ts': [
    ['{ ...after, version: advocate.version + 1 }', 'after', 'unit/domain/advocate'],
    ['return isDeepStrictEqual(after, advocate) ? advocate :', 'return', 'unit/domain/advocate'],
    ['(advocate.tokensRevokedAt ?? 0) + 1', 'advocate.tokensRevokedAt ?? 0', 'table/callers/tokens'],
  ],
  'functions/domain/cache.ts': [
    ['readAt - cached.readAt < Math.min(maxAge, this.#ttl)', 'readAt > 0', 'unit/domain/cache'],
    ['readAt - cached.readAt < Math.min(maxAge, this.#ttl)', 'readAt - cached.readAt <= Math.min(maxAge, this.#ttl)', 'unit/domain/cache'],
    ['this.#clock() - readAt < MISSING_TTL', 'true', 'table/clicks/clicks'],
    ['const TTL = 29_000;', 'const TTL = 60_000;', 'unit/domain/cache'],
    ['this.size > this.#max && oldest', 'oldest', 'unit/domain/cache'],
    ['this.size > this.#max && oldest !== undefined', "oldest === ''", 'unit/domain/cache'],
    ['undefined && forget(), forget);', 'undefined && forget(), () => undefined);', 'unit/domain/cache'],
    ['(loaded) => loaded === undefined && forget()', '() => undefined', 'unit/domain/cache'],
    ['if (this.#entries.get(key)?.value === value) this', 'this', 'unit/secrets/secrets'],
  ],
  'functions/domain/counts.ts': [
    ['if (this.#rows > this.#limits.rows)', 'if (this.#rows >= this.#limits.rows)', 'unit/domain/counts'],
    ["grouping === 'day' ? 10 : 7", "grouping === 'day' ? 10 : 10", 'unit/domain/counts'],
    ['sizeOf(other) - sizeOf(one) || clicksIn(other) - clicksIn(one)', 'clicksIn(other) - clicksIn(one) || sizeOf(other) - sizeOf(one)', 'unit/domain/counts'],
    [' + counts.rejected;', ';', 'unit/domain/counts'],
    ['other: rest.length === 0 ? null : sumOf(rest)', 'other: null', 'unit/domain/counts'],
  ],
  'functions/domain/fields.ts': [
    [' || [...text].length > max) {', ') {', 'unit/domain/text'],
    ['UNPRINTABLE.test(text) || !text.isWellFormed()', 'UNPRINTABLE.test(text)', 'unit/domain/text'],
    ['if (INVISIBLE_CHARACTER.test(text))', "if (text === '')", 'unit/domain/text'],
    ['return email.toLowerCase();', 'return email;', 'unit/domain/email'],
    ['local.length > MAX_LOCAL_PART || ', '', 'unit/domain/email'],
    ['email.length > MAX_EMAIL || ', '', 'unit/domain/email'],
    ['if (NOT_IN_DOMAINS.test(domain)) return', "if (domain === '') return", 'unit/domain/email'],
    ['return { slug: slug.toLowerCase(), clickId };', 'return { slug, clickId };', 'unit/domain/ids'],
  ],
  'functions/domain/ids.ts': [
    ['256 - (256 % alphabet.length)', '256', 'unit/domain/ids'],
    ['block += 1;', '', 'unit/domain/ids'],
    ["(createdAt ?? 0) * 1000", '0', 'unit/domain/ids'],
  ],
  'functions/domain/metadata.ts': [
    ['Buffer.byteLength(JSON.stringify(metadata)) > MAX_BYTES', 'JSON.stringify(metadata).length > MAX_BYTES', 'unit/domain/field-list'],
  ],
  'functions/domain/program.ts': [
    ['program.allowedOrigins.includes(origin.toLowerCase())', 'program.allowedOrigins.some((one) => origin.startsWith(one))', 'unit/http/authentication'],
    ['program.allowedOrigins.includes(origin.toLowerCase())', 'program.allowedOrigins.includes(origin)', 'unit/http/authentication'],
  ],
  'functions/domain/program-fields.ts': [
    ['new URL(origin).origin !== origin.toLowerCase()', "origin === ''", 'unit/domain/advocate'],
    ["url.username !== '' || url.password !== ''", "url.username !== ''", 'unit/domain/advocate'],
  ],
  'functions/domain/numbers.ts': [
    ['Math.round(value * 1e6)', 'Math.floor(value * 1e6)', 'unit/domain/advocate'],
    ['value <= 100', 'value < 100', 'unit/domain/advocate'],
    ['value >= min && value <= max', 'value >= min - 1 && value <= max', 'unit/domain/advocate'],
  ],
  'functions/domain/slug-candidates.ts': [
    ['number <= HIGHEST_NUMBER', 'number < HIGHEST_NUMBER', 'unit/domain/text'],
  ],
  'functions/domain/time.ts': [
    ['date.setUTCDate(Math.min(day, lastDay));', 'date.setUTCDate(day);', 'unit/domain/time'],
    ['date.setUTCMonth(date.getUTCMonth() + months);', 'date.setMonth(date.getMonth() + months + 1);', 'unit/domain/time'],
    ['after.second + 1', 'after.second', 'unit/domain/time'],
    ['before.hasFraction ? 1 : 0', 'before.hasFraction ? 0 : 0', 'unit/domain/time'],
    [' || instant.toISOString() !== local', '', 'unit/domain/time'],
    ['if (offset > MAX_OFFSET_MINUTES) return undefined;', '', 'unit/domain/time'],
    ["sign === '-' ? -offset : offset", "sign === '-' ? offset : -offset", 'unit/domain/time'],
  ],
  'functions/domain/token.ts': [
    ['return secret !== undefined && sum === checksum(secret);', 'return secret !== undefined;', 'unit/domain/ids'],
    ["{ program: 'rtp_', affiliate: 'rta_' }", "{ program: 'rta_', affiliate: 'rtp_' }", 'unit/domain/ids'],
    ["createHash('sha256').update(token).digest('hex')", 'token', 'table/callers/tokens the table stores the hash'],
  ],
  'functions/domain/webhook.ts': [
    ['status >= 200 && status < 300', 'status >= 200 && status < 400', 'unit/domain/webhook'],
    ["status === GONE ? 'gone'", "status === 404 ? 'gone'", 'unit/domain/webhook'],
    ['failures === MAX_FAILURES && secondOf', 'secondOf', 'unit/domain/webhook'],
    ['failures === MAX_FAILURES && secondOf(now) - failingSince >= MAX_FAILING', 'failures === MAX_FAILURES', 'unit/domain/webhook'],
    ['secondOf(now) - failingSince >= MAX_FAILING', 'secondOf(now) - failingSince > MAX_FAILING', 'unit/domain/webhook'],
    ['since ?? secondOf(now)', 'secondOf(now)', 'unit/domain/webhook'],
    ['{ ...webhook, failingSince: null, failures: 0 }', '{ ...webhook, failingSince: null }', 'unit/domain/webhook'],
    ["(url.protocol !== 'https:' && !isLocal)", "!/^https?:$/.test(url.protocol)", 'unit/domain/webhook'],
    ["url.username !== '' || url.password !== ''", "url.password !== ''", 'unit/domain/webhook'],
    ["url.hash = '';", '', 'unit/domain/webhook'],
  ],
  'functions/domain/webhook-retries.ts': [
    ['  5 * MINUTE,', '  6 * MINUTE,', 'unit/domain/webhook'],
    ['const JITTER = 0.1;', 'const JITTER = 0;', 'unit/domain/webhook'],
    ['Math.max(jittered, retryAfter ?? 0)', 'jittered', 'unit/domain/webhook'],
    ['return Math.min(Math.max(jittered, retryAfter ?? 0), LONGEST_DELAY);', 'return Math.max(jittered, retryAfter ?? 0);', 'unit/domain/webhook'],
    ['Math.ceil((date - now) / SECOND)', 'Math.floor((date - now) / SECOND)', 'unit/domain/webhook'],
  ],
};
