import { isDeepStrictEqual } from 'node:util';
import type { CommissionRules } from '../../kernel/accounts/rules/commission-rules.ts';
import { changeProgram, type Program, type ProgramChanges } from '../../kernel/accounts/rules/program.ts';
import {
  hashToken,
  isLive,
  MAX_PROGRAM_TOKENS,
  newestFirst,
  type TokenRecord,
} from '../../kernel/accounts/rules/token.ts';
import { storeRules } from '../../kernel/accounts/table/commission-rules.ts';
import { parseProgram, toProgramAttributes, toProgramItem } from '../../kernel/accounts/table/programs.ts';
import { parseToken, revokeItem, toTokenItem, validTokenCheck } from '../../kernel/accounts/table/tokens.ts';
import { EXISTS, NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { pagesByOwner, queryWithNew } from '../../kernel/dynamodb/index-pages.ts';
import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { type Key, keyOf, programKey, programTokens, tokenKey } from '../../kernel/dynamodb/keys.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, type LabelledWrite, putWrite, transactOnRead, update } from '../../kernel/dynamodb/writes.ts';
import { IdTaken, ProgramNotFound, TokenRevoked, TooManyTokens } from '../../kernel/errors.ts';
import { number, record, text, texts } from '../../kernel/fields/parsers.ts';
import { secondOf } from '../../kernel/time.ts';

/** A program as its item contains it. */
export interface StoredProgram {
  readonly program: Program;
  /** Number of writes since the program was created: a write fails if there was another one since the read. */
  readonly version: number;
  /** The hashes of its newest tokens, which the index of tokens may still lack. The newest is the first. */
  readonly newTokens: readonly string[];
  /** The ids of its webhooks, which the index of webhooks may still lack. */
  readonly newWebhooks: readonly string[];
}

/** On AWS an index lags by well under a second. Nobody creates more tokens of a program in that time. */
const MAX_NEW_TOKENS = 10;

/** Changes of a program: its rules are a list, or `null` for none. */
export type ProgramUpdate = Omit<ProgramChanges, 'commissionRulesId'> & {
  readonly commissionRules?: CommissionRules | null;
};

/**
 * Changes fields of a program, after storing its new rules: in its item and then in the copy of each of its tokens. If it is
 * interrupted in between, repeating it completes it: copies that are older than the item are replaced, whether or not the
 * item changes. Parallel updates change their own fields. Returns the program. Throws `ProgramNotFound` or `InvalidField`.
 */
export async function updateProgram(
  table: Table,
  id: string,
  { commissionRules, ...fields }: ProgramUpdate,
): Promise<Program> {
  const isSame = commissionRules === undefined;
  const changes: ProgramChanges = isSame
    ? fields
    : { ...fields, commissionRulesId: commissionRules && (await storeRules(table, id, commissionRules)) };
  return writeProgram(table, id, (before) => changeProgram(before, changes));
}

export interface NewProgramToken {
  readonly token: string;
  readonly record: TokenRecord;
  /** The hash of the token that creates it; `undefined` for the operator. */
  readonly creator?: string;
}

/**
 * Stores a token of a program with a copy of it, so that one read authenticates a request. Program and token are one
 * transaction: without it, an update could miss the new token and leave it with an old copy. Throws `ProgramNotFound`,
 * `TooManyTokens`, `TokenRevoked` if the creator is revoked, or `IdTaken` if the token exists.
 */
export async function createProgramToken(table: Table, program: string, created: NewProgramToken): Promise<void> {
  const { token, record, creator } = created;
  await retryOnConflict(table, async () => {
    const before = await readStored(table, program);
    if ((await readLiveTokens(table, before)).length >= MAX_PROGRAM_TOKENS) throw new TooManyTokens();
    const newTokens = [hashToken(token), ...before.newTokens].slice(0, MAX_NEW_TOKENS);
    const { after, write } = nextVersion(before, { newTokens });
    const outcome = await transactOnRead<string>(table, [
      write,
      putWrite('new', toTokenItem(program, token, record, toCopy(after)), NOT_EXISTS),
      ...(creator === undefined ? [] : [validTokenCheck(creator)]),
    ]);
    if ('conflict' in outcome) return outcome;
    if (outcome.result.has('token')) throw new TokenRevoked();
    if (outcome.result.has('new')) throw new IdTaken();
    return outcome.result.size === 0 ? { result: undefined } : { conflict: undefined };
  });
}

/** Lists the program tokens of a program that are neither revoked nor expired, newest first. */
export async function listProgramTokens(table: Table, program: string): Promise<TokenRecord[]> {
  return (await readLiveTokens(table, await readStored(table, program))).map(parseToken).sort(newestFirst);
}

/**
 * Revokes a program token. Returns it, or `undefined` if the program has no such program token. Revoking it again keeps
 * the time of the first revocation.
 */
export async function revokeProgramToken(table: Table, program: string, id: string): Promise<TokenRecord | undefined> {
  const items = await readTokens(table, await readStored(table, program));
  const item = items.find((candidate) => parseToken(candidate).id === id);
  return item && revokeItem(table, item);
}

async function readLiveTokens(table: Table, stored: StoredProgram): Promise<Item[]> {
  const now = secondOf(table.clock());
  return (await readTokens(table, stored)).filter((item) => isLive(parseToken(item), now));
}

/** Reads the program tokens of a program, also new tokens, which the index may still lack. */
async function readTokens(table: Table, { program, newTokens }: StoredProgram): Promise<Item[]> {
  const items = await queryWithNew(table, programTokens(program.id), newTokens.map(tokenKey));
  // An earlier version of the service stored affiliate tokens in the same partition.
  return items.filter((item) => parseToken(item).kind === 'program');
}

/**
 * Writes the changed program and the copy in each of its tokens, unless nothing changes. Retries if another write is faster.
 * `others` returns what the same transaction writes besides. Returns the program. Throws `ProgramNotFound`.
 */
export async function writeProgram(
  table: Table,
  id: string,
  change: (program: Program) => Program,
  others: (before: Program) => readonly LabelledWrite<string>[] = () => [],
): Promise<Program> {
  const stored = await retryOnConflict<StoredProgram>(table, async () => {
    const before = await readStored(table, id);
    const program = change(before.program);
    if (isDeepStrictEqual(program, before.program)) return { result: before };
    const { after, write } = nextVersion(before, { program });
    // A transaction, because DynamoDB then recognizes a repetition by its token. After a put whose response was lost,
    // the change would be made again, on top of a later one.
    const outcome = await transactOnRead<string>(table, [write, ...others(before.program)]);
    if ('conflict' in outcome) return outcome;
    return outcome.result.size === 0 ? { result: after } : { conflict: undefined };
  });
  await replaceCopies(table, stored);
  return stored.program;
}

/** Replaces the copies that are older than the program. A deleted token stays deleted. */
async function replaceCopies(table: Table, stored: StoredProgram): Promise<void> {
  const change = { UpdateExpression: 'SET #program = :copy', ExpressionAttributeValues: { ':copy': toCopy(stored) } };
  const isOlder: Condition = {
    ConditionExpression: `${EXISTS.ConditionExpression} AND (attribute_not_exists(#program.version) OR #program.version < :version)`,
    ExpressionAttributeNames: { '#program': 'program' },
    ExpressionAttributeValues: { ':version': stored.version },
  };
  // If the condition fails, the token was deleted, or another update has already written this or a newer copy.
  const replace = (key: Key) => update(table, key, change, isOlder);
  await Promise.all(stored.newTokens.map(tokenKey).map(replace));
  for await (const tokens of pagesByOwner(table, programTokens(stored.program.id))) {
    await Promise.all(
      tokens
        .filter((token) => isOutdated(token, stored.version))
        .map(keyOf)
        .map(replace),
    );
  }
}

/** True for a program token whose copy is older than a version. Affiliate tokens have no copy. */
function isOutdated(token: Item, version: number): boolean {
  if (required(token, 'kind', text) !== 'program') return false;
  return parseVersion(required(token, 'program', record)) < version;
}

/** Reads a program with what only its item contains. Throws `ProgramNotFound`. */
export async function readStored(table: Table, id: string): Promise<StoredProgram> {
  const item = await get(table, programKey(id));
  if (!item) throw new ProgramNotFound();
  return parseStored(item);
}

/** Parses a program with what only its item contains. */
export function parseStored(item: Item): StoredProgram {
  return {
    program: parseProgram(item),
    version: parseVersion(item),
    newTokens: optional(item, 'new_tokens', texts) ?? [],
    newWebhooks: optional(item, 'new_webhooks', texts) ?? [],
  };
}

function parseVersion(item: Item): number {
  return optional(item, 'version', number) ?? 0;
}

function toItem({ program, version, newTokens, newWebhooks }: StoredProgram): Item {
  return { ...toProgramItem(program), version, new_tokens: newTokens, new_webhooks: newWebhooks };
}

/** Builds the write of a program's next version, which fails if the program was written since it was read. */
export function nextVersion(before: StoredProgram, changes: Partial<StoredProgram>) {
  const after = { ...before, ...changes, version: before.version + 1 };
  return { after, write: putWrite('program', toItem(after), programUnchangedSince(before)) };
}

function toCopy({ program, version }: StoredProgram): Item {
  return { ...toProgramAttributes(program), version };
}

/** The condition that a program was not written since it was read. A program that was never changed has no version. */
export function programUnchangedSince(stored: StoredProgram): Condition {
  if (stored.version > 0) return unchangedSince(stored);
  return { ConditionExpression: `${EXISTS.ConditionExpression} AND attribute_not_exists(version)` };
}
