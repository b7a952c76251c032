/** Milliseconds between two looks. */
const PAUSE = 2000;

/**
 * Looks again and again while the page can be seen, one look after the other. Returns what makes it look at once.
 * `look` must not reject.
 */
export function poll(look: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isWanted = false;

  const turn = async () => {
    isWanted = true;
    if (isLooking) return;
    clearTimeout(timer);
    isLooking = true;
    // What is asked for during a look may have happened after the service answered it.
    while (isWanted) {
      isWanted = false;
      await look();
    }
    isLooking = false;
    if (document.visibilityState === 'visible') timer = setTimeout(begin, PAUSE);
  };
  const begin = () => void turn();

  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') begin();
    else clearTimeout(timer);
  });
  begin();
  return begin;
}
