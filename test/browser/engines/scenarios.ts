import type { Scenarios } from '../../support/engines/scenario.ts';
import { CALLS } from './calls.ts';
import { CLICKS } from './clicks.ts';
import { PAGES } from './pages.ts';
import { PRIVACY } from './privacy.ts';

/** All scenarios of the table in docs/script.md. */
export const SCENARIOS: Scenarios = { ...CLICKS, ...PRIVACY, ...CALLS, ...PAGES };
