import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { referralKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import { parseReferral } from '../../../functions/referrals/table/referral-item.ts';
import { reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { aClick, aReferral } from '../program.ts';
import { itemAt, type TestTable } from '../table.ts';
import { type Situation, stateOf, wasConverted } from '../transitions.ts';

/** Stores a referral in the given situation. */
export function aReferralIn(
  table: TestTable,
  program: Program,
  advocate: Advocate,
  situation: Situation,
  changes: Partial<Referral> = {},
): Promise<Referral> {
  const store = wasConverted(situation) ? aReferral : aClick;
  return store(table, program, advocate, { state: stateOf(situation), ...changes });
}

/** Sets the state as the merchant, at the current time of the table's clock. */
export const set = (table: TestTable, program: Program, id: string, state: State): Promise<Referral> =>
  setReferralState(table, program.id, id, { state, actor: 'merchant' });

/** Moves a referral to another advocate as the merchant, at the current time of the table's clock. */
export const move = (table: TestTable, program: Program, id: string, slug: string): Promise<Referral> =>
  reassignReferral(table, program, { id, email: null, uid: null }, { slug, actor: 'merchant' });

/** Reads a referral from the table. */
export async function storedReferral(table: TestTable, program: Program, id: string): Promise<Referral | undefined> {
  const item = await itemAt(table, referralKey(program.id, id));
  return item && parseReferral(item);
}
