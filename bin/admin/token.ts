import { Option } from 'commander';
import { revokeAdvocateTokens } from '../../functions/advocates/table/advocates.ts';
import {
  DEFAULT_SCOPES,
  MAX_TOKEN_NAME,
  makeToken,
  newToken,
  SCOPES,
  type Scope,
  type TokenRecord,
} from '../../functions/kernel/accounts/rules/token.ts';
import { createToken } from '../../functions/kernel/accounts/table/tokens.ts';
import { parseText } from '../../functions/kernel/fields/fields.ts';
import { uuidv7 } from '../../functions/kernel/ids.ts';
import { DAY, secondOf, seconds } from '../../functions/kernel/time.ts';
import { listTokens, revokeToken } from '../../functions/program/operator/tokens.ts';
import { createProgramToken } from '../../functions/program/table/program-changes.ts';
import { requireAdvocate } from './advocate/commands.ts';
import type { AdminCommand, CliContext, ProgramWork } from './cli.ts';
import { Failure, InvalidArguments } from './errors.ts';
import * as option from './options.ts';
import { renderList, renderObject } from './output.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from './target.ts';

/** The columns of a list of tokens. */
export const TOKEN_COLUMNS = [
  'id',
  'kind',
  'name',
  'scopes',
  'advocate',
  'member_id',
  'created_at',
  'expires_at',
  'revoked_at',
] as const;
const SCOPE_DESCRIPTION = `what a program token allows; can be repeated (default: ${DEFAULT_SCOPES.join(', ')})`;
const UNKNOWN = 'No token of the program has the id in --id. Run `token list` to see its tokens.';
/** A hundred years. */
const MAX_DAYS = 36_500;
const EXPIRY = `days until the token expires, 1 to ${MAX_DAYS} (default: never)`;
const HOUR = 3600;
/** A year, the longest life of a token that the API creates. */
const MAX_HOURS = 8760;
const DEFAULT_HOURS = 12;

interface NewTokenOptions {
  readonly advocate?: string;
  readonly expiresInDays?: number;
  readonly scope?: readonly Scope[];
  readonly name?: string | null;
}

export function addTokenCommands(admin: AdminCommand, { clock, random }: CliContext): void {
  const token = admin.command('token').description('bearer tokens for the API');

  token
    .programCommand('create', 'create a token for a program or for one of its advocates; the token is shown only once')
    .option('--advocate <slug>', 'create the token for this advocate (default: for the program)', option.slug)
    .addOption(new Option('--scope <scope...>', SCOPE_DESCRIPTION).choices(SCOPES))
    .option('--name <name>', 'what the token is for', (text) => parseText('name', text, MAX_TOKEN_NAME))
    .option('--expires-in-days <days>', EXPIRY, option.whole('expires_in_days', MAX_DAYS))
    .examples(['token create --program ID', 'token create --program ID --advocate jane-doe --expires-in-days 90'])
    .onProgram(({ advocate: slug, expiresInDays: days, scope, name = null }: NewTokenOptions) => {
      if (scope && slug !== undefined)
        throw new InvalidArguments('Tokens of advocates have no scopes. Remove --scope.');
      const now = clock();
      const expiresAt = days === undefined ? null : seconds(secondOf(now) + days * DAY);
      return async ({ program, table }) => {
        const owner = slug === undefined ? null : await requireAdvocate(slug, program, table);
        const record = newToken(
          { name, ...(scope && { scopes: scope }), advocate: owner, expiresAt },
          uuidv7(now, random),
          secondOf(now),
        );
        const secret = makeToken(record.kind, random);
        if (owner === null) await createProgramToken(table, program.id, { token: secret, record });
        else await createToken(table, program, secret, record);
        const { id, kind, revoked_at: _, member_id: _member, ...more } = tokenFields(record);
        return renderObject({ id, kind, token: secret }, more, 'The token is shown only once: store it now.');
      };
    });

  token
    .programCommand('list', 'list the tokens of a program and its advocates, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const rows = (await listTokens(table, program.id)).map(tokenFields);
      return renderList(rows, TOKEN_COLUMNS, 'The program has no tokens yet. Run `token create` to create one.');
    });

  token
    .programCommand(
      'revoke',
      'revoke a token, or all tokens and sessions of an advocate; rejected everywhere within 30 seconds',
    )
    .option('--id <token-id>', 'id of the token, as shown by `token list`')
    .option('--advocate <slug>', 'revoke all tokens of this advocate', option.slug)
    .examples(['token revoke --program ID --id TOKEN_ID', 'token revoke --program ID --advocate jane-doe'])
    .onProgram(({ id, advocate: slug }: { readonly id?: string; readonly advocate?: string }) => {
      if (id !== undefined && slug === undefined) return (target) => revokeOne(id, target);
      if (id !== undefined || slug === undefined) throw new InvalidArguments('Give either --id or --advocate.');
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

/** A token as the command line prints it. */
export function tokenFields({ id, kind, name, scopes, advocateSlug, memberId, ...record }: TokenRecord) {
  const times = { created_at: record.createdAt, expires_at: record.expiresAt, revoked_at: record.revokedAt };
  return { id, kind, name, scopes, advocate: advocateSlug, member_id: memberId, ...times };
}

/** What a token is that expires after `lifetime` seconds. */
interface TemporaryToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly lifetime: number;
}

/** Creates a program token that expires. */
export async function createTemporaryToken(
  { clock, random }: Pick<CliContext, 'clock' | 'random'>,
  { program, table }: Parameters<ProgramWork>[0],
  { lifetime, ...draft }: TemporaryToken,
) {
  const now = clock();
  const expiresAt = seconds(secondOf(now) + lifetime);
  const record = newToken({ ...draft, expiresAt }, uuidv7(now, random), secondOf(now));
  const token = makeToken(record.kind, random);
  await createProgramToken(table, program.id, { token, record });
  return { token, record };
}

interface DashboardOptions extends BaseUrlOptions {
  readonly scope?: readonly Scope[];
  readonly expiresInHours: number;
}

export function addDashboardCommand(admin: AdminCommand, context: CliContext): void {
  withBaseUrl(admin.programCommand('dashboard', "print a link to the merchant's page, which signs in"))
    .addOption(
      new Option('--scope <scope...>', 'what the page may do; can be repeated (default: everything)').choices(SCOPES),
    )
    .option(
      '--expires-in-hours <hours>',
      `hours until the link and its session expire, 1 to ${MAX_HOURS}`,
      option.whole('expires_in_hours', MAX_HOURS),
      DEFAULT_HOURS,
    )
    .examples(
      [
        'dashboard --program ID',
        'dashboard --program ID --scope read track --expires-in-hours 1 --base-url https://api.example.com --json',
      ],
      `Anyone with the link can use the page. With the scope admin, the page exchanges its token when it
opens: its link ends within 30 seconds.`,
    )
    .onProgram(async ({ scope = SCOPES, expiresInHours: hours, baseUrl }: DashboardOptions) => {
      const page = await baseUrlOf(baseUrl, context.environment);
      return async (target) => {
        const draft = { name: 'dashboard', scopes: scope, lifetime: hours * HOUR };
        const { token, record } = await createTemporaryToken(context, target, draft);
        const { id, scopes, expiresAt } = record;
        return renderObject(
          { url: `${page}/dashboard#token=${token}`, id, scopes, expires_at: expiresAt },
          {},
          'Open the link now, and give it to nobody: it contains a token.',
        );
      };
    });
}
