import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import {
  isTokenShaped,
  makeToken,
  newToken,
  SCOPES,
  type TokenDraft,
} from '../../../functions/kernel/accounts/rules/token.ts';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { createToken } from '../../../functions/kernel/accounts/table/tokens.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { type Random, timeOfUuidv7, uuidv7 } from '../../../functions/kernel/ids.ts';
import { listPrograms } from '../../../functions/kernel/operator/lists.ts';
import {
  newSecret,
  type SecretOwner,
  type SecretStore,
  stripeOwner,
  webhookOwner,
} from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds, type Seconds, secondOf, seconds } from '../../../functions/kernel/time.ts';
import { ADVOCATE, PROGRAM } from '../../../functions/openapi/records.ts';
import { REFERRAL_EVENT_TYPES } from '../../../functions/referrals/rules/referral-event.ts';
import { isEnabled, newWebhook } from '../../../functions/webhooks/rules/webhook.ts';
import { createWebhook } from '../../../functions/webhooks/table/program-webhooks.ts';
import { deleteWebhook, findWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { MEMBERS } from './cast.ts';
import { storeDemo } from './store.ts';

export const RECEIVER_PATH = '/demo/webhook';
/** Leads to the dashboard with a new token. */
export const DASHBOARD_PATH = '/demo/dashboard';

export interface Demo {
  readonly programId: string;
  readonly mode: Program['mode'];
  readonly publicKey: string;
  readonly advocateSlug: string;
  readonly advocateName: string;
  readonly advocateEmail: string;
  readonly memberEmail: string;
  readonly programToken: string;
  readonly affiliateToken: string;
  /** Signs the events that the shop sends in place of Stripe. */
  readonly stripeSecret: string;
  /** Signs the events that the service delivers to the shop. */
  readonly webhookSecret: string;
}

/** The tokens, saved in `DATA_DIR` because the table contains only their hashes. */
interface SavedTokens extends Pick<Demo, 'programToken' | 'affiliateToken'> {
  /** When the first start began to store the demo; `null` once it is stored. */
  readonly storingSince: Seconds | null;
}

/**
 * Creates the demo if the table is empty, or completes it. Returns `undefined` if the table has other programs. `skipStream`
 * skips what the stream of the table contains; without it, the stack on AWS counts the rows of the demo.
 */
export async function prepareDemo(
  table: Table,
  dataDir: string,
  secrets: SecretStore,
  skipStream?: () => Promise<unknown>,
): Promise<Demo | undefined> {
  const file = join(dataDir, 'demo-tokens');
  const [program, advocate] = [PROGRAM, ADVOCATE];
  const stored = await listPrograms(table);
  if (stored.length > 0 && !stored.some(({ id }) => id === program.id)) return undefined;
  const saved = await validTokens(table, file);
  const isStored = saved?.storingSince === null;
  const { storingSince, ...tokens } = saved ?? {
    programToken: makeToken('program', randomBytes),
    affiliateToken: makeToken('affiliate', randomBytes),
    storingSince: stored.length === 0 ? secondOf(table.clock()) : null,
  };
  if (!isStored) {
    await saveTokens(file, { ...tokens, storingSince });
    if (storingSince !== null) {
      await storeDemo(table, storingSince, { countsRows: skipStream !== undefined });
      await skipStream?.();
    }
    await storeToken(table, program, tokens.programToken, { scopes: SCOPES });
    await storeToken(table, program, tokens.affiliateToken, { advocate });
    await saveTokens(file, { ...tokens, storingSince: null });
  }
  return {
    ...tokens,
    programId: program.id,
    mode: program.mode,
    stripeSecret: await secretOf(secrets, stripeOwner(program.id), table),
    webhookSecret: await secretOf(secrets, webhookOwner(program.id, webhookIdOf(program.id)), table),
    publicKey: program.publicKey,
    advocateSlug: advocate.slug,
    advocateName: `${advocate.firstName} ${advocate.lastName}`,
    advocateEmail: advocate.email ?? '',
    memberEmail: MEMBERS[0]?.email ?? '',
  };
}

/** Returns the id of the shop's webhook. It is always the same, so that its secret and pending events stay its own. */
export function webhookIdOf(programId: string): string {
  return uuidv7(timeOfUuidv7(programId), bytesFrom(`${programId} endpoint`));
}

/** Creates the shop's webhook for all events. Replaces it if it is disabled, or if the service had another port. */
export async function prepareWebhook(table: Table, programId: string, baseUrl: string): Promise<void> {
  const fields = { url: `${baseUrl}${RECEIVER_PATH}`, events: REFERRAL_EVENT_TYPES, includeEmail: true };
  const webhook = newWebhook(fields, webhookIdOf(programId), secondOf(table.clock()), true);
  const stored = await findWebhook(table, programId, webhook.id);
  if (stored && isEnabled(stored) && stored.url === webhook.url) return;
  if (stored) await deleteWebhook(table, programId, webhook.id);
  await createWebhook(table, programId, webhook);
}

async function secretOf(store: SecretStore, owner: SecretOwner, { clock }: Table): Promise<string> {
  const [newest] = await store.read(owner);
  if (newest) return newest.value;
  const value = newSecret(randomBytes);
  await store.add(owner, { value, createdAt: clock() });
  return value;
}

/** Reads the saved tokens; `undefined` if they are missing, revoked or of another table. */
async function validTokens(table: Table, file: string): Promise<SavedTokens | undefined> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const [programToken = '', affiliateToken = '', status = ''] = text.split('\n');
  const tokens = { programToken, affiliateToken };
  if (!Object.values(tokens).every(isTokenShaped)) return undefined;
  const [, since] = /^storing since (\d+)$/.exec(status) ?? [];
  // Tokens of an interrupted start are not stored yet.
  if (since !== undefined) return { ...tokens, storingSince: seconds(Number(since)) };
  const { byToken } = callersOf(table.clock);
  const callers = await Promise.all(Object.values(tokens).map((token) => byToken(table, token)));
  return callers.includes(undefined) ? undefined : { ...tokens, storingSince: null };
}

/** Writes a new file and renames it, so that an interrupted start never leaves half a file. */
async function saveTokens(file: string, { storingSince, ...tokens }: SavedTokens): Promise<void> {
  const { programToken, affiliateToken } = tokens;
  const status = storingSince === null ? 'complete' : `storing since ${storingSince}`;
  await writeFile(`${file}.new`, `${programToken}\n${affiliateToken}\n${status}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function storeToken(table: Table, program: Program, token: string, draft: TokenDraft): Promise<void> {
  // The id is derived from the token, so that a repeated start recognizes the record that it has stored before.
  const { createdAt } = program;
  const id = uuidv7(milliseconds(createdAt * 1000), bytesFrom(token));
  await createToken(table, program, token, newToken(draft, id, createdAt));
}

/** Returns a source of bytes that are always the same for a seed. */
function bytesFrom(seed: string): Random {
  return (count) => createHash('sha256').update(seed).digest().subarray(0, count);
}
