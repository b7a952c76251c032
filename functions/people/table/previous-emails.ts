import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { optional } from '../../kernel/dynamodb/item.ts';
import { advocateKey, previousEmailKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE } from '../../kernel/dynamodb/schema.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, put } from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { DAY, secondOf } from '../../kernel/time.ts';

/** An advocate with another address, and the number of its writes. */
interface AddressChange {
  readonly slug: string;
  readonly version: number;
  readonly previous: string;
}

/**
 * Keeps the address that an advocate had before a change for a day, to tell it about the change: no queue contains an
 * address. A later change that was kept first stays. After an erasure, nothing is kept.
 */
export async function keepPreviousEmail(
  table: Table,
  program: string,
  { slug, version, previous }: AddressChange,
): Promise<void> {
  // Nothing else of the item is parsed: an item that cannot be read would stop the stream.
  const advocate = await get(table, advocateKey(program, slug));
  if (!advocate || advocate[ADVOCATE_FIELDS.erasedAt.attribute] !== undefined) return;
  // An erasure from now on leaves a later version, which stays.
  const key = previousEmailKey(program, slug);
  const item = { ...key, email: previous, version, [EXPIRY_ATTRIBUTE]: secondOf(table.clock()) + DAY };
  const isLater: Condition = {
    ConditionExpression: 'attribute_not_exists(pk) OR #version <= :version',
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': version },
  };
  const failed = await put(table, item, isLater);
  if (failed) return;
}

/** Reads the address before the last change of an advocate; `undefined` if there is none, as after an erasure. */
export async function readPreviousEmail(table: Table, program: string, slug: string): Promise<string | undefined> {
  const item = await get(table, previousEmailKey(program, slug));
  return (item && optional(item, 'email', text)) ?? undefined;
}
