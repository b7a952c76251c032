/** Runs work that a Ctrl-C asks to end in good order. A second one ends the process at once, as ever. */
export async function interruptible<Result>(work: (interrupted: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const interrupt = () => controller.abort();
  process.once('SIGINT', interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', interrupt);
  }
}
