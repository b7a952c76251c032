import type { DynamoDBRecord } from 'aws-lambda';
import { required } from '../../kernel/dynamodb/item.ts';
import { isEntryKey, keyOf, programInKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../kernel/dynamodb/schema.ts';
import { toItem } from '../../kernel/dynamodb/stream-image.ts';
import { text } from '../../kernel/fields/parsers.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { parseEntry } from './entries.ts';

/** Parses the insertion of an entry of the ledger. Returns `undefined` for other records. Throws `MalformedItem`. */
export function newEntryOf({ eventName, dynamodb }: DynamoDBRecord): { program: string; entry: Entry } | undefined {
  const item = dynamodb?.NewImage && toItem(dynamodb.NewImage);
  if (eventName !== 'INSERT' || !item || !isEntryKey(keyOf(item))) return undefined;
  return { program: programInKey(required(item, PARTITION_KEY, text)), entry: parseEntry(item) };
}
