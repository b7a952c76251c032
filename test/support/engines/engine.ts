import { setTimeout } from 'node:timers/promises';
import { TIMEOUT } from '../browser/chromium.ts';
import type { EngineName } from './names.ts';

/** A cookie as the browser stores it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** With a leading dot if subdomains receive the cookie. */
  readonly domain: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** A tab of a browser, which any engine can do. */
export interface Tab {
  /** Opens an address. Resolves when the document has been parsed. */
  goto(url: string): Promise<void>;
  /** Evaluates an expression in the page. Resolves to its value, also if the expression is a promise. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Clicks the first element of a CSS selector. */
  click(selector: string): Promise<void>;
  /** Focuses the first element of a CSS selector, and types a text. A line break is the Enter key. */
  type(selector: string, text: string): Promise<void>;
  close(): Promise<void>;
}

/** A person with a browser profile of its own: cookies and storage. */
export interface Visitor {
  readonly tab: Tab;
  newTab(): Promise<Tab>;
  /** Returns the cookies of the tab's page. */
  cookies(): Promise<Cookie[]>;
}

/** The settings of a visitor's browser. */
export interface Settings {
  readonly refusesCookies?: boolean;
  readonly globalPrivacyControl?: boolean;
}

/** A running browser, all of whose requests go through the proxy of the test. */
export interface Engine {
  readonly name: EngineName;
  /** Ends the previous visit, whose profile is deleted. */
  newVisitor(settings?: Settings): Promise<Visitor>;
  /** Opens an address with a stored profile and all tracking prevention. Resolves to the cookies after `settled`. */
  cookiesOfVisit(url: string, settled: Promise<unknown>): Promise<Cookie[]>;
  /** Ends the visit, so that its pages send nothing any more. */
  leave(): Promise<unknown>;
  stop(): Promise<void>;
}

/** Waits until an expression is true in a tab. */
export async function until(tab: Tab, expression: string): Promise<void> {
  const end = Date.now() + TIMEOUT;
  let failure: unknown;
  while (Date.now() < end) {
    // A navigation destroys the page that is asked.
    const isTrue = await tab.evaluate<boolean>(`Boolean(${expression})`).catch((error: unknown) => {
      failure = error;
    });
    if (isTrue) return;
    // The page has to run between two questions.
    await setTimeout(10);
  }
  throw new Error(`The page was never in this state: ${expression}`, { cause: failure });
}
