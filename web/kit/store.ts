import { useEffect, useState } from 'preact/hooks';

/** A value that lives outside of the components, such as the session. */
export class Store<Value> {
  #value: Value;
  readonly #listeners = new Set<(value: Value) => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get value(): Value {
    return this.#value;
  }

  set(value: Value): void {
    this.#value = value;
    for (const listener of this.#listeners) listener(value);
  }

  /** Calls a function with each new value. Returns the function that stops this. */
  subscribe(listener: (value: Value) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** For a store that there is not. */
export const NEVER = new Store(false);

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.value);
  useEffect(() => {
    // It may have changed between the rendering and this effect.
    setValue(store.value);
    return store.subscribe(setValue);
  }, [store]);
  return value;
}

/** Milliseconds without typing after which a filter takes effect. */
const TYPING = 300;

export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}
