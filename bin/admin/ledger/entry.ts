import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { AdvocateNotFound, InvalidAffiliate } from '../../../functions/kernel/errors.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import { parseEntryId } from '../../../functions/ledger/rules/entry-id.ts';
import { ENTRY_LIMIT, type Ledger, type Recorded } from '../../../functions/ledger/table/entries.ts';
import type { ProgramWork } from '../cli.ts';
import * as option from '../options.ts';
import { flat, renderObject } from '../output.ts';

// What the commands that record one entry share.

export const idOf = (text: string) => parseEntryId('id', text);
export const CURRENCY = ['--currency <code>', 'code of the currency, such as usd', option.currency] as const;

export function recordingEntry(record: (table: Table, ledger: Ledger) => Promise<Recorded>): ProgramWork {
  return async ({ program, table }) => {
    const recorded = record(table.forOneOperation(ENTRY_LIMIT), { program: program.id, by: 'operator' });
    const { entry } = await recorded.catch((error: unknown) => {
      // Here, a deactivated advocate is as good as an active one.
      throw error instanceof InvalidAffiliate ? new AdvocateNotFound() : error;
    });
    return renderObject(flat(toEntry(entry)));
  };
}
