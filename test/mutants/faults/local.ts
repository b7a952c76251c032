import type { Faults } from '../table.ts';

export const LOCAL: Faults = {
  'bin/local/data-dir.ts': [
    ["'BEGIN EXCLUSIVE'", "'BEGIN'", 'unit/local/data-dir'],
    ['if ((mode & STICKY) !== 0) throw shared;', '', 'unit/local/data-dir'],
    ['const OWNER_ONLY = 0o700;', 'const OWNER_ONLY = 0o755;', 'unit/local/data-dir'],
  ],
  'bin/local/engine-address.ts': [
    ['6697, 10080,', '6697, 10080, 8000,', 'unit/local/engine-address'],
    ['if (await isFree(host, port)) return', 'if (port > 0) return', 'unit/local/engine-address'],
  ],
  'bin/local/events/deliveries.ts': [
    ['if (!isHandled) await queue.addDeadLetters([body]);', '', 'unit/local/events-deliveries'],
    ['if (!isHandled && receives < MAX_RECEIVES) return', 'if (!isHandled && receives < 100) return', 'unit/local/events-deliveries'],
    ['    queue.delete(receiptHandle);', '', 'unit/local/events-deliveries'],
    ['const PER_WEBHOOK = 4;', 'const PER_WEBHOOK = 100;', 'unit/local/events-deliveries'],
    ['signal.aborted ? undefined : queue.receive(webhook)', 'queue.receive(webhook)', 'unit/local/events-deliveries'],
  ],
  'bin/local/events/poller.ts': [
    ['return Math.min(batch.length, ...failed);', 'return batch.length;', 'unit/local/events-poller'],
    ['if (last) setPosition(shard, sequenceOf(last), false);', '', 'unit/local/events-poller'],
    ['batch.filter(reader.accepts)', '[...batch]', 'unit/local/events-poller'],
    ['isPending(id) && !isPending(parent)', 'isPending(id)', 'unit/local/events-poller'],
    ['if (times === MAX_THROWN && reader.giveUp) {', 'if (times === -1 && reader.giveUp) {', 'unit/local/events-poller'],
    ["if (failed.includes(-1)) throw new RangeError('no such record');", '', 'unit/local/events-poller'],
    ['if (hasEnded) setPosition', 'if (!hasEnded) setPosition', 'unit/local/events-poller'],
  ],
  'bin/service/event-queue.ts': [
    ['INSERT OR REPLACE INTO message', 'INSERT OR IGNORE INTO message', 'unit/local/event-queue'],
    ['visible_at <= ? ORDER BY', 'visible_at <> ? ORDER BY', 'unit/local/event-queue'],
    ['ORDER BY visible_at, id', 'ORDER BY visible_at DESC, id', 'unit/local/event-queue'],
    ['now + VISIBILITY_TIMEOUT', 'now', 'unit/local/event-queue'],
    ['WHERE buried_at < ?', 'WHERE buried_at > ?', 'unit/local/event-queue'],
    ['WHERE receives > 0', 'WHERE receives > 1', 'unit/local/event-queue'],
    ['this.#clock() + delay * 1000', 'this.#clock()', 'unit/local/event-queue'],
  ],
  'bin/service/service-file.ts': [
    ['PRAGMA secure_delete = ON;', '', 'unit/local/service-file'],
    ["mode: 0o600 }", "mode: 0o644 }", 'unit/local/service-file'],
    ['ORDER BY created_at DESC, value', 'ORDER BY created_at, value', 'unit/local/service-file'],
    ['DELETE FROM secret WHERE owner = ? AND value = ?', 'DELETE FROM secret WHERE owner <> ? AND value = ?', 'unit/local/service-file'],
  ],
};
