import type { EngineName } from './names.ts';

/** What differs between engines, and why. */
interface Reason {
  readonly scenario: string;
  readonly engines: readonly EngineName[];
  readonly reason: string;
  /** False if the scenario is impossible in these engines. */
  readonly runs: boolean;
}

export const REASONS: readonly Reason[] = [
  {
    scenario: 'The cookie lasts 60 days, or as long as the engine permits',
    engines: ['WebKit'],
    reason:
      'The tracking prevention of the tested build ends such cookies after 7 days. [Safari deletes them](#the-cookie-in-safari).',
    runs: true,
  },
  {
    scenario: 'On an IP address, the cookie belongs to the address alone',
    engines: ['WebKit'],
    reason:
      'The HTTP library of the tested build, which Safari does not use, accepts a part of an IP address as a domain.',
    runs: false,
  },
  {
    scenario: 'Nothing is stored or sent under Global Privacy Control',
    engines: ['Chromium', 'WebKit'],
    reason: 'The engine has no such setting. The test sets the property that extensions set.',
    runs: true,
  },
  {
    scenario: 'A prerendered page stores and sends nothing until it is shown',
    engines: ['Firefox', 'WebKit'],
    reason: 'The engine prerenders no pages.',
    runs: false,
  },
];

/** True if an engine can run a scenario. */
export const isPossible = (scenario: string, engine: EngineName): boolean =>
  !REASONS.some((each) => !each.runs && each.scenario === scenario && each.engines.includes(engine));
