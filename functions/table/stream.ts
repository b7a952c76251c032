import type { AttributeValue, DynamoDBRecord } from 'aws-lambda';
import type { Entry } from '../domain/ledger/entry-fields.ts';
import { text } from '../domain/parsers.ts';
import type { Referral } from '../domain/referral/referral.ts';
import { type Item, required } from './dynamodb/item.ts';
import { isEntryKey, isReferralKey, keyOf, programInKey } from './keys.ts';
import { parseEntry } from './ledger/entries.ts';
import { parseReferral } from './referrals/referral-item.ts';
import { PARTITION_KEY } from './schema.ts';

/** A write of a referral's row. */
export interface ReferralWrite {
  readonly program: string;
  /** `null` for a new row. */
  readonly before: Referral | null;
  readonly after: Referral;
}

/**
 * Parses a record of the table's stream. Returns `undefined` for rows of other kinds and for deletions, which are
 * not events. Throws `MalformedItem`.
 */
export function referralWriteOf({ dynamodb }: DynamoDBRecord): ReferralWrite | undefined {
  const [before, after] = [dynamodb?.OldImage, dynamodb?.NewImage].map((image) => image && toItem(image));
  if (!after || !isReferralKey(keyOf(after))) return undefined;
  const program = programInKey(required(after, PARTITION_KEY, text));
  return { program, before: before ? parseReferral(before) : null, after: parseReferral(after) };
}

/** Parses the insertion of an entry of the ledger. Returns `undefined` for other records. Throws `MalformedItem`. */
export function newEntryOf({ eventName, dynamodb }: DynamoDBRecord): { program: string; entry: Entry } | undefined {
  const item = dynamodb?.NewImage && toItem(dynamodb.NewImage);
  if (eventName !== 'INSERT' || !item || !isEntryKey(keyOf(item))) return undefined;
  return { program: programInKey(required(item, PARTITION_KEY, text)), entry: parseEntry(item) };
}

type Image = Readonly<Record<string, AttributeValue>>;

/** Unmarshalls an image. The SDK's `unmarshall` does not accept Lambda's type of attribute values. */
function toItem(image: Image): Item {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, attributeValue(value)]));
}

/** Returns the value of an attribute; `undefined` for types of attributes that no item has. */
function attributeValue({ S, N, BOOL, L, M }: AttributeValue): unknown {
  if (N !== undefined) return Number(N);
  if (L !== undefined) return L.map(attributeValue);
  return M === undefined ? (S ?? BOOL) : toItem(M);
}
