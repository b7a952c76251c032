import { InvalidAffiliate } from '../../../functions/domain/errors.ts';
import { EntryExists, PaymentNotFound, VoidExists } from '../../../functions/domain/ledger/errors.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { ENTRY_LIMIT, type Ledger, type Recorded } from '../../../functions/table/ledger/entries.ts';
import type { ProgramWork } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject } from '../output.ts';
import { entryFields } from './lists.ts';

/** Returns the work that writes an entry as the operator and renders it. */
export function recordingEntry(record: (table: Table, ledger: Ledger) => Promise<Recorded>): ProgramWork {
  return async ({ program, table }) => {
    const recorded = record(table.forOneOperation(ENTRY_LIMIT), { program: program.id, by: 'operator' });
    const { entry } = await recorded.catch((error: unknown) => {
      throw explained(error);
    });
    return renderObject(entryFields(entry));
  };
}

/** Returns the failure for a refused entry, or any other error unchanged. */
function explained(cause: unknown): unknown {
  if (cause instanceof InvalidAffiliate) {
    const problem = 'No advocate of the program has the slug in --advocate.';
    return new Failure(`${problem} Run \`advocate list\` to see its advocates.`, { cause });
  }
  if (cause instanceof PaymentNotFound) {
    const problem = 'No payment of the program has the id in --payment-id.';
    return new Failure(`${problem} Run \`ledger list --kind payment\` to see its payments.`, { cause });
  }
  if (cause instanceof VoidExists) return new Failure(`${cause.message}.`, { cause });
  if (cause instanceof EntryExists) {
    return new Failure('The id in --id was already recorded with other options. Choose another --id.', { cause });
  }
  return cause;
}
