import { useEffect, useState } from 'preact/hooks';

/** Seconds between two checks, and the longest check. */
const EVERY = 3;
const LONGEST = 300;

interface Check<Found> {
  readonly found: Found | undefined;
  /** How long the page was visible since the check began. */
  readonly seconds: number;
  /** True if nothing was found in 5 minutes. */
  readonly isOver: boolean;
}

/**
 * Reads every 3 seconds, for at most 5 minutes while the page is visible, until something is found. A request that fails
 * is repeated like one that finds nothing.
 */
export function useCheck<Found>(read: (signal: AbortSignal) => Promise<Found | undefined>): Check<Found> {
  const [found, setFound] = useState<Found>();
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    let [passed, isReading] = [0, false];
    const check = async () => {
      isReading = true;
      const result = await read(abort.signal).catch(() => undefined);
      isReading = false;
      if (abort.signal.aborted || result === undefined) return;
      clearInterval(timer);
      setFound(() => result);
    };
    const timer = setInterval(() => {
      if (document.visibilityState === 'hidden') return;
      passed += 1;
      setSeconds(passed);
      if (passed >= LONGEST) clearInterval(timer);
      else if (passed % EVERY === 0 && !isReading) void check();
    }, 1000);
    void check();
    return () => {
      clearInterval(timer);
      abort.abort();
    };
  }, []);
  return { found, seconds, isOver: found === undefined && seconds >= LONGEST };
}
