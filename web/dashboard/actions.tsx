import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../kit/api-error.ts';
import { toApiError } from '../kit/load.ts';
import { Problem } from '../kit/status.tsx';

interface Outcome {
  readonly error?: ApiError;
  readonly done?: string;
  /** True if the button that had the focus disappears with what it did. */
  readonly takesFocus?: boolean;
}

/**
 * Runs what the buttons of a table do, one at a time. `report` shows the sentence that the last action returned, or why it
 * failed. `finish` shows the sentence of a dialog that has done its work, and gives it the focus.
 */
export function useActions() {
  const [outcome, setOutcome] = useState<Outcome>({});
  const isRunning = useRef(false);
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (outcome.takesFocus) sentence.current?.focus();
  }, [outcome]);
  async function run(action: () => Promise<string>): Promise<void> {
    if (isRunning.current) return;
    isRunning.current = true;
    setOutcome({});
    try {
      setOutcome({ done: await action() });
    } catch (error) {
      setOutcome({ error: toApiError(error) });
    } finally {
      isRunning.current = false;
    }
  }
  const finish = (done: string) => setOutcome({ done, takesFocus: true });
  const report = (
    <>
      <p ref={sentence} role="status" class="soft" tabIndex={-1}>
        {outcome.done}
      </p>
      {outcome.error && <Problem error={outcome.error} />}
    </>
  );
  return { run, finish, report };
}

/** True if the service may have carried out a request that failed. */
export const isUnanswered = (error: unknown) => error instanceof ApiError && error.isUnanswered;

/**
 * A write with an id of its own. After a response that was lost, the next attempt sends exactly the same body again, so
 * that the service recognizes the id and writes once.
 */
export function useOnceWritten<Body>(send: (body: Body) => Promise<unknown>) {
  const [unanswered, setUnanswered] = useState<Body>();
  async function write(body: Body): Promise<void> {
    const sent = unanswered ?? body;
    try {
      await send(sent);
      setUnanswered(undefined);
    } catch (error) {
      setUnanswered(() => (isUnanswered(error) ? sent : undefined));
      throw error;
    }
  }
  return { write, isUnanswered: unanswered !== undefined };
}
