/** Address of the service, with a slash at its end, where the build was told; else `''`. */
declare const BASE_URL: string;

interface Gr {
  (...call: unknown[]): void;
  /** Calls that wait for the script; once it has loaded, what makes them at once. */
  q?: Iterable<unknown>[] | { push(call: Iterable<unknown>): void };
}

interface Window {
  gr?: Gr;
}

interface Document {
  /** https://wicg.github.io/nav-speculation/prerendering.html; missing in browsers that do not prerender. */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** https://w3c.github.io/gpc/; missing in browsers without Global Privacy Control. */
  readonly globalPrivacyControl?: boolean;
}
