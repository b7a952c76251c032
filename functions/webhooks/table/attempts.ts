import { both } from '../../kernel/dynamodb/conditions.ts';
import { webhookKey } from '../../kernel/dynamodb/keys.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, type Update, update } from '../../kernel/dynamodb/writes.ts';
import type { Milliseconds } from '../../kernel/time.ts';
import { afterAttempt, type Delivery, type DisabledReason, isEnabled, type Webhook } from '../rules/webhook.ts';
import { findWebhook, parseWebhook, sendsTo } from './webhooks.ts';

/** What an attempt to deliver an event means for its webhook. */
export interface CountedAttempt {
  /** False if the webhook is disabled or deleted. */
  readonly isEnabled: boolean;
  /** The reason if this attempt disabled it. */
  readonly disabledFor: DisabledReason | null;
}

/**
 * Counts an attempt at its webhook, as `afterAttempt` says. `status` is the status of the response. Costs a read, and a
 * write if the webhook changes. Some simultaneous failures may remain uncounted. It never creates a deleted webhook,
 * changes a disabled one, disables one because of an attempt that started before the merchant enabled it, or counts an
 * attempt to a URL that the webhook no longer has.
 */
export async function countAttempt(
  table: Table,
  program: string,
  id: string,
  { status, startedAt, url }: Pick<Delivery, 'status' | 'startedAt'> & { readonly url: string },
): Promise<CountedAttempt> {
  // Not cached: a success must find a failure that was counted a moment ago elsewhere.
  const before = await findWebhook(table, program, id);
  if (!before || !isEnabled(before)) return { isEnabled: false, disabledFor: null };
  if (before.url !== url) return { isEnabled: true, disabledFor: null };
  const after = afterAttempt(before, status, table.clock());
  if (after === before) return { isEnabled: true, disabledFor: null };
  const { disabledReason } = after;
  const condition = disabledReason === 'gone' ? enabledBefore(startedAt) : failingStill(before);
  const failed = await update(table, webhookKey(program, id), healthUpdate(after), both(condition, sendsTo(url)));
  if (!failed) return { isEnabled: disabledReason === null, disabledFor: disabledReason };
  const stored = failed.item && parseWebhook(failed.item);
  const isRepeated = failed.isRepeated && stored?.disabledReason === disabledReason;
  return { isEnabled: stored?.disabledReason === null, disabledFor: isRepeated ? disabledReason : null };
}

function healthUpdate({ failingSince, failures, disabledReason }: Webhook): Update {
  if (failingSince === null) return { UpdateExpression: 'REMOVE failing_since, failures' };
  const disabled = disabledReason === null ? '' : ', enabled = :disabled, disabled_reason = :reason';
  return {
    UpdateExpression: `SET failing_since = :since, failures = :failures${disabled}`,
    ExpressionAttributeValues: {
      ':since': failingSince,
      ':failures': failures,
      ...(disabledReason !== null && { ':disabled': false, ':reason': disabledReason }),
    },
  };
}

/** The condition that no success and no merchant has changed an enabled webhook since it was read. */
function failingStill({ failingSince }: Webhook): Condition {
  const isSame = failingSince === null ? 'attribute_not_exists(failing_since)' : 'failing_since = :seen';
  return {
    ConditionExpression: `enabled = :enabled AND ${isSame}`,
    ExpressionAttributeValues: { ':enabled': true, ...(failingSince !== null && { ':seen': failingSince }) },
  };
}

/** The condition that a webhook is enabled, and that its merchant did not enable it after a moment. */
function enabledBefore(moment: Milliseconds): Condition {
  return {
    ConditionExpression: 'enabled = :enabled AND (attribute_not_exists(enabled_at) OR enabled_at < :moment)',
    ExpressionAttributeValues: { ':enabled': true, ':moment': moment },
  };
}
