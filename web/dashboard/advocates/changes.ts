import { useState } from 'preact/hooks';
import { type Loaded, readyOf } from '../../kit/loaded.ts';
import type { Changed, OnChanged } from './actions.ts';
import type { Row } from './rows.ts';

/** Milliseconds after which every list shows a change. */
const LAG = 5000;

/** What was changed here and may not be in the list yet: a list lags behind writes. */
export function useChanges() {
  const [changes, setChanges] = useState<ReadonlyMap<string, { readonly at: number; readonly changed: Changed }>>(
    new Map(),
  );
  const onChanged: OnChanged = (slug, changed) =>
    setChanges((last) => {
      const before = last.get(slug)?.changed;
      return new Map(last).set(slug, { at: Date.now(), changed: { ...before, ...changed } });
    });
  /** Returns how a row of a list is now. */
  const changed = (list: Loaded<unknown>) => {
    const readAt = readyOf(list)?.at ?? 0;
    return (row: Row): Row => {
      const change = changes.get(row.attributes.slug);
      if (!change || readAt > change.at + LAG) return row;
      return { ...row, attributes: { ...row.attributes, ...change.changed } };
    };
  };
  return { changed, onChanged };
}
