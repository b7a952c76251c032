import type { Advocate } from '../../domain/advocate.ts';
import { NotTemporary } from '../../domain/errors.ts';
import type { IdempotentRequest } from '../../domain/referral/conversion.ts';
import type { Customer } from '../../domain/referral/referral.ts';
import { STATES } from '../../domain/referral/state.ts';
import { hashToken } from '../../domain/token.ts';
import { notExistsOrSame } from '../dynamodb/conditions.ts';
import { queryAllByOwner } from '../dynamodb/index-pages.ts';
import { batchGet, type Table } from '../dynamodb/table.ts';
import { type Condition, deleteWrite, transact } from '../dynamodb/writes.ts';
import * as keys from '../keys.ts';
import { claimedId, claimKeys } from '../referrals/customers.ts';
import { PARTITION_KEY } from '../schema.ts';

/** What a temporary program contains. */
export interface TemporaryProgram {
  /** A program with another name is not removed. */
  readonly name: string;
  readonly advocate: Pick<Advocate, 'slug'>;
  readonly clickId: string;
  readonly customer: Customer;
  readonly conversion: IdempotentRequest;
  /** New tokens, which the index may lack. The others are read from it. */
  readonly tokens: readonly string[];
}

/**
 * Removes a temporary program and its items in one transaction, so that no item remains without its program. Skips
 * missing items. Derives keys if possible, because indexes lag on AWS. Removes nothing if it throws `NotTemporary`.
 */
export async function removeProgram(
  table: Table,
  program: string,
  { name, advocate, clickId, customer, conversion, tokens }: TemporaryProgram,
): Promise<void> {
  const claims = claimKeys(program, customer);
  const claimed = (await batchGet(table, claims)).filter((claim) => claim !== undefined).map(claimedId);
  // A conversion that did not find its click created a referral with another id.
  const referrals = [...new Set([clickId, ...claimed])];
  const tokenKeys = [
    ...(await queryAllByOwner(table, keys.programTokens(program))).map(keys.keyOf),
    ...(await queryAllByOwner(table, keys.affiliateTokens(program))).map(keys.keyOf),
    ...tokens.map((token) => keys.tokenKey(hashToken(token))),
  ];
  const record = keys.idempotencyRecordName(conversion.route, conversion.key);
  const owners = [keys.programTokens, keys.affiliateTokens, keys.programAdvocates].map((ownerOf) => ownerOf(program));
  const ofProgram = notExistsOrSame('owner', ...owners);
  const states = STATES.map((state) => keys.advocateState(program, advocate.slug, state));
  const remove = (condition: Condition) => (key: keys.Key) => deleteWrite('item', key, condition);
  const failed = await transact(table, [
    // A transaction must not contain an item twice.
    ...new Map(tokenKeys.map((key) => [key[PARTITION_KEY], remove(ofProgram)(key)])).values(),
    ...[...claims, keys.idempotencyRecordKey(program, record)].map(remove(notExistsOrSame('referral', ...referrals))),
    ...referrals.map((id) => keys.referralKey(program, id)).map(remove(notExistsOrSame('owner_state', ...states))),
    remove(ofProgram)(keys.advocateKey(program, advocate.slug)),
    remove(notExistsOrSame('name', name))(keys.programKey(program)),
  ]);
  if (failed.size > 0) throw new NotTemporary();
}
