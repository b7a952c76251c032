import { useState } from 'preact/hooks';
import { type Loaded, readyOf, useLoaded } from './loaded.ts';

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

interface ListReply<Row> {
  readonly body: { readonly data: readonly Row[] };
  readonly next: string | undefined;
}

/** The page of a list that the API returns. */
export async function pageOf<Row>(reply: Promise<ListReply<Row>>): Promise<Page<Row>> {
  const { body, next } = await reply;
  return { rows: body.data, next };
}

/** A list that is read page by page. */
export interface Pages<Row> {
  readonly list: Loaded<Page<Row>>;
  /** The rows of the page; none until it is read. */
  readonly rows: readonly Row[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
  readonly reload: () => void;
  /** The number of the page. */
  readonly page: number;
  readonly forward: (next: string) => void;
  readonly back: () => void;
}

/** Reads a list page by page, and begins at its first page when an input changes. */
export function usePages<Row>(
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  inputs: readonly unknown[],
): Pages<Row> {
  const key = JSON.stringify(inputs);
  const [state, setState] = useState<{ key: string; cursors: (string | undefined)[] }>({ key, cursors: [undefined] });
  const cursors = state.key === key ? state.cursors : [undefined];
  const cursor = cursors.at(-1);
  const [list, reload] = useLoaded((signal) => read(cursor, signal), [...inputs, cursor], inputs);
  const { rows, next } = readyOf(list)?.value ?? { rows: [], next: undefined };
  return {
    list,
    rows,
    next,
    reload,
    page: cursors.length,
    forward: (after) => setState({ key, cursors: [...cursors, after] }),
    back: () => setState({ key, cursors: cursors.slice(0, Math.max(1, cursors.length - 1)) }),
  };
}
