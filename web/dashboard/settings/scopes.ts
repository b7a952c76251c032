import * as WORDS from '../../words/dashboard/settings-people.ts';
import type { Scope } from '../router.ts';
import { type Draft, type Field, fault, textIn } from './fields.ts';

/** All scopes. */
const SCOPES = ['read', 'track', 'advocates', 'payouts', 'admin'] as const satisfies readonly Scope[];

const chosenIn = (text: string): Scope[] => SCOPES.filter((scope) => text.split(' ').includes(scope));

/** The chosen ones of a form. */
export const scopesIn = (draft: Draft): Scope[] => chosenIn(textIn(draft, 'scopes'));

/** A page that is open for long may meet a scope of a later version. */
const SHORT: Partial<Record<string, string>> = WORDS.SCOPES;

/** What scopes allow, such as "see everything, pay out". */
export const scopesText = (scopes: readonly string[]): string =>
  SCOPES.every((scope) => scopes.includes(scope))
    ? WORDS.everything
    : scopes.map((scope) => SHORT[scope] ?? scope).join(', ');

/** The scopes to choose from: nobody can pass on a scope that they lack. Developers read their names in the API as well. */
export const scopesField = (can: (scope: Scope) => boolean, areNamed = false): Field => ({
  kind: 'checks',
  name: 'scopes',
  label: WORDS.scopes,
  options: SCOPES.filter(can).map((scope) => [scope, areNamed ? scope : WORDS.SCOPE_HINTS[scope]] as const),
  ...(areNamed && { hints: WORDS.SCOPE_HINTS }),
  parse: (chosen, name) => {
    if (chosen === '') throw fault(name, WORDS.noChoice);
    return chosenIn(chosen);
  },
});
