import { useLayoutEffect, useState } from 'preact/hooks';
import type { ApiError } from './api-error.ts';
import { Store } from './store.ts';

/** What the parts of the page, or of a dialog, read: together they show one error, with one button. */
export interface Readings {
  readonly isReading: boolean;
  /** The first of `errors`. */
  readonly error: ApiError | undefined;
  /** What could not be read. An error stays until its part is read. */
  readonly errors: readonly ApiError[];
}

interface Part {
  readonly place: Store<Readings>;
  readonly isReading: boolean;
  readonly error: ApiError | undefined;
}

const NOTHING: Readings = { isReading: false, error: undefined, errors: [] };

/** The readings of the page outside of dialogs. */
export const pageReadings = new Store(NOTHING);
/** True from a lost request or connection until a later request has a response. */
export const isOffline = new Store(false);
/** Counts the presses of "Try again". Each part that failed reads again then. */
export const retries = new Store(0);

const parts = new Map<object, Part>();
/** The readings of the page, and of each open dialog. */
let places: readonly Store<Readings>[] = [pageReadings];

function update(): void {
  for (const place of places) {
    const own = [...parts.values()].filter((part) => part.place === place);
    const errors = own.flatMap(({ error }) => error ?? []);
    place.set({ isReading: own.some(({ isReading }) => isReading), error: errors[0], errors });
  }
}

/** A part begins to read. It belongs to the dialog that is open, because an error of the page would stand behind it. */
export function beginReading(key: object): void {
  const { place = places.at(-1) ?? pageReadings, error } = parts.get(key) ?? {};
  parts.set(key, { place, isReading: true, error });
  update();
}

export function failReading(key: object, error: ApiError): void {
  const { place = pageReadings } = parts.get(key) ?? {};
  parts.set(key, { place, isReading: false, error });
  update();
}

export function endReading(key: object): void {
  parts.delete(key);
  update();
}

/** The readings of a dialog. What is left of them when it closes belongs to the page. */
export function useDialogReadings(): Store<Readings> {
  const [own] = useState(() => new Store(NOTHING));
  // Before the effects in which parts begin to read.
  useLayoutEffect(() => {
    places = [...places, own];
    return () => {
      places = places.filter((place) => place !== own);
      for (const [key, part] of parts) if (part.place === own) parts.set(key, { ...part, place: pageReadings });
      update();
    };
  }, []);
  return own;
}
