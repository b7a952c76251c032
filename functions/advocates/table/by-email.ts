import { advocatesWithEmail } from '../../kernel/accounts/table/advocate-emails.ts';
import { type AdvocateFilters, hasValues, type ListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { addressHash } from '../../kernel/address.ts';
import { isSortKey, sortKey } from '../../kernel/dynamodb/keys.ts';
import type { PageStart } from '../../kernel/dynamodb/page.ts';
import { ALL_TIME } from '../../kernel/dynamodb/plan.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';
import type { SecondsRange } from '../../kernel/time.ts';

/** Filters with an email. */
interface EmailFilters {
  readonly createdAt: SecondsRange | undefined;
  readonly filters: AdvocateFilters & { readonly email: string };
}

/** Reads a page of the advocates with an email, newest first. It reads all of them. Throws `InvalidCursor`. */
export async function readAdvocatesByEmail(
  table: Table,
  program: string,
  { createdAt: { from, to } = ALL_TIME, filters }: EmailFilters,
  { start, size }: { readonly start: PageStart; readonly size: number },
): Promise<{ readonly advocates: readonly ListedAdvocate[]; readonly next: string | undefined }> {
  if ('after' in start && !isSortKey(start.after)) throw new InvalidCursor();
  const found = (await advocatesWithEmail(table, program, addressHash(filters.email)))
    .filter((each) => hasValues(each, filters) && each.createdAt >= from && each.createdAt < to)
    .map((advocate) => ({ advocate, position: sortKey(advocate.createdAt, advocate.id) }))
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const rest = 'after' in start ? found.filter(({ position }) => position < start.after) : found.slice(start.skip);
  const page = rest.slice(0, size);
  const next = rest.length > size ? page.at(-1)?.position : undefined;
  return { advocates: page.map(({ advocate }) => advocate), next };
}
