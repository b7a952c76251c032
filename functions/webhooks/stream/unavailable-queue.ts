import { Unavailable } from '../../kernel/errors.ts';
import type { Queue } from './destinations.ts';

/** Returns a queue whose failures are `Unavailable`, so that callers try again. */
export function unavailableOnFailure(queue: Queue): Queue {
  return {
    send: (messages) =>
      queue.send(messages).catch((error: unknown) => {
        throw new Unavailable(error);
      }),
  };
}
