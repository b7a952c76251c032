import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import type { Key } from '../../kernel/dynamodb/keys.ts';
import { type LabelledPut, putWrite } from '../../kernel/dynamodb/writes.ts';
import { wholeSeconds } from '../../kernel/fields/parsers.ts';
import { DAY, type Seconds } from '../../kernel/time.ts';

/**
 * How long idempotency records are kept, in seconds (docs/contract/tracking.md, Idempotency): longer than Stripe retries
 * automatically (three days, https://docs.stripe.com/webhooks#manual-retries). A manual resend can come later.
 */
const KEPT_FOR = 7 * DAY;

/**
 * Builds the write of an idempotency record, which fails if the record exists and has not expired. `result` has the
 * attributes from which the response to a repeated request is built.
 */
export function recordWrite<Name extends string>(
  name: Name,
  key: Key,
  now: Seconds,
  result: Item = {},
): LabelledPut<Name> {
  return putWrite(
    name,
    { ...key, expires_at: now + KEPT_FOR, ...result },
    {
      ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR expires_at <= :now`,
      ExpressionAttributeValues: { ':now': now },
    },
  );
}

/** True if a record exists and has not expired: DynamoDB deletes expired records late. */
export function isValidRecord(record: Item | undefined, now: Seconds): record is Item {
  return record !== undefined && required(record, 'expires_at', wholeSeconds) > now;
}
