import type { Clock } from '../../functions/kernel/time.ts';
import type { EmailQueueName } from '../../functions/people/rules/email-cause.ts';
import type { EmailMessage } from '../../functions/people/stream/messages.ts';
import type { ReceivedMessage, Run } from './event-queue.ts';

/** In milliseconds. Reading and writing an email takes less than one second. */
const VISIBILITY_TIMEOUT = 60_000;
/** Maximum number of messages that are received together, as on AWS. */
const BATCH = 10;

export const EMAIL_QUEUE_TABLES = `
  CREATE TABLE IF NOT EXISTS email (
    id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL, visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS visible_email ON email (queue, visible_at);
`;
const SEND = 'INSERT INTO email (queue, visible_at, body) SELECT ?, ?, value FROM json_each(?)';
const RECEIVE = `
  UPDATE email SET visible_at = ?, receives = receives + 1 WHERE id IN (
    SELECT id FROM email WHERE queue = ? AND visible_at <= ? ORDER BY visible_at, id LIMIT ${BATCH}
  )
  RETURNING id, receives, body
`;

/** The queues of emails that are not sent yet. They contain no addresses. */
export type LocalEmailQueue = ReturnType<typeof emailQueue>;

/** Opens the queues in a database that has `EMAIL_QUEUE_TABLES`. */
export function emailQueue(run: Run, clock: Clock) {
  return {
    async send(queue: EmailQueueName, messages: readonly EmailMessage[]): Promise<void> {
      run(SEND, queue, clock(), JSON.stringify(messages));
    },
    /** Receives up to 10 visible messages, the oldest. They are invisible for a minute. */
    receive(queue: EmailQueueName): ReceivedMessage[] {
      const now = clock();
      const rows = run(RECEIVE, now + VISIBILITY_TIMEOUT, queue, now);
      return rows.map(({ id, receives, body }) => {
        return { receiptHandle: String(id), receives: Number(receives), body: String(body) };
      });
    },
    /** Hides a message that was received, for some seconds. */
    hide(receiptHandle: string, seconds: number): void {
      run('UPDATE email SET visible_at = ? WHERE id = ?', clock() + seconds * 1000, receiptHandle);
    },
    delete(receiptHandle: string): void {
      run('DELETE FROM email WHERE id = ?', receiptHandle);
    },
    /** Makes all messages visible that a killed process had received. Only for the process that receives messages. */
    resetVisibility(): void {
      run('UPDATE email SET visible_at = ? WHERE receives > 0', clock());
    },
  };
}
