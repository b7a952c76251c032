import { CommanderError } from 'commander';
import * as codes from '../../functions/codes/rules/errors.ts';
import * as errors from '../../functions/kernel/errors.ts';
import * as ledger from '../../functions/ledger/rules/errors.ts';
import * as people from '../../functions/people/rules/errors.ts';
import { SecretMissing } from '../../functions/webhooks/http/deliveries.ts';
import { QueueBusy } from '../../functions/webhooks/http/past-events.ts';
import { UnusableUrl } from '../../functions/webhooks/http/webhooks.ts';
import * as webhooks from '../../functions/webhooks/rules/errors.ts';
import type { DeliveryError } from '../../functions/webhooks/rules/webhook.ts';

/** A command was called correctly but cannot succeed. The message says what is wrong, then what to do. */
export class Failure extends Error {
  readonly status: number = 1;
}

export class InvalidArguments extends Failure {
  override readonly status = 2;
}

/** Ctrl-C ended a command early. Shells use the same status for a process that SIGINT ended. */
export class Interruption extends Failure {
  override readonly status = 130;
}

export const NO_RESPONSE: Readonly<Record<DeliveryError, string>> = {
  timeout: 'No response within 15 seconds. Let the receiver respond first and work afterwards.',
  name_not_found: 'The name of the URL does not resolve. Create its DNS record, or use another URL.',
  address_refused: 'The URL leads to an address that is not public. Use a URL that leads to public addresses only.',
  connection_failed:
    'No server listens, or a firewall refuses the connection. Start the receiver, or allow the connection.',
  tls_failed:
    'The certificate is not valid: expired, for another name, or without its intermediate certificates. Install a valid one.',
  invalid_response:
    "Something other than an HTTP response arrived, or the connection was closed before one. Read the receiver's log.",
};

/** The sentences of refused changes. `null` stands for the message of the error. */
const REFUSALS = new Map<unknown, string | null>([
  [
    errors.AdvocateNotFound,
    'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
  ],
  [
    errors.InvalidAffiliate,
    'No active advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.',
  ],
  [errors.AdvocateErased, null],
  [errors.UidTaken, 'Another advocate of the program has this uid. Choose another --uid.'],
  [errors.SlugTaken, 'Another advocate of the program has this slug. Choose another --slug.'],
  [errors.TooManyGroups, null],
  [
    errors.RulesNotFound,
    'No rules of the program have the id in --id. Run `program show` or `group list --json` to see ids.',
  ],
  [codes.CodeTaken, 'The code belongs to another advocate. Choose another --code.'],
  [codes.PromotionCodeTaken, '--promotion-code-id belongs to another code. Create another promotion code at Stripe.'],
  [codes.TooManyCodes, null],
  [errors.StateRefused, null],
  [errors.NotConverted, 'The referral is a click. Move it after it has converted.'],
  [people.MemberNotFound, 'No member of the program has the id in --id. Run `member list` to see its members.'],
  [
    people.MemberExists,
    'A member with another name or other scopes has the email in --email. Run `member update` to change it.',
  ],
  [people.TooManyMembers, null],
  [people.LastAdmin, null],
  [
    people.ApplicationNotFound,
    'No confirmed application of the program has the id in --id. Run `application list` to see its applications.',
  ],
  [
    people.ApplicationDecided,
    'The application was approved or rejected before. Run `application list` with --state approved or rejected to see it.',
  ],
  [
    ledger.PaymentNotFound,
    'No payment of the program has the id in --payment-id. Run `ledger list --kind payment` to see its payments.',
  ],
  [ledger.VoidExists, null],
  [ledger.EntryExists, 'The id in --id was already recorded with other options. Choose another --id.'],
  [webhooks.WebhookNotFound, 'No webhook of the program has the id in --id. Run `webhook list` to see its webhooks.'],
  [webhooks.WebhookDisabled, 'The webhook is disabled. Run `webhook enable`, then send the events again.'],
  [webhooks.EventNotFound, 'No change of the program has the id in --event-id, or its history no longer contains it.'],
  [webhooks.TooManyWebhooks, null],
  [SecretMissing, 'The webhook has no secret. Run `webhook rotate` to create one.'],
  [QueueBusy, 'The queue does not accept the events. Try again later.'],
]);

/** Says what is wrong and what to do; `undefined` for an unexpected error. */
export function sentenceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof Failure) return error.message;
  if (error instanceof UnusableUrl) return NO_RESPONSE[error.problem];
  const sentence = REFUSALS.get(error.constructor);
  return sentence === null ? error.message.replace(/\.?$/, '.') : sentence;
}

/** Maps an error to an exit status and a sentence for stderr. No sentence repeats a value, such as an email or a token. */
export function toExit(error: unknown): { readonly status: number; readonly sentence?: string } {
  // Commander has written its message, or the help.
  if (error instanceof CommanderError) return { status: error.exitCode === 0 ? 0 : 2 };
  const sentence = sentenceOf(error);
  if (sentence !== undefined) return { status: error instanceof Failure ? error.status : 1, sentence };
  if (error instanceof errors.InvalidField) {
    // The message starts with the name of the field in the API. Terms may name other fields.
    const message = error.message.replace(/^\S+|\bcommission_\w+/g, (field) => `--${field.replaceAll('_', '-')}`);
    return { status: 2, sentence: `${message}.` };
  }
  // A bug, or a table item that this version cannot read.
  const name = error instanceof Error ? error.name : 'unknown';
  return { status: 1, sentence: `The command failed unexpectedly (${name}). Run doctor to see if the service works.` };
}
