import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidField, Unavailable } from '../../kernel/errors.ts';
import { isUuidv7, uuidv7 } from '../../kernel/ids.ts';
import { newSecret, rotateSecret, webhookOwner } from '../../kernel/secrets/secrets.ts';
import { secondOf } from '../../kernel/time.ts';
import { WebhookNotFound } from '../rules/errors.ts';
import {
  type DeliveryError,
  newWebhook,
  parseWebhookChanges,
  type Webhook,
  type WebhookChanges,
  type WebhookFields,
} from '../rules/webhook.ts';
import { checkAddresses } from '../stream/addresses.ts';
import * as stored from '../table/program-webhooks.ts';
import * as webhooks from '../table/webhooks.ts';
import type { IntegrationParts, On } from './parts.ts';

/** The verbs of webhooks that the API and the command line share. */

/** A webhook with a new secret, which nothing shows again. */
export interface WebhookWithSecret {
  readonly webhook: Webhook;
  readonly secret: string;
}

/** Changes of a webhook, not checked yet. */
export type UncheckedChanges = Omit<WebhookChanges, 'events'> & { readonly events?: readonly string[] | undefined };

const URL_PROBLEMS = {
  name_not_found: 'has a name that does not resolve: create its DNS record, or use another URL',
  address_refused: 'leads to an address that is not public: use a URL that leads to public addresses only',
} as const satisfies Partial<Record<DeliveryError, string>>;

/** The host of a webhook's URL has no address, or a private one. */
export class UnusableUrl extends InvalidField {
  readonly problem: keyof typeof URL_PROBLEMS;

  constructor(problem: keyof typeof URL_PROBLEMS) {
    super('url', URL_PROBLEMS[problem]);
    this.problem = problem;
  }
}

/**
 * Creates a webhook with its first secret. Throws `InvalidField`, `UnusableUrl`, `TooManyWebhooks` or `Unavailable`,
 * after which the webhook may exist.
 */
export async function createWebhook(
  { table, secrets, ...on }: On<'secrets' | 'isLocal' | 'resolve'>,
  program: string,
  fields: WebhookFields,
): Promise<WebhookWithSecret> {
  const { clock, random } = table;
  const now = clock();
  const webhook = newWebhook(fields, uuidv7(now, random), secondOf(now), on.isLocal);
  await checkUrl(webhook.url, on);
  const secret = { value: newSecret(random), createdAt: now };
  // The secret comes first, so that no webhook is ever without one.
  const owner = webhookOwner(program, webhook.id);
  await secrets.add(owner, secret);
  try {
    await stored.createWebhook(table, program, webhook);
  } catch (error) {
    // Nobody has seen the id under which it is stored. A second error would hide the first one.
    const isUnseen = !(await mayExist(error, table, program, webhook.id));
    if (isUnseen) await secrets.remove(owner, [secret]).catch(() => undefined);
    throw error;
  }
  return { webhook, secret: secret.value };
}

/** Throws `UnusableUrl`. */
async function checkUrl(url: string, { isLocal, resolve }: Pick<IntegrationParts, 'isLocal' | 'resolve'>) {
  const problem = await checkAddresses(new URL(url), isLocal, resolve);
  if (problem !== undefined) throw new UnusableUrl(problem);
}

/** True unless the webhook was certainly not stored. */
async function mayExist(error: unknown, table: Table, program: string, id: string): Promise<boolean> {
  if (!(error instanceof Unavailable)) return false;
  try {
    return (await webhooks.findWebhook(table, program, id)) !== undefined;
  } catch {
    return true;
  }
}

/** Finds a webhook by its id, in upper or lower case. Throws `WebhookNotFound`, also for a malformed id. */
export async function requireWebhook(table: Table, program: string, id: string): Promise<Webhook> {
  const webhook = await webhooks.findWebhook(table, program, parseWebhookId(id));
  if (!webhook) throw new WebhookNotFound();
  return webhook;
}

/** Returns an id in lower case. Throws `WebhookNotFound` if no webhook can have it. */
export function parseWebhookId(id: string): string {
  const lower = id.toLowerCase();
  // Invalid ids are not looked up, because DynamoDB limits the length of keys.
  if (!isUuidv7(lower)) throw new WebhookNotFound();
  return lower;
}

/** Changes the given fields of a webhook. Throws `InvalidField`, `UnusableUrl` or `WebhookNotFound`. */
export async function updateWebhook(
  { table, ...on }: On<'isLocal' | 'resolve'>,
  program: string,
  id: string,
  changes: UncheckedChanges,
): Promise<Webhook> {
  const checked = parseWebhookChanges(changes, on.isLocal);
  const { url } = await requireWebhook(table, program, id);
  // A name that does not resolve at the moment must not prevent a change of other fields.
  if (checked.url !== undefined && checked.url !== url) await checkUrl(checked.url, on);
  return webhooks.updateWebhook(table, program, parseWebhookId(id), checked);
}

/**
 * Deletes a webhook and its secrets. Deletes what an interrupted deletion left. Throws `WebhookNotFound` if nothing is
 * left.
 */
export async function deleteWebhook({ table, secrets }: On<'secrets'>, program: string, text: string): Promise<string> {
  const id = parseWebhookId(text);
  const owner = webhookOwner(program, id);
  const isDeleted = await webhooks.deleteWebhook(table, program, id);
  const found = await secrets.read(owner);
  if (!isDeleted && found.length === 0) throw new WebhookNotFound();
  await secrets.remove(owner, found);
  return id;
}

/**
 * Creates a new secret for a webhook. For 24 hours, the previous one also signs; older ones end. Throws
 * `WebhookNotFound`.
 */
export async function rotateWebhookSecret(
  { table, secrets }: On<'secrets'>,
  program: string,
  id: string,
): Promise<WebhookWithSecret> {
  const webhook = await requireWebhook(table, program, id);
  const owner = webhookOwner(program, webhook.id);
  const secret = { value: newSecret(table.random), createdAt: table.clock() };
  await rotateSecret(secrets, owner, secret);
  // No secret may remain without its webhook, which another request may have deleted.
  if (!(await webhooks.findWebhook(table, program, webhook.id))) {
    await secrets.remove(owner, [secret]);
    throw new WebhookNotFound();
  }
  return { webhook, secret: secret.value };
}
