import { COMMON } from '../words/common.ts';
import type { Schemas } from './api-types.ts';

type Entry = Schemas['Entry']['attributes'];

/** Why a payment earned nothing, by the words of the API. */
const REASONS = new Map<string, string>(Object.entries(COMMON.noCommission));

/** Returns the note of an entry to show. The service writes the notes of payments, people all others. */
export function noteOf({ kind, note }: Pick<Entry, 'kind' | 'note'>): string | null {
  return kind === 'payment' && note !== null ? (REASONS.get(note) ?? note) : note;
}
