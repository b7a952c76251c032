import { undoPayoutAccount } from '../../advocates/rules/advocate-changes.ts';
import { replaceAdvocate } from '../../advocates/table/advocates.ts';
import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { AdvocateNotFound } from '../../kernel/errors.ts';
import { secondOf } from '../../kernel/time.ts';
import { InvalidLink } from '../rules/errors.ts';
import type { LinkCode } from '../rules/link-code.ts';
import { readCode, spendWrite } from './link-codes.ts';

/**
 * Returns to the payout account before the advocate's own change, and ends all tokens of the advocate. Spends the code in
 * the same transaction. Throws `InvalidLink`, also if nothing is pending any more; then nothing is written.
 */
export async function undoAccountChange(table: Table, code: LinkCode): Promise<Advocate> {
  const now = secondOf(table.clock());
  const { slug, emailVersion } = await readCode(table, code, 'undo', now);
  return replaceAdvocate(table, code.program, slug ?? '', {
    change: (before) => {
      const after = before.emailVersion === emailVersion ? undoPayoutAccount(before, now) : undefined;
      if (!after) throw new InvalidLink();
      return after;
    },
    also: () => [spendWrite(code, now)],
    refuse: (failed) => {
      if (failed.has('code')) throw new InvalidLink();
    },
  }).catch((error: unknown) => {
    // The program was deleted.
    throw error instanceof AdvocateNotFound ? new InvalidLink() : error;
  });
}
