/** Deletes the oldest entries of a Map or a Set until at most `max` remain. Both keep the order of insertion. */
export function dropOldest<Key>(entries: Pick<Map<Key, unknown>, 'size' | 'keys' | 'delete'>, max: number): void {
  for (const key of entries.keys()) {
    if (entries.size <= max) return;
    entries.delete(key);
  }
}
