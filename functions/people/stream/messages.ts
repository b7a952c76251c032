import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { number, oneOf, record, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { type Milliseconds, milliseconds } from '../../kernel/time.ts';
import { CHANGES, type Change, type EmailCause, type EmailQueueName } from '../rules/email-cause.ts';
import { PAGES } from '../rules/link-budget.ts';

/** A message of a queue of emails. */
export interface EmailMessage {
  readonly program: string;
  readonly cause: EmailCause;
  /** When the cause was written: the email is not sent long after it. */
  readonly causedAt: Milliseconds;
}

/** The most messages in one request to a queue. */
export const MAX_MESSAGES = 10;

/** A queue of emails with at-least-once delivery. */
export interface EmailQueue {
  /** Adds messages. Throws if one is refused. */
  send(queue: EmailQueueName, messages: readonly EmailMessage[]): Promise<void>;
}

/** Parses a message, which is JSON. Throws `SyntaxError` or `MalformedItem` for anything else. */
export function parseEmailMessage(body: string): EmailMessage {
  const item = record(JSON.parse(body)) ?? {};
  return {
    program: required(item, 'program', text),
    cause: parseCause(required(item, 'cause', record)),
    causedAt: milliseconds(required(item, 'causedAt', number)),
  };
}

const KINDS = [
  'sign_in',
  'confirm',
  'approved',
  'rejected',
  'waiting',
  'invited',
  'paying',
  'settled',
  'account_changed',
] as const satisfies readonly EmailCause['kind'][];

function parseCause(item: Item): EmailCause {
  const kind = required(item, 'kind', oneOf(KINDS));
  switch (kind) {
    case 'sign_in':
      return {
        kind,
        page: required(item, 'page', oneOf(PAGES)),
        address: required(item, 'address', text),
        request: required(item, 'request', text),
      };
    case 'confirm':
      return {
        kind,
        address: required(item, 'address', text),
        application: required(item, 'application', text),
      };
    case 'approved':
      return { kind, slug: required(item, 'slug', text), request: required(item, 'request', text) };
    case 'rejected':
      return { kind, application: required(item, 'application', text) };
    case 'waiting':
      return { kind, application: required(item, 'application', text), day: required(item, 'day', text) };
    case 'invited':
      return { kind, member: required(item, 'member', text) };
    case 'paying':
      return { kind, slug: required(item, 'slug', text), day: required(item, 'day', text) };
    case 'settled':
      return {
        kind,
        slug: required(item, 'slug', text),
        createdAt: required(item, 'createdAt', wholeSeconds),
        entry: required(item, 'entry', text),
      };
    case 'account_changed':
      return {
        kind,
        slug: required(item, 'slug', text),
        version: required(item, 'version', number),
        changes: required(item, 'changes', changes),
        to: required(item, 'to', oneOf(['now', 'before'] as const)),
      };
  }
}

const changes = (value: unknown): readonly Change[] | undefined =>
  Array.isArray(value) ? CHANGES.filter((change) => value.includes(change)) : undefined;
