/** That "Getting started" was shown, that advocates were shown their page, or that it is hidden or done. */
type Memory = 'begun' | 'portal' | 'hidden';

/** Returns what the device remembers of "Getting started" of a program. Given something, the device remembers that. */
export function remembered(program: string, given?: Memory): string | null {
  const key = `referral-dashboard-start ${program}`;
  try {
    if (given) localStorage.setItem(key, given);
    return localStorage.getItem(key);
  } catch {
    // The browser blocks the storage: the page forgets it.
    return null;
  }
}
