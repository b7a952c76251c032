import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { listPrograms } from '../../../functions/table/operator/lists.ts';
import { readProgramPage } from '../../../functions/table/referrals/program-list.ts';
import { parseProgramReferral } from '../../../functions/table/referrals/referral-item.ts';
import type { Advised } from './run.ts';

/** The check looks at this many paying customers of a program: their referrals changed last. */
const CUSTOMERS = 50;
const PAYING = { state: 'paid', stateSetAt: undefined, flag: undefined } as const;

export async function checkRates(table: Table): Promise<string | Advised> {
  const advice: string[] = [];
  for (const { id, commissionPercentage } of await listPrograms(table)) {
    if (commissionPercentage === null) {
      const call = `program update --program ${id} --commission-percentage 20`;
      advice.push(`The program ${id} has no rate. Run ${call}, or pass 0 if advocates earn nothing by default.`);
    }
    const { items } = await readProgramPage(table, id, PAYING, { after: undefined, size: CUSTOMERS });
    const unrated = items.map(parseProgramReferral).filter((referral) => referral.commissionPercentage === null);
    if (unrated.length === 0) continue;
    advice.push(
      `Payments of ${unrated.length} of the latest ${items.length} paying customers of the program ${id} have the note no_rate: their referrals keep no rate. Correct balances with ledger adjust.`,
    );
  }
  if (advice.length === 0) return 'every program and its latest paying customers have one';
  return { what: 'payments without a rate earn nothing', advice: advice.join('\n') };
}
