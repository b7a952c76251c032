import type { deliverHandler } from '../../../functions/events/deliver.ts';
import type { EventQueue, ReceivedMessage } from '../../service/event-queue.ts';

/** Maximum number of parallel deliveries per webhook. */
const PER_WEBHOOK = 4;
/** Seconds until a message that could not be handled is visible again, and how often it is received at most. */
const RETRY_AFTER = 10;
const MAX_RECEIVES = 10;

/** Passes visible messages to `deliver` until the signal. A hanging receiver delays no other webhook. */
export function deliveries(
  queue: EventQueue,
  deliver: ReturnType<typeof deliverHandler>,
  signal: AbortSignal,
  report: (error: unknown) => void,
) {
  /** Each worker delivers messages of one webhook, one after the other. */
  const workers = new Map<Promise<void>, string>();
  const receive = (webhook: string) => (signal.aborted ? undefined : queue.receive(webhook));

  async function handle({ receiptHandle, receives, body }: ReceivedMessage): Promise<void> {
    const isHandled = await deliver({ Records: [{ messageId: receiptHandle, receiptHandle, body }] }).then(
      ({ batchItemFailures }) => batchItemFailures.length === 0,
      () => false,
    );
    if (!isHandled && receives < MAX_RECEIVES) return queue.changeVisibility(receiptHandle, RETRY_AFTER);
    if (!isHandled) await queue.addDeadLetters([body]);
    queue.delete(receiptHandle);
  }

  async function work(webhook: string, first: ReceivedMessage): Promise<void> {
    for (let message: ReceivedMessage | undefined = first; message; message = receive(webhook)) await handle(message);
  }

  function startFor(webhook: string): void {
    const busy = [...workers.values()].filter((each) => each === webhook).length;
    for (let free = PER_WEBHOOK - busy; free > 0; free -= 1) {
      const message = receive(webhook);
      if (!message) return;
      const worker = work(webhook, message)
        .catch(report)
        .finally(() => workers.delete(worker));
      workers.set(worker, webhook);
    }
  }

  return {
    start: () => queue.webhooks().forEach(startFor),
    settled: () => Promise.all(workers.keys()),
  };
}
