import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { EmailQueueName } from '../../../functions/people/rules/email-cause.ts';
import { mailHandler } from '../../../functions/people/stream/mail.ts';
import type { OutgoingEmail } from '../../../functions/people/stream/outgoing.ts';
import type { ServiceFile } from '../../service/service-file.ts';

const QUEUES = ['links', 'others'] as const satisfies readonly EmailQueueName[];
/** More often than `mail` tries an email in 24 hours. */
const MAX_RECEIVES = 50;

type Stores = Pick<ServiceFile, 'emails' | 'outbox' | 'queue'>;

/**
 * Returns functions that pass visible messages to `mail`, one for each queue: links to sign in do not wait for other emails.
 * They resolve to true if there may be more messages. Emails go to the outbox. Their links begin with `baseUrl`, which has no
 * slash at its end.
 */
export function emailWorkers(table: Table, stores: Stores, baseUrl: string): (() => Promise<boolean>)[] {
  const { emails, outbox, queue } = stores;
  const mail = mailHandler({
    table,
    baseUrl,
    leavesMachine: false,
    send: async (email) => addTo(outbox, email),
    hide: async (_, receiptHandle, seconds) => emails.hide(receiptHandle, seconds),
    addDeadLetters: (bodies) => queue.addDeadLetters(bodies),
  });

  async function work(name: EmailQueueName): Promise<boolean> {
    const messages = emails.receive(name);
    const Records = messages.map(({ receiptHandle, receives, body }) => {
      const attributes = { ApproximateReceiveCount: String(receives) };
      return { messageId: receiptHandle, receiptHandle, body, attributes };
    });
    const { batchItemFailures } = await mail({ Records });
    const kept = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { receiptHandle, receives, body } of messages) {
      if (kept.has(receiptHandle) && receives < MAX_RECEIVES) continue;
      if (kept.has(receiptHandle)) await queue.addDeadLetters([body]);
      emails.delete(receiptHandle);
    }
    return messages.length > 0;
  }

  return QUEUES.map((name) => () => work(name));
}

/** A file that cannot be written has certainly not stored the email. */
function addTo(outbox: Stores['outbox'], email: OutgoingEmail): 'sent' | 'refused' {
  try {
    outbox.add(email);
    return 'sent';
  } catch {
    return 'refused';
  }
}
