/** The service's address with a trailing slash, or `''` if the build did not set one. */
declare const BASE_URL: string;

interface Gr {
  (...call: unknown[]): void;
  /** Calls made before the script has loaded; afterwards an object whose `push` runs a call immediately. */
  q?: Iterable<unknown>[] | { push(call: Iterable<unknown>): void; some?: never };
}

interface Window {
  gr?: Gr;
}

interface Document {
  /** https://wicg.github.io/nav-speculation/prerendering.html; undefined in browsers that do not prerender. */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** https://w3c.github.io/gpc/; undefined in browsers without Global Privacy Control. */
  readonly globalPrivacyControl?: boolean;
}
