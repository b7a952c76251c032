import type { Program } from '../../kernel/accounts/rules/program.ts';
import type { RefundRule } from '../../kernel/accounts/rules/program-fields.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { MAX_SECRETS, rotateSecret, type SecretStore, stripeOwner } from '../../kernel/secrets/secrets.ts';
import { updateProgram } from '../../program/table/program-changes.ts';
import { STRIPE_EVENT_ROUTES } from './event-routes.ts';

/** How the events of a program's Stripe account are accepted. */
export interface StripeConnection {
  readonly program: string;
  /** Number of valid signing secrets; without any, every event is rejected. */
  readonly secrets: number;
  readonly onRefund: RefundRule;
}

/** What to change of a connection. */
export interface StripeChanges {
  /** The signing secret of an endpoint: Stripe shows it in its dashboard, and `stripe listen` also prints one. */
  readonly secret?: string | undefined;
  readonly onRefund?: RefundRule | undefined;
}

export const SECRET_PATTERN = '^whsec_[A-Za-z0-9_+/=-]{16,250}$';
const SECRET = new RegExp(SECRET_PATTERN);

/** Checks the signing secret of an endpoint. Throws `InvalidField`, which does not contain it. */
export function parseSecret(text: string): string {
  if (SECRET.test(text)) return text;
  throw new InvalidField(
    'secret',
    'must be the whole signing secret that Stripe shows for the endpoint. It starts with whsec_',
  );
}

/** The path of a program's endpoint for Stripe. */
export const stripePath = (program: string): string =>
  STRIPE_EVENT_ROUTES.receiveStripeEvent.path.replace('{program}', program);

/** What the connection is stored in. */
interface Dependencies {
  readonly table: Table;
  readonly secrets: SecretStore;
}

/** Reads the connection of a program. */
export async function findStripe({ secrets }: Dependencies, { id, onRefund }: Program): Promise<StripeConnection> {
  const found = await secrets.read(stripeOwner(id));
  return { program: id, secrets: Math.min(found.length, MAX_SECRETS), onRefund };
}

/**
 * Adds a secret, and changes the effect of refunds. The two newest secrets are valid, so that a secret can be replaced
 * without a gap. A repetition changes nothing more.
 */
export async function connectStripe(
  { table, secrets }: Dependencies,
  program: Program,
  { secret, onRefund }: StripeChanges,
): Promise<StripeConnection> {
  const owner = stripeOwner(program.id);
  const count =
    secret === undefined
      ? (await findStripe({ table, secrets }, program)).secrets
      : await rotateSecret(secrets, owner, { value: secret, createdAt: table.clock() });
  const changed = onRefund === undefined ? program : await updateProgram(table, program.id, { onRefund });
  return { program: program.id, secrets: count, onRefund: changed.onRefund };
}

/** Removes all secrets. Can be repeated. */
export async function disconnectStripe({ secrets }: Dependencies, program: Program): Promise<StripeConnection> {
  const owner = stripeOwner(program.id);
  await secrets.remove(owner, await secrets.read(owner));
  return { program: program.id, secrets: 0, onRefund: program.onRefund };
}
