import { CUSTOMERS, moneyAttribute, totalAttribute } from '../../kernel/accounts/table/totals.ts';
import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { incrementWrite } from '../../kernel/dynamodb/increments.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { type Key, positionKey, totalsKey } from '../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE, PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, type LabelledWrite, MAX_WRITES, transact, updateWrite } from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { DAY, secondOf, seconds } from '../../kernel/time.ts';
import type { Addend } from '../rules/addend.ts';
import type { CustomerAddend } from '../rules/occurrences.ts';
import { attributeOf, moneyAttributeOf, sumsKey } from './sums.ts';

/** A record of the stream with something to count. */
export interface CountedRecord {
  /** The position in the shard: a number with up to 40 digits. */
  readonly sequence: bigint;
  readonly program: string;
  readonly addends: readonly Addend[];
  readonly customers: readonly CustomerAddend[];
}

/** The sums that one transaction adds to. Its last write is the position. */
const MAX_SUMS = MAX_WRITES - 1;
/** The stream keeps records for a day. Lambda repeats none that is older. */
const POSITION_DAYS = 7;

/** What to add to one item of sums. */
interface Addition {
  readonly key: Key;
  readonly numbers: Record<string, number>;
}
type Additions = ReadonlyMap<string, Addition>;

/**
 * Adds records of a shard to the sums, each exactly once, however often and in whatever parts they are passed. The item of
 * the shard contains the sequence number of the last counted record: each transaction moves it forward together with the
 * sums, and skips the records up to it. Returns the records that this call counted. Throws `Unavailable`; then only the
 * first records are counted.
 */
export async function countRecords(
  table: Table,
  shard: string,
  records: readonly CountedRecord[],
): Promise<readonly CountedRecord[]> {
  const bySequence = new Map(records.map((record) => [record.sequence, record]));
  let pending = [...bySequence.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
  if (pending.length === 0) return [];
  const key = positionKey(shard);
  const counted: CountedRecord[] = [];
  for (let position = parsePosition(await get(table, key)); ; ) {
    pending = pending.filter(({ sequence }) => position === undefined || sequence > position);
    const { part, additions } = firstPart(pending);
    const last = part.at(-1);
    if (!last) return counted;
    const sums = [...additions.values()].map(({ key, numbers }) => incrementWrite('sums', key, numbers));
    const failed = await transact(table, [moveForward(table, key, position, last.sequence), ...sums]);
    const stored = failed.get('position');
    // Another invocation has counted some of these records, or the position has expired.
    position = stored ? parsePosition(stored) : last.sequence;
    if (!stored) counted.push(...part);
  }
}

/** The first records whose sums fit into one transaction, and these sums. */
function firstPart(records: readonly CountedRecord[]): { part: readonly CountedRecord[]; additions: Additions } {
  const additions = new Map<string, Addition>();
  for (const [index, record] of records.entries()) {
    const keys = new Map(keysOf(record).map((key) => [`${key[PARTITION_KEY]} ${key[SORT_KEY]}`, key]));
    const added = [...keys.keys()].filter((name) => !additions.has(name)).length;
    if (additions.size + added > MAX_SUMS) return { part: records.slice(0, index), additions };
    addTo(additions, record);
  }
  return { part: records, additions };
}

const keysOf = (record: CountedRecord): Key[] => partsOf(record).map(({ key }) => key);

/** An amount to add to an attribute. */
export interface Part {
  readonly key: Key;
  readonly attribute: string;
  readonly amount: number;
}

/** What a record adds, and where. */
export function partsOf({ program, addends, customers }: Omit<CountedRecord, 'sequence'>): Part[] {
  const ofAddends = addends.flatMap((addend) =>
    placesOf(program, addend).map((place) => ({ ...place, amount: addend.amount })),
  );
  const ofCustomers = customers.map(({ slug, customers: amount }) => {
    return { key: totalsKey(program, slug), attribute: CUSTOMERS, amount };
  });
  return [...ofAddends, ...ofCustomers];
}

/** Where an addend is added: to its day and to the totals, of its advocate and of the program. */
function placesOf(program: string, addend: Addend): { readonly key: Key; readonly attribute: string }[] {
  const { day } = addend;
  return [null, addend.slug].flatMap((slug) =>
    addend.currency === null
      ? [
          { key: sumsKey(program, day, slug), attribute: attributeOf(addend.kind, day) },
          { key: totalsKey(program, slug), attribute: totalAttribute(addend.kind) },
        ]
      : [
          { key: sumsKey(program, day, slug, addend.currency), attribute: moneyAttributeOf(addend.kind, day) },
          { key: totalsKey(program, slug), attribute: moneyAttribute(addend.kind, addend.currency) },
        ],
  );
}

function addTo(additions: Map<string, Addition>, record: CountedRecord): void {
  for (const { key, attribute, amount } of partsOf(record)) {
    const name = `${key[PARTITION_KEY]} ${key[SORT_KEY]}`;
    const addition = additions.get(name) ?? { key, numbers: {} };
    addition.numbers[attribute] = (addition.numbers[attribute] ?? 0) + amount;
    additions.set(name, addition);
  }
}

function moveForward(table: Table, key: Key, from: bigint | undefined, to: bigint): LabelledWrite<'position'> {
  const change = {
    UpdateExpression: `SET #sequence = :to, ${EXPIRY_ATTRIBUTE} = :expiry`,
    ExpressionAttributeValues: {
      ':to': String(to),
      ':expiry': seconds(secondOf(table.clock()) + POSITION_DAYS * DAY),
    },
  };
  const names = { ExpressionAttributeNames: { '#sequence': 'sequence' } };
  const isUnchanged: Condition =
    from === undefined
      ? { ...NOT_EXISTS, ...names }
      : {
          ConditionExpression: '#sequence = :from',
          ...names,
          ExpressionAttributeValues: { ':from': String(from) },
        };
  return updateWrite('position', key, change, isUnchanged);
}

function parsePosition(item: Item | undefined): bigint | undefined {
  return item?.['sequence'] === undefined ? undefined : BigInt(required(item, 'sequence', text));
}
