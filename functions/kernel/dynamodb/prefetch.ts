/** Pages that are read one after the other. */
export type Pages<Page> = AsyncGenerator<Page, void>;

/**
 * Yields all pages of all sources in order. Reads ahead the first pages of the next `atOnce` sources and the next page
 * of the current one, so that table and consumer work at the same time.
 */
export async function* prefetch<Page>(sources: Iterable<Pages<Page>>, atOnce: number): Pages<Page> {
  const started: Pages<Page>[] = [];
  for (const source of sources) {
    started.push(prefetchNext(source));
    if (started.length > atOnce) yield* started.shift() ?? [];
  }
  for (const pages of started) yield* pages;
}

/**
 * Yields the same pages. Requests the first page immediately, and each later page before it yields the current page.
 */
function prefetchNext<Page>(pages: Pages<Page>): Pages<Page> {
  const request = () => {
    const requested = pages.next();
    // A consumer that stops early never awaits it, so its failure must not become an unhandled rejection.
    requested.catch(() => undefined);
    return requested;
  };
  let requested = request();
  async function* yieldAll(): Pages<Page> {
    for (let page = await requested; !page.done; page = await requested) {
      requested = request();
      yield page.value;
    }
  }
  return yieldAll();
}
