import type { DynamoDBRecord } from 'aws-lambda';
import { required } from '../../kernel/dynamodb/item.ts';
import { isReferralKey, keyOf, programInKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../kernel/dynamodb/schema.ts';
import { toItem } from '../../kernel/dynamodb/stream-image.ts';
import { text } from '../../kernel/fields/parsers.ts';
import type { Referral } from '../rules/referral.ts';
import { parseReferral } from './referral-item.ts';

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
