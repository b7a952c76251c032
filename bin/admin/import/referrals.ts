import type { Random } from '../../../functions/domain/ids.ts';
import { importedReferral } from '../../../functions/domain/imported-referral.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { type Seconds, secondOf } from '../../../functions/domain/time.ts';
import { type ReferralOutcome, storeReferrals } from '../../../functions/table/operator/referral-import.ts';
import type { Table } from '../../../functions/table/table.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { REFERRAL_COLUMNS, type ReferralColumn } from '../referral-columns.ts';
import { Affiliates } from './affiliates.ts';
import { addImport } from './command.ts';
import { type ReferralEntry, referralParser } from './referral-entry.ts';
import type { Outcome } from './report.ts';
import type { Kind } from './run.ts';

const COLUMNS = { known: REFERRAL_COLUMNS, needed: ['advocate_slug', 'state'] } as const;

/** Adds `referral import`. */
export function addReferralImport(referral: AdminCommand, session: CliContext): void {
  addImport(referral, session, {
    noun: 'referral',
    columns: COLUMNS,
    remarks: `A referral that is not clicked needs email or uid too, unless it has an id, as in an export.
Times are Unix seconds or RFC 3339. Without created_at a referral is created now; without commission_percentage or
commission_end_date it gets what a new one would; an empty cell means none. A click that is older than the program's
attribution days is deleted again. A line without id is skipped if its email or uid already belongs to a referral of the
same advocate.`,
    kind: (program, table) => referrals(program, table, secondOf(session.clock()), session.random),
  });
}

const UNKNOWN_ADVOCATE: Outcome = {
  reason: 'advocate_slug must be that of an advocate of the program: import the advocates first',
};

function referrals(program: Program, table: Table, now: Seconds, random: Random): Kind<ReferralColumn, ReferralEntry> {
  const affiliates = new Affiliates(table, program.id);
  return {
    columns: COLUMNS,
    parse: referralParser(program.id, now, random),
    writes: ({ record: { email, customerUid } }) => 1 + (email === null ? 0 : 1) + (customerUid === null ? 0 : 1),
    store: async (entries) => {
      const slugs = entries.map(({ record }) => record.advocateSlug);
      const known = await affiliates.find(slugs);
      const made = entries.map(({ record, id }) => {
        const affiliate = known.get(record.advocateSlug);
        if (!affiliate) return undefined;
        return { referral: importedReferral(program, affiliate, record, id), hasOwnId: record.id !== null };
      });
      const stored = await storeReferrals(
        table,
        program.id,
        made.filter((entry) => entry !== undefined),
      );
      const outcomes = stored.map(outcomeOf).values();
      return made.map((entry) => (entry && outcomes.next().value) ?? UNKNOWN_ADVOCATE);
    },
  };
}

function outcomeOf(outcome: ReferralOutcome): Outcome {
  switch (outcome) {
    case 'created':
      return 'created';
    case 'known':
      return 'skipped';
    case 'id taken':
      return { reason: 'id belongs to another referral' };
    case 'email taken':
      return { reason: 'email belongs to another referral' };
    case 'uid taken':
      return { reason: 'uid belongs to another referral' };
  }
}
