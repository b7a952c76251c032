import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { useCheck } from '../../kit/check.ts';
import * as START from '../../words/dashboard/start.ts';

interface CheckProps<Found> {
  /** The name of the status. */
  readonly name: string;
  /** Reads what is waited for; `undefined` until it is there. */
  readonly read: (signal: AbortSignal) => Promise<Found | undefined>;
  readonly onFound: () => void;
  readonly waiting: string;
  readonly sentenceOf: (found: Found) => string;
  /** Stands below while nothing is found: after so many seconds. */
  readonly help?: (seconds: number) => ComponentChildren;
}

/** Waits for something to arrive, and says so. After 5 minutes, a button waits again. */
export function Check<Found>(props: CheckProps<Found>) {
  const [round, setRound] = useState(0);
  return <Round key={round} {...props} onAgain={() => setRound(round + 1)} />;
}

function Round<Found>(props: CheckProps<Found> & { readonly onAgain: () => void }) {
  const { name, read, onFound, waiting, sentenceOf, help, onAgain } = props;
  const { found, seconds, isOver } = useCheck(read);
  const isFound = found !== undefined;
  useEffect(() => {
    if (isFound) onFound();
  }, [isFound]);
  return (
    <>
      <div role="status" aria-label={name} class={isFound ? 'check-line good' : 'check-line'}>
        {isFound ? <bdi>{sentenceOf(found)}</bdi> : isOver ? START.checkOver : waiting}
        {!isFound && help?.(seconds)}
      </div>
      {isOver && <Button label={START.checkAgain} onClick={onAgain} />}
    </>
  );
}
