import { type Clock, DAY, type Milliseconds, milliseconds } from '../../functions/kernel/time.ts';
import type { OutgoingEmail } from '../../functions/people/stream/outgoing.ts';
import type { Run } from './event-queue.ts';

/** How long an email is kept, in milliseconds. */
const RETENTION = 7 * DAY * 1000;

export const OUTBOX_TABLES = `
  CREATE TABLE IF NOT EXISTS outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT, sent_at INTEGER NOT NULL, recipient TEXT NOT NULL, from_name TEXT NOT NULL,
    reply_to TEXT, subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, headers TEXT NOT NULL
  );
`;
const ADD = `
  INSERT INTO outbox (sent_at, recipient, from_name, reply_to, subject, text, html, headers)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
`;
const LIST = `
  SELECT id, sent_at, recipient, from_name, reply_to, subject, text, headers FROM outbox
  WHERE sent_at >= ? ORDER BY sent_at DESC, id DESC
`;

/** An email in the outbox, without its HTML. */
export interface SentEmail extends Omit<OutgoingEmail, 'html' | 'headers'> {
  readonly id: string;
  readonly sentAt: Milliseconds;
  /** Each is a line, such as `Auto-Submitted: auto-generated`. */
  readonly headers: readonly string[];
}

/** The emails of the last 7 days. They stay on this machine. */
export type Outbox = ReturnType<typeof outboxOf>;

/** Opens the outbox in a database that has `OUTBOX_TABLES`. */
export function outboxOf(run: Run, clock: Clock) {
  const oldest = () => clock() - RETENTION;
  return {
    /** Adds an email, and deletes all that are older than 7 days. */
    add({ to, fromName, replyTo, subject, text, html, headers }: OutgoingEmail): void {
      const lines = Object.entries(headers).map((header) => header.join(': '));
      run(ADD, clock(), to, fromName, replyTo, subject, text, html, lines.join('\n'));
      run('DELETE FROM outbox WHERE sent_at < ?', oldest());
    },
    /** Lists all emails, the newest first. */
    list: (): SentEmail[] =>
      run(LIST, oldest()).map((row) => ({
        id: String(row['id']),
        sentAt: milliseconds(Number(row['sent_at'])),
        to: String(row['recipient']),
        fromName: String(row['from_name']),
        replyTo: row['reply_to'] === null ? null : String(row['reply_to']),
        subject: String(row['subject']),
        text: String(row['text']),
        headers: String(row['headers']).split('\n'),
      })),
    /** Returns the HTML of an email; `undefined` if the outbox has no email with the id. */
    htmlOf(id: string): string | undefined {
      const [row] = run('SELECT html FROM outbox WHERE id = ? AND sent_at >= ?', id, oldest());
      return row && String(row['html']);
    },
  };
}
