import type { Advocate } from '../domain/advocate.ts';
import type { IdempotentRequest } from '../domain/conversion.ts';
import type { Customer } from '../domain/referral.ts';
import type { Milliseconds } from '../domain/time.ts';
import { hashToken } from '../domain/token.ts';
import { batchGet } from './batch.ts';
import { required, text } from './item.ts';
import {
  advocateKey,
  advocateUidKey,
  answerRecordKey,
  answerRecordName,
  keyOf,
  programKey,
  programTokens,
  referralKey,
  tokenKey,
} from './keys.ts';
import { readOwned } from './owned.ts';
import { claimKeys } from './referrals.ts';
import { PARTITION_KEY } from './schema.ts';
import type { Table } from './table.ts';
import { transact } from './transaction.ts';

/** All that was made in a throw-away program, by the names under which it was made. */
export interface ProgramParts {
  readonly advocate: Pick<Advocate, 'id' | 'slug'>;
  readonly clickId: string;
  readonly customer: Customer;
  readonly conversion: IdempotentRequest;
  /** Those that an index may not show yet: the others are looked for. */
  readonly tokens: readonly string[];
}

/**
 * Removes a throw-away program with its parts, in one transaction: while anything of it is left, so is the program
 * itself, by which it is found. What is gone already is in nobody's way. Keys are made, not looked up, wherever that can
 * be: indexes lag on AWS. Throws `Unavailable`, and then nothing is removed.
 */
export async function removeProgram(
  table: Table,
  program: string,
  { advocate, clickId, customer, conversion, tokens }: ProgramParts,
  deadline: Milliseconds,
): Promise<void> {
  const claims = claimKeys(program, customer);
  // A conversion that did not see its click made a referral with an id of its own.
  const claimed = await batchGet(table, claims, deadline, true);
  const referrals = claimed.flatMap((claim) => (claim ? [required(claim, 'referral', text)] : []));
  const keys = [
    ...(await readOwned(table, programTokens(program), deadline)).map(keyOf),
    ...tokens.map((token) => tokenKey(hashToken(token))),
    ...claims,
    ...[clickId, ...referrals].map((id) => referralKey(program, id)),
    answerRecordKey(program, answerRecordName(conversion.route, conversion.key)),
    advocateUidKey(program, advocate.id),
    advocateKey(program, advocate.slug),
    programKey(program),
  ];
  // A transaction takes each item once. Without conditions: what the keys name is this program's, there or gone.
  const byPartition = new Map(keys.map((key) => [key[PARTITION_KEY], key]));
  const writes = [...byPartition.values()].map((key) => ({
    name: 'part',
    write: { Delete: { TableName: table.name, Key: { ...key } } },
  }));
  await transact(table, writes, deadline);
}
