import { Option } from 'commander';
import { parseSlug, parseText } from '../../functions/domain/fields.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { parseWhole } from '../../functions/domain/numbers.ts';
import { DAY, secondOf, seconds } from '../../functions/domain/time.ts';
import {
  DEFAULT_SCOPES,
  MAX_TOKEN_NAME,
  makeToken,
  newToken,
  SCOPES,
  type Scope,
  type TokenRecord,
} from '../../functions/domain/token.ts';
import { revokeAdvocateTokens } from '../../functions/table/advocates.ts';
import { listTokens, revokeToken } from '../../functions/table/operator/tokens.ts';
import { createProgramToken } from '../../functions/table/program-changes.ts';
import { createToken } from '../../functions/table/tokens.ts';
import { requireAdvocate } from './advocate/commands.ts';
import { type AdminCommand, type CliContext, decimal, type ProgramWork } from './cli.ts';
import { Failure, InvalidArguments } from './errors.ts';
import { renderList, renderObject } from './output.ts';

const COLUMNS = ['id', 'kind', 'name', 'scopes', 'advocate', 'created_at', 'expires_at', 'revoked_at'] as const;
const SCOPE_DESCRIPTION = `what a program token allows; can be repeated (default: ${DEFAULT_SCOPES.join(', ')})`;
const UNKNOWN = 'No token of the program has the id in --id. Run `token list` to see its tokens.';
/** A hundred years. */
const MAX_DAYS = 36_500;

interface NewTokenOptions {
  readonly advocate?: string;
  readonly expiresInDays?: number;
  readonly scope?: readonly Scope[];
  readonly name?: string;
}

/** Adds `token create`, `token list` and `token revoke`. */
export function addTokenCommands(admin: AdminCommand, { clock, random }: CliContext): void {
  const token = admin.command('token').description('bearer tokens for the API');

  token
    .programCommand('create', 'create a token for a program or for one of its advocates; the token is shown only once')
    .option('--advocate <slug>', 'create the token for this advocate (default: for the program)')
    .addOption(new Option('--scope <scope...>', SCOPE_DESCRIPTION).choices(SCOPES))
    .option('--name <name>', 'what the token is for')
    .option('--expires-in-days <days>', `days until the token expires, 1 to ${MAX_DAYS} (default: never)`, decimal)
    .examples(['token create --program ID', 'token create --program ID --advocate jane-doe --expires-in-days 90'])
    .onProgram(({ advocate, expiresInDays, scope, name: given }: NewTokenOptions) => {
      if (scope && advocate !== undefined)
        throw new InvalidArguments('Tokens of advocates have no scopes. Remove --scope.');
      const name = given === undefined ? null : parseText('name', given, MAX_TOKEN_NAME);
      const now = clock();
      const slug = advocate === undefined ? null : parseSlug('advocate', advocate);
      const days = expiresInDays === undefined ? null : parseWhole('expires_in_days', expiresInDays, MAX_DAYS);
      const expiresAt = days === null ? null : seconds(secondOf(now) + days * DAY);
      return async ({ program, table }) => {
        const owner = slug === null ? null : await requireAdvocate(slug, program, table);
        const record = newToken(
          { name, ...(scope && { scopes: scope }), advocate: owner, expiresAt },
          uuidv7(now, random),
          secondOf(now),
        );
        const secret = makeToken(record.kind, random);
        if (owner === null) await createProgramToken(table, program.id, { token: secret, record });
        else await createToken(table, program, secret, record);
        const { id, kind, revoked_at: _, ...more } = tokenFields(record);
        return renderObject({ id, kind, token: secret }, more, 'The token is shown only once: store it now.');
      };
    });

  token
    .programCommand('list', 'list the tokens of a program and its advocates, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const rows = (await listTokens(table, program.id)).map(tokenFields);
      return renderList(rows, COLUMNS, 'The program has no tokens yet. Run `token create` to create one.');
    });

  token
    .programCommand('revoke', 'revoke a token, or all tokens of an advocate; rejected everywhere within 30 seconds')
    .option('--id <token-id>', 'id of the token, as shown by `token list`')
    .option('--advocate <slug>', 'revoke all tokens of this advocate')
    .examples(['token revoke --program ID --id TOKEN_ID', 'token revoke --program ID --advocate jane-doe'])
    .onProgram(({ id, advocate }: { readonly id?: string; readonly advocate?: string }) => {
      if (id !== undefined && advocate === undefined) return (target) => revokeOne(id, target);
      if (id !== undefined || advocate === undefined) throw new InvalidArguments('Give either --id or --advocate.');
      const slug = parseSlug('advocate', advocate);
      return async ({ program, table }) => {
        await requireAdvocate(slug, program, table);
        const { tokensRevokedAt } = await revokeAdvocateTokens(table, program.id, slug);
        return renderObject({ advocate: slug, revoked_at: tokensRevokedAt });
      };
    });
}

async function revokeOne(id: string, { program, table }: Parameters<ProgramWork>[0]) {
  const revoked = await revokeToken(table, program.id, id.toLowerCase());
  if (!revoked) throw new Failure(UNKNOWN);
  return renderObject(tokenFields(revoked));
}

function tokenFields({ id, kind, name, scopes, advocateSlug, createdAt, expiresAt, revokedAt }: TokenRecord) {
  const times = { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt };
  return { id, kind, name, scopes, advocate: advocateSlug, ...times };
}
