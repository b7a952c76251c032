import { useEffect, useState } from 'preact/hooks';

/** Milliseconds without typing after which a filter takes effect. */
const TYPING = 400;

/** Returns a typed text once nothing has been typed for a moment. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
