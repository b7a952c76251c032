import type { Advocate } from '../../domain/advocate.ts';
import type { IdempotentRequest } from '../../domain/conversion.ts';
import { NotThrowAway } from '../../domain/errors.ts';
import type { Customer } from '../../domain/referral.ts';
import { STATES } from '../../domain/state.ts';
import { hashToken } from '../../domain/token.ts';
import { required, text } from '../item.ts';
import {
  advocateKey,
  advocateState,
  idempotencyRecordKey,
  idempotencyRecordName,
  type Key,
  keyOf,
  programAdvocates,
  programKey,
  programTokens,
  referralKey,
  tokenKey,
} from '../keys.ts';
import { claimKeys } from '../referrals.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import { type Condition, deleteWrite, notExistsOrSame } from '../writes.ts';
import { queryAllByOwner } from './lists.ts';

/** A throw-away program and all that was stored in it, by their identifiers. */
export interface ProgramParts {
  /** Name of the program: no other program is removed. */
  readonly name: string;
  readonly advocate: Pick<Advocate, 'slug'>;
  readonly clickId: string;
  readonly customer: Customer;
  readonly conversion: IdempotentRequest;
  /** Those that an index may not show yet: the others are looked for. */
  readonly tokens: readonly string[];
}

/**
 * Removes a throw-away program with its parts, in one transaction: while anything of it is left, so is the program
 * itself, by which it is found. Parts that do not exist any more are skipped. Keys are derived, not looked up, wherever
 * that is possible: indexes lag on AWS. Throws `NotThrowAway` or `Unavailable`, and then nothing is removed.
 */
export async function removeProgram(
  table: Table,
  program: string,
  { name, advocate, clickId, customer, conversion, tokens }: ProgramParts,
): Promise<void> {
  const claims = claimKeys(program, customer);
  const claimed = (await table.batchGet(claims)).flatMap((claim) => (claim ? [required(claim, 'referral', text)] : []));
  // A conversion that did not find its click created a referral with an id of its own.
  const referrals = [...new Set([clickId, ...claimed])];
  const tokenKeys = [
    ...(await queryAllByOwner(table, programTokens(program))).map(keyOf),
    ...tokens.map((token) => tokenKey(hashToken(token))),
  ];
  const recordKey = idempotencyRecordKey(program, idempotencyRecordName(conversion.route, conversion.key));
  const ofProgram = notExistsOrSame('owner', programTokens(program), programAdvocates(program));
  const ofReferrals = notExistsOrSame('referral', ...referrals);
  const ofAdvocate = notExistsOrSame(
    'owner_state',
    ...STATES.map((state) => advocateState(program, advocate.slug, state)),
  );
  const parts: [Key, Condition][] = [
    ...tokenKeys.map((key): [Key, Condition] => [key, ofProgram]),
    ...[...claims, recordKey].map((key): [Key, Condition] => [key, ofReferrals]),
    ...referrals.map((id): [Key, Condition] => [referralKey(program, id), ofAdvocate]),
    [advocateKey(program, advocate.slug), ofProgram],
    [programKey(program), notExistsOrSame('name', name)],
  ];
  // A transaction takes each item once.
  const byPartition = new Map(parts.map((part) => [part[0][PARTITION_KEY], part]));
  const writes = [...byPartition.values()].map(([key, condition]) => deleteWrite('part', key, condition));
  const failed = await table.transact(writes);
  if (failed.size > 0) throw new NotThrowAway();
}
