import { ServiceError } from '../../kernel/errors.ts';

/** The program has no webhook with this id. */
export class WebhookNotFound extends ServiceError {
  constructor() {
    super('webhook_not_found', 'Webhook not found');
  }
}

/** The program has no change with this id, or its history no longer contains it. */
export class EventNotFound extends ServiceError {
  constructor() {
    super('event_not_found', 'Event not found');
  }
}

/** The program has as many webhooks as it may have. Nothing was written. */
export class TooManyWebhooks extends ServiceError {
  constructor() {
    super('too_many_webhooks', 'The program has 20 webhooks. Delete an unused one.');
  }
}

/** The webhook receives nothing. Nothing was queued. */
export class WebhookDisabled extends ServiceError {
  constructor() {
    super('webhook_disabled', 'The webhook is disabled. Enable it first.');
  }
}

/** A replay would have to read or send more than one request may. */
export class ReplayTooLarge extends ServiceError {
  constructor() {
    super(
      'range_too_large',
      'since and until include too much: a replay is limited to 7 days, to 10,000 referrals, payments and refunds in all, and to 20 seconds. Shorten the period, or run webhook replay at the command line',
    );
  }
}
