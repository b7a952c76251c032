import { randomBytes, randomUUID } from 'node:crypto';
import { newAdvocate } from '../../functions/advocates/rules/advocate-changes.ts';
import { createAdvocate } from '../../functions/advocates/table/advocates.ts';
import { type Advocate, type AdvocateFields, EMPTY_ADVOCATE } from '../../functions/kernel/accounts/rules/advocate.ts';
import { newProgram, type Program, type ProgramFields } from '../../functions/kernel/accounts/rules/program.ts';
import {
  makeToken,
  newToken,
  SCOPES,
  type Scope,
  type TokenDraft,
} from '../../functions/kernel/accounts/rules/token.ts';
import { createProgram } from '../../functions/kernel/accounts/table/programs.ts';
import { createToken } from '../../functions/kernel/accounts/table/tokens.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { uuidv7 } from '../../functions/kernel/ids.ts';
import { milliseconds, type Seconds, secondOf, seconds, systemClock } from '../../functions/kernel/time.ts';
import { storeReferrals } from '../../functions/referrals/operator/referral-import.ts';
import { newClick, newReferral, type Referral } from '../../functions/referrals/rules/referral.ts';
import type { Actor } from '../../functions/referrals/rules/state.ts';
import { storeClick } from '../../functions/tracking/table/clicks.ts';
import { attributed, conversionOf } from './conversion.ts';

/** A new UUIDv7, by default of the current second. */
export const newId = (second?: number) =>
  uuidv7(second === undefined ? systemClock() : milliseconds(second * 1000), randomBytes);
export const now = () => secondOf(systemClock());

/** Stores a new program. */
export async function aProgram(table: Table, fields: Partial<ProgramFields> = {}): Promise<Program> {
  const program = newProgram(
    {
      name: 'Acme',
      siteUrl: 'https://acme.example/',
      commissionPercentage: 20,
      commissionMonths: 12,
      ...fields,
    },
    newId(),
    now(),
  );
  await createProgram(table, program);
  return program;
}

/** Stores a new advocate, by default with a unique slug. */
export async function anAdvocate(
  table: Table,
  program: Program,
  fields: Partial<AdvocateFields> = {},
  createdAt: Seconds = now(),
): Promise<Advocate> {
  const slug = `jane-${randomUUID().slice(0, 8)}`;
  const advocate = newAdvocate(
    {
      ...EMPTY_ADVOCATE,
      email: `${slug}@partners.example`,
      firstName: 'Jane',
      lastName: 'Doe',
      slug,
      ...fields,
    },
    newId(createdAt),
    createdAt,
  );
  await createAdvocate(table, program.id, advocate);
  return advocate;
}

/** Stores a new token, of the advocate if there is one, else of the program. Returns it. */
export async function aToken(
  table: Table,
  program: Program,
  advocate?: Advocate,
  expiresAt: Seconds | null = null,
  scopes: readonly Scope[] = SCOPES,
): Promise<string> {
  return storedToken(table, program, { advocate: advocate ?? null, expiresAt, scopes });
}

/** Stores a token of an advocate as from a sign-in. Returns it. */
export const aSession = (table: Table, program: Program, advocate: Advocate): Promise<string> =>
  storedToken(table, program, { advocate, isSession: true });

async function storedToken(table: Table, program: Program, draft: TokenDraft): Promise<string> {
  const record = newToken(draft, newId(), now());
  const token = makeToken(record.kind, randomBytes);
  await createToken(table, program, token, record);
  return token;
}

/** Stores a click on an advocate's link. */
export async function aClick(
  table: Table,
  program: Program,
  advocate: Advocate,
  changes: Partial<Referral> = {},
): Promise<Referral> {
  const at = changes.createdAt ?? now();
  const click = changed(
    newClick(program, attributed(program, advocate), { id: newId(at), subId: null }, at),
    changes,
    'operator',
  );
  await storeClick(table, program.id, click);
  return click;
}

/** The referral with changes, and a history that ends in its state. */
function changed(referral: Referral, changes: Partial<Referral>, actor: Actor): Referral {
  const after = { ...referral, ...changes };
  if (changes.history) return after;
  const { state, stateSetAt, createdAt } = after;
  const history = referral.history.map((entry) => ({ ...entry, setAt: createdAt }));
  if (state === referral.state) return { ...after, history: history.map((entry) => ({ ...entry, setAt: stateSetAt })) };
  const paidAt = state === 'paid' ? stateSetAt : after.paidAt;
  return {
    ...after,
    paidAt,
    history: [...history, { type: 'state', state, setAt: stateSetAt, by: actor }],
    version: 2,
  };
}

let customers = 0;

/** Stores a new referral that has a customer, by default in the state `converted`. */
export async function aReferral(
  table: Table,
  program: Program,
  advocate: Advocate,
  changes: Partial<Referral> = {},
): Promise<Referral> {
  customers += 1;
  const at = changes.createdAt ?? seconds(now());
  const conversion = conversionOf({ email: `customer-${customers}-${newId().slice(-6)}@shop.example` });
  const referral = changed(
    newReferral(newId(at), { ...attributed(program, advocate), ...conversion, now: at }),
    changes,
    'merchant',
  );
  await storeReferrals(table, program.id, [{ referral, hasId: true }]);
  return referral;
}
