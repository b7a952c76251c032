import type { Program } from '../kernel/accounts/rules/program.ts';
import { findAdvocate } from '../kernel/accounts/table/advocate-items.ts';
import { addressHash } from '../kernel/address.ts';
import { EXISTS, NOT_EXISTS, notExistsOrSame, unchangedSince } from '../kernel/dynamodb/conditions.ts';
import { deleteAll, deleteAnyway } from '../kernel/dynamodb/delete-items.ts';
import { indexPages, queryAllByOwner, queryWithNew } from '../kernel/dynamodb/index-pages.ts';
import { required } from '../kernel/dynamodb/item.ts';
import * as keys from '../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../kernel/dynamodb/schema.ts';
import { batchGet, get, queryPages, retryOnConflict, type Table, wholePartition } from '../kernel/dynamodb/table.ts';
import { deleteWrite, putWrite, transact, update } from '../kernel/dynamodb/writes.ts';
import { text } from '../kernel/fields/parsers.ts';
import { deleteLedger } from '../ledger/operator/delete-ledger.ts';
import { APPLICATION_STATES } from '../people/rules/applications/application-fields.ts';
import { parseStored, programUnchangedSince, type StoredProgram } from '../program/table/program-changes.ts';
import { deleteReferrals } from '../referrals/operator/delete-referrals.ts';
import { STATES } from '../referrals/rules/state.ts';
import { statisticsKeys } from '../statistics/operator/statistics-keys.ts';
import { deleteWebhooks, webhookKeys } from '../webhooks/operator/delete-webhooks.ts';

/** What a deletion has deleted. Referrals include clicks, and tokens include sessions. */
export interface Deleted {
  advocates: number;
  referrals: number;
  tokens: number;
  webhooks: number;
}

/** What was created so recently that the indexes may lack it. */
export interface Recent {
  readonly slugs: readonly string[];
  readonly referrals: readonly string[];
  readonly tokenHashes: readonly string[];
}

/** Called when an advocate is deleted, with the number of deleted ones and of all. */
type Show = (value: number, total: number) => void;

const NOTHING_RECENT: Recent = { slugs: [], referrals: [], tokenHashes: [] };

/** Reads a program that was stopped and is not deleted yet; `undefined` if there is none with the id. */
export async function findStoppedProgram(table: Table, id: string): Promise<Program | undefined> {
  return (await readStopped(table, id))?.program;
}

/** True if a program has an advocate. On AWS, the index lags by well under a second. */
export async function hasAdvocates(table: Table, id: string): Promise<boolean> {
  for await (const rows of indexPages(table, 'by_created_at', keys.programAdvocates(id), [PARTITION_KEY])) {
    if (rows.length > 0) return true;
  }
  return false;
}

/**
 * Stops a program for good: its item moves to another key, where no request finds it, its tokens are deleted, and its
 * webhooks disabled. Whatever is cached works for up to 30 seconds more. Can be repeated. Returns the number of deleted
 * tokens.
 */
export async function stopProgram(table: Table, id: string, { tokenHashes } = NOTHING_RECENT): Promise<number> {
  const { newTokens, newWebhooks } = await moveAway(table, id);
  const disable = (key: keys.Key) =>
    update(table, key, { UpdateExpression: 'SET enabled = :no', ExpressionAttributeValues: { ':no': false } }, EXISTS);
  await Promise.all((await webhookKeys(table, id, newWebhooks)).map(disable));
  return deleteTokens(table, id, [...newTokens, ...tokenHashes]);
}

/** Moves the item of a program. Without an item, nothing has a token or webhook that the indexes may lack. */
function moveAway(table: Table, id: string): Promise<Pick<StoredProgram, 'newTokens' | 'newWebhooks'>> {
  return retryOnConflict<Pick<StoredProgram, 'newTokens' | 'newWebhooks'>>(table, async () => {
    const item = await get(table, keys.programKey(id));
    if (!item) return { result: (await readStopped(table, id)) ?? { newTokens: [], newWebhooks: [] } };
    const stored = parseStored(item);
    const failed = await transact(table, [
      deleteWrite('program', keys.programKey(id), programUnchangedSince(stored)),
      putWrite('stopped', { ...item, ...keys.stoppedProgramKey(id) }, NOT_EXISTS),
    ]);
    return failed.size === 0 ? { result: stored } : { conflict: undefined };
  });
}

async function readStopped(table: Table, id: string): Promise<StoredProgram | undefined> {
  const item = await get(table, keys.stoppedProgramKey(id));
  return item && parseStored(item);
}

/** Lists the ids of the webhooks of a stopped program. */
export async function webhooksOf(table: Table, id: string): Promise<string[]> {
  return (await webhookKeys(table, id, [])).map(({ pk }) => keys.lastPart(pk));
}

/** What a deletion may need besides the program. */
interface DeletionOptions {
  readonly recent?: Recent;
  readonly show?: Show;
  /** Resolves when the requests have ended that began before the program was stopped. By default, there are none. */
  readonly settle?: () => Promise<unknown>;
}

/**
 * Deletes a stopped program and everything in it, advocate by advocate, its own item last: until then, the deletion can be
 * repeated after any interruption. What requests write meanwhile is deleted as well. Also works for an id that is no
 * program any more: then it deletes the statistics that the stream counted later.
 */
export async function deleteProgram(
  table: Table,
  id: string,
  { recent = NOTHING_RECENT, show = () => undefined, settle = async () => undefined }: DeletionOptions = {},
): Promise<Deleted> {
  const deleted: Deleted = { advocates: 0, referrals: 0, tokens: 0, webhooks: 0 };
  const deleteAdvocates = async (slugs: readonly string[]) => {
    for (const [index, slug] of slugs.entries()) {
      for (const state of STATES) {
        deleted.referrals += await deletePartition(table, id, 'by_state', keys.advocateState(id, slug, state));
      }
      await deleteLedger(table, id, slug);
      if (await deleteAdvocate(table, id, slug)) deleted.advocates += 1;
      show(index + 1, slugs.length);
    }
  };
  deleted.referrals += await deleteReferrals(table, id, recent.referrals);
  await deleteAdvocates([...new Set([...recent.slugs, ...(await slugsOf(table, id))])]);
  await settle();
  for (let before = -1; before < deleted.advocates; ) {
    before = deleted.advocates;
    await deleteAdvocates(await slugsOf(table, id));
  }
  // A conversion may have read an advocate before its deletion.
  for (const state of STATES) {
    deleted.referrals += await deletePartition(table, id, 'by_program_state', keys.programState(id, state));
  }
  await deleteApplications(table, id);
  // Before the sessions: afterwards, no member can sign in.
  await deleteAll(table, [keys.membersKey(id), keys.peopleSettingsKey(id)]);
  deleted.tokens += await deleteTokens(table, id, recent.tokenHashes);
  deleted.webhooks += await deleteWebhooks(table, id);
  for await (const sums of statisticsKeys(table, id)) await deleteAll(table, sums);
  await deleteTerms(table, id);
  await deleteAll(table, [
    keys.importNoteKey(id),
    keys.groupsKey(id),
    keys.logoKey(id),
    keys.resourcesKey(id),
    keys.apiVersionKey(id),
    keys.programConfirmationsKey(id),
    keys.automaticApprovalsKey(id),
    keys.stoppedProgramKey(id),
  ]);
  return deleted;
}

/** Deletes all applications, and that their addresses have applied. */
async function deleteApplications(table: Table, id: string): Promise<void> {
  for (const state of APPLICATION_STATES) {
    const partition = keys.applicationsInState(id, state);
    for await (const rows of indexPages(table, 'by_program_state', partition, [PARTITION_KEY, SORT_KEY])) {
      const items = (await batchGet(table, rows.map(keys.keyOf))).filter((item) => item !== undefined);
      const pointers = items.map((item) => {
        return keys.applicantKey(id, addressHash(required(item, 'email', text)), required(item, 'id', text));
      });
      await deleteAll(table, [...items.map(keys.keyOf), ...pointers]);
    }
  }
}

/** Deletes the promotion codes with the claims of Stripe's, and all rules of commissions. */
async function deleteTerms(table: Table, id: string): Promise<void> {
  for (const partition of [keys.codesPartition(id), keys.rulesPartition(id)]) {
    for await (const { items } of queryPages(table, wholePartition(partition)))
      await deleteAll(table, items.map(keys.keyOf));
  }
}

async function slugsOf(table: Table, id: string): Promise<string[]> {
  const slugs: string[] = [];
  for await (const rows of indexPages(table, 'by_created_at', keys.programAdvocates(id), [PARTITION_KEY, SORT_KEY])) {
    slugs.push(...rows.map((row) => keys.lastPart(keys.keyOf(row).pk)));
  }
  return slugs;
}

async function deletePartition(
  table: Table,
  program: string,
  index: 'by_state' | 'by_program_state',
  partition: string,
): Promise<number> {
  let deleted = 0;
  for await (const rows of indexPages(table, index, partition, [PARTITION_KEY, SORT_KEY])) {
    deleted += await deleteReferrals(
      table,
      program,
      rows.map((row) => keys.lastPart(keys.keyOf(row).pk)),
    );
  }
  return deleted;
}

/**
 * Deletes an advocate, the claim of its uid, what finds it by email, and its previous email. Returns false if it does not
 * exist.
 */
function deleteAdvocate(table: Table, program: string, slug: string): Promise<boolean> {
  return retryOnConflict<boolean>(table, async () => {
    const advocate = await findAdvocate(table, program, slug);
    if (!advocate) return { result: false };
    const { uid, email } = advocate;
    const isOwn = notExistsOrSame('slug', slug);
    const found = email === null ? undefined : keys.advocateEmailKey(program, addressHash(email), slug);
    const failed = await transact(table, [
      ...(uid === null ? [] : [deleteWrite('uid', keys.advocateUidKey(program, uid), isOwn)]),
      ...(found ? [deleteWrite('email', found, notExistsOrSame(SORT_KEY, slug))] : []),
      deleteAnyway(keys.previousEmailKey(program, slug)),
      deleteWrite('advocate', keys.advocateKey(program, slug), unchangedSince(advocate)),
    ]);
    return failed.size === 0 ? { result: true } : { conflict: undefined };
  });
}

/** Deletes all tokens, also tokens that the indexes may still lack. Returns how many of them existed. */
async function deleteTokens(table: Table, program: string, newHashes: readonly string[]): Promise<number> {
  const ofProgram = await queryWithNew(table, keys.programTokens(program), newHashes.map(keys.tokenKey));
  const others = [keys.affiliateTokens(program), keys.programSessions(program)];
  const ofOthers = await Promise.all(others.map((owner) => queryAllByOwner(table, owner)));
  const found = new Map([...ofProgram, ...ofOthers.flat()].map((item) => [item[PARTITION_KEY], keys.keyOf(item)]));
  await deleteAll(table, [...found.values()]);
  return found.size;
}
