import type { Faults } from '../table.ts';

export const LOCAL: Faults = {
  'bin/local/data-dir.ts': [
    ["'BEGIN EXCLUSIVE'", "'BEGIN'", 'local/parts/service-file'],
    ['if ((mode & STICKY) !== 0) throw shared;', '', 'local/parts/service-file'],
    ['const OWNER_ONLY = 0o700;', 'const OWNER_ONLY = 0o755;', 'local/parts/service-file'],
  ],
  'bin/local/engine.ts': [
    ['6697, 10080,', '6697, 10080, 8000,', 'local/start/engine'],
    ['if (await isFree(host, port)) return', 'if (port > 0) return', 'local/start/engine'],
  ],
  'bin/local/events/events.ts': [
    ['if (!isHandled) await queue.addDeadLetters([body]);', '', 'local/parts/events-deliveries'],
    ['if (!isHandled && receives < MAX_RECEIVES) return', 'if (!isHandled && receives < 100) return', 'local/parts/events-deliveries'],
    ['    queue.delete(receiptHandle);', '', 'local/parts/events-deliveries'],
    ['const PER_WEBHOOK = 4;', 'const PER_WEBHOOK = 100;', 'local/parts/events-deliveries'],
    ['signal.aborted ? undefined : queue.receive(webhook)', 'queue.receive(webhook)', 'local/parts/events-deliveries'],
  ],
  'bin/local/events/poller.ts': [
    ['return Math.min(batch.length, ...failed);', 'return batch.length;', 'local/parts/events-poller'],
    ['if (last) setPosition(shard, sequenceOf(last), false);', '', 'local/parts/events-poller'],
    ['batch.filter(reader.accepts)', '[...batch]', 'local/parts/events-poller'],
    ['isPending(id) && !isPending(parent)', 'isPending(id)', 'local/parts/events-poller'],
    ['if (times === MAX_THROWN && reader.giveUp) {', 'if (times === -1 && reader.giveUp) {', 'local/parts/events-poller'],
    ["if (failed.includes(-1)) throw new RangeError('no such record');", '', 'local/parts/events-poller'],
    ['if (hasEnded) setPosition', 'if (!hasEnded) setPosition', 'local/parts/events-poller'],
  ],
  'bin/service/event-queue.ts': [
    ['INSERT OR REPLACE INTO message', 'INSERT OR IGNORE INTO message', 'local/parts/event-queue'],
    ['visible_at <= ? ORDER BY', 'visible_at <> ? ORDER BY', 'local/parts/event-queue'],
    ['ORDER BY visible_at, id', 'ORDER BY visible_at DESC, id', 'local/parts/event-queue'],
    ['now + VISIBILITY_TIMEOUT', 'now', 'local/parts/event-queue'],
    ['WHERE buried_at < ?', 'WHERE buried_at > ?', 'local/parts/event-queue'],
    ['WHERE receives > 0', 'WHERE receives > 1', 'local/parts/event-queue'],
    ['this.#clock() + delay * 1000', 'this.#clock()', 'local/parts/event-queue'],
  ],
  'bin/service/service-file.ts': [
    ['PRAGMA secure_delete = ON;', '', 'local/parts/service-file'],
    ["mode: 0o600 }", "mode: 0o644 }", 'local/parts/service-file'],
    ['ORDER BY created_at DESC, value', 'ORDER BY created_at, value', 'local/parts/service-file'],
    ['DELETE FROM secret WHERE owner = ? AND value = ?', 'DELETE FROM secret WHERE owner <> ? AND value = ?', 'local/parts/service-file'],
  ],
};
