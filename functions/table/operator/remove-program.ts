import type { Advocate } from '../../domain/advocate.ts';
import type { IdempotentRequest } from '../../domain/conversion.ts';
import { NotThrowAway } from '../../domain/errors.ts';
import type { Customer } from '../../domain/referral.ts';
import { STATES } from '../../domain/state.ts';
import { hashToken } from '../../domain/token.ts';
import { type Condition, notExistsOrSame } from '../conditions.ts';
import * as keys from '../keys.ts';
import { claimedId, claimKeys } from '../referrals.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import { deleteWrite, transact } from '../writes.ts';
import { queryAllByOwner } from './lists.ts';

/** What a throw-away program consists of. */
export interface ProgramParts {
  /** Name of the program: a program with another name is not removed. */
  readonly name: string;
  readonly advocate: Pick<Advocate, 'slug'>;
  readonly clickId: string;
  readonly customer: Customer;
  readonly conversion: IdempotentRequest;
  /** Tokens that the index may lack because they are new. The others are read from it. */
  readonly tokens: readonly string[];
}

/**
 * Removes a throw-away program with its parts, in one transaction: as long as a part is left, so is the program, by which
 * it can be found. Missing parts are skipped. Keys are derived if possible, because indexes lag on AWS. Throws
 * `NotThrowAway`, and then nothing is removed.
 */
export async function removeProgram(
  table: Table,
  program: string,
  { name, advocate, clickId, customer, conversion, tokens }: ProgramParts,
): Promise<void> {
  const claims = claimKeys(program, customer);
  const claimed = (await table.batchGet(claims)).filter((claim) => claim !== undefined).map(claimedId);
  // A conversion that did not find its click created a referral with an id of its own.
  const referrals = [...new Set([clickId, ...claimed])];
  const tokenKeys = [
    ...(await queryAllByOwner(table, keys.programTokens(program))).map(keys.keyOf),
    ...tokens.map((token) => keys.tokenKey(hashToken(token))),
  ];
  const record = keys.idempotencyRecordName(conversion.route, conversion.key);
  const ofProgram = notExistsOrSame('owner', keys.programTokens(program), keys.programAdvocates(program));
  const states = STATES.map((state) => keys.advocateState(program, advocate.slug, state));
  const remove = (condition: Condition) => (key: keys.Key) => deleteWrite('part', key, condition);
  const failed = await transact(table, [
    // A transaction must not contain an item twice.
    ...new Map(tokenKeys.map((key) => [key[PARTITION_KEY], remove(ofProgram)(key)])).values(),
    ...[...claims, keys.idempotencyRecordKey(program, record)].map(remove(notExistsOrSame('referral', ...referrals))),
    ...referrals.map((id) => keys.referralKey(program, id)).map(remove(notExistsOrSame('owner_state', ...states))),
    remove(ofProgram)(keys.advocateKey(program, advocate.slug)),
    remove(notExistsOrSame('name', name))(keys.programKey(program)),
  ]);
  if (failed.size > 0) throw new NotThrowAway();
}
