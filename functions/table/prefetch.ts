/** Pages that are read one after the other. */
type Pages<Page> = AsyncGenerator<Page, void>;

/**
 * Yields all pages of all sources in their order. The sources that come next are read already, as many as `atOnce`, and of
 * each the page that follows the one in use, so that whoever uses the pages and the table work at the same time.
 */
export async function* prefetch<Page>(sources: Iterable<Pages<Page>>, atOnce: number): Pages<Page> {
  const begun: Pages<Page>[] = [];
  for (const source of sources) {
    begun.push(pageAhead(source));
    if (begun.length > atOnce) yield* begun.shift() ?? [];
  }
  for (const pages of begun) yield* pages;
}

/** The same pages. The first one is asked for at once, and each other one before the page in front of it is used. */
function pageAhead<Page>(pages: Pages<Page>): Pages<Page> {
  const ask = () => {
    const asked = pages.next();
    // Who stops early never awaits it: then its failure is nobody's.
    asked.catch(() => undefined);
    return asked;
  };
  let asked = ask();
  async function* answers(): Pages<Page> {
    for (let page = await asked; !page.done; page = await asked) {
      asked = ask();
      yield page.value;
    }
  }
  return answers();
}
