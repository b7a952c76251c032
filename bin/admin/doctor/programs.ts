import { hasTerms } from '../../../functions/kernel/accounts/rules/terms.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { listPrograms } from '../../../functions/kernel/operator/lists.ts';
import { readProgramPage } from '../../../functions/referrals/table/program-referrals.ts';
import { parseProgramReferral } from '../../../functions/referrals/table/referral-item.ts';
import { FIRST_WITH_CODES, readApiVersion } from '../../../functions/stripe/table/api-version.ts';
import type { Advised } from './run.ts';

/** The check looks at this many paying customers of a program: their referrals changed last. */
const CUSTOMERS = 50;
const PAYING = { state: 'paid', stateSetAt: undefined, flag: undefined } as const;

/** Lists the programs without a rate or rules, and counts such referrals among their latest paying customers. */
export async function checkRates(table: Table): Promise<string | Advised> {
  const advice: string[] = [];
  for (const { id, ...terms } of await listPrograms(table)) {
    if (!hasTerms(terms)) {
      const call = `program update --program ${id} --commission-percentage 20`;
      advice.push(`The program ${id} has no rate. Run ${call}, or pass 0 if advocates earn nothing by default.`);
    }
    const { items } = await readProgramPage(table, id, PAYING, { after: undefined, size: CUSTOMERS });
    const unrated = items.map(parseProgramReferral).filter((referral) => !hasTerms(referral));
    if (unrated.length === 0) continue;
    advice.push(
      `Payments of ${unrated.length} of the latest ${items.length} paying customers of the program ${id} have the note no_rate: their referrals keep no rate. Correct balances with ledger adjust.`,
    );
  }
  if (advice.length === 0) return 'every program and its latest paying customers have one';
  return { what: 'payments without a rate earn nothing', advice: advice.join('\n') };
}

/** Lists the programs whose last checkout at Stripe had an API version without promotion codes. */
export async function checkApiVersions(table: Table): Promise<string | Advised> {
  const advice: string[] = [];
  for (const { id } of await listPrograms(table)) {
    const version = await readApiVersion(table, id);
    if (version === undefined || version >= FIRST_WITH_CODES) continue;
    advice.push(
      `The last checkout of the program ${id} had Stripe's API version ${version}. Choose ${FIRST_WITH_CODES} or later for the endpoint, or report codes from your server.`,
    );
  }
  if (advice.length === 0) return 'no checkout at Stripe hides promotion codes';
  return { what: 'checkouts at Stripe contain no promotion codes', advice: advice.join('\n') };
}
