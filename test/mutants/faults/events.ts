import type { Faults } from '../table.ts';

export const EVENTS: Faults = {
  'functions/webhooks/stream/addresses.ts': [
    ['addresses.every(allowedAddresses', 'addresses.some(allowedAddresses', 'webhooks/unit/addresses'],
    ['return allowLoopback && url.protocol', 'return url.protocol', 'webhooks/unit/addresses'],
  ],
  'functions/webhooks/stream/deliver.ts': [
    ['if (isWanted && !isSuccess(status))', 'if (!isSuccess(status))', 'webhooks/thorough/deliver'],
    ['includeEmail ? (referral?.email ?? null) : undefined', 'referral?.email ?? null', 'webhooks/thorough/deliver'],
    ['if (keys.length === 0) throw new SecretMissing();', '', 'webhooks/thorough/deliver'],
    ['const isWanted = await count(table, message, { ...delivery, url });', 'const isWanted = true;', 'webhooks/thorough/retries'],
  ],
  'functions/webhooks/stream/publish.ts': [
    ['output.busEvents).filter(isPending)', 'output.busEvents)', 'webhooks/thorough/publish'],
    ["hasBus && event.type !== 'referral.clicked'", 'hasBus', 'webhooks/thorough/publish'],
    ['enabled.filter(({ events }) => events.includes(one.event.type))', 'enabled', 'webhooks/thorough/publish'],
    ['({ sequenceNumber }) => !published.has(sequenceNumber),\n    );', '() => true,\n    );', 'webhooks/thorough/publish'],
    ["failed.add(valuesAt(messages, rejectedByQueue), 'message_refused');", '', 'webhooks/thorough/publish'],
  ],
  'functions/webhooks/stream/retries.ts': [
    ['await enqueue(deadLetters, message, 0);', '', 'webhooks/thorough/retries'],
  ],
  'functions/webhooks/stream/send.ts': [
    ['if (!addresses.every(isAllowed))', 'if (!addresses.some(isAllowed))', 'webhooks/unit/send'],
    ['rejectUnauthorized: true', 'rejectUnauthorized: false', 'webhooks/unit/send'],
    ['secrets.map(sign)', 'secrets.slice(0, 1).map(sign)', 'webhooks/unit/send'],
  ],
  'bin/local/data-dir.ts': [
    ["'BEGIN EXCLUSIVE'", "'BEGIN'", 'local/parts/service-file'],
    ['const OWNER_ONLY = 0o700;', 'const OWNER_ONLY = 0o755;', 'local/parts/service-file'],
  ],
  'bin/local/events/poller.ts': [
    ['return Math.min(batch.length, ...failed);', 'return batch.length;', 'local/parts/events-poller'],
    ['if (last) setPosition(shard, sequenceOf(last), false);', '', 'local/parts/events-poller'],
  ],
  'bin/service/event-queue.ts': [
    ['INSERT OR REPLACE INTO message', 'INSERT OR IGNORE INTO message', 'local/parts/event-queue'],
    ['now + VISIBILITY_TIMEOUT', 'now', 'local/parts/event-queue'],
  ],
  'bin/service/service-file.ts': [
    ['PRAGMA secure_delete = ON;', '', 'local/parts/service-file'],
  ],
};
