import { parseSlug } from '../../functions/domain/fields.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { parseWhole } from '../../functions/domain/program.ts';
import { DAY, type Seconds, secondOf, seconds } from '../../functions/domain/time.ts';
import { makeToken } from '../../functions/domain/token.ts';
import { createProgramToken } from '../../functions/table/operator/programs.ts';
import { listTokens, revokeToken } from '../../functions/table/operator/tokens.ts';
import { createToken, type TokenRecord } from '../../functions/table/tokens.ts';
import { type AdminCommand, type CliContext, decimal, PROGRAM, type ProgramOptions } from './cli.ts';
import { Failure } from './errors.ts';
import { requireAdvocate, requireProgram } from './lookup.ts';
import { renderList, renderObject, withOutput } from './output.ts';

/** A hundred years. */
const MAX_DAYS = 36_500;

/** Adds `token create`, `token list` and `token revoke`. */
export function addTokenCommands(admin: AdminCommand, { clock, random, onTable, output }: CliContext): void {
  const token = admin
    .command('token')
    .description('bearer tokens for the API')
    .examples(['token list --program ID', 'token create --help']);

  token
    .command('create')
    .description('create a token for a program or for one of its advocates; the token is shown only once')
    .requiredOption(...PROGRAM)
    .option('--advocate <slug>', 'create the token for this advocate (default: for the program)')
    .option('--expires-in-days <days>', `days until the token expires, 1 to ${MAX_DAYS} (default: never)`, decimal)
    .examples(['token create --program ID', 'token create --program ID --advocate jane-doe --expires-in-days 90'])
    .action(
      withOutput(output, (options: ProgramOptions & { advocate?: string; expiresInDays?: number }) => {
        const now = clock();
        const slug = options.advocate === undefined ? null : parseSlug('advocate', options.advocate);
        const record: TokenRecord = {
          id: uuidv7(now, random),
          kind: slug === null ? 'program' : 'affiliate',
          advocateSlug: slug,
          createdAt: secondOf(now),
          expiresAt: options.expiresInDays === undefined ? null : inDays(secondOf(now), options.expiresInDays),
          revokedAt: null,
        };
        return onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          if (slug !== null) await requireAdvocate(slug, program, table);
          const secret = makeToken(record.kind, random);
          if (slug === null) await createProgramToken(table, program.id, secret, record);
          else await createToken(table, program, secret, record);
          const { id, kind, advocate, created_at, expires_at } = tokenFields(record);
          return renderObject(
            { id, kind, token: secret },
            { advocate, created_at, expires_at },
            'The token is shown only once: store it now.',
          );
        });
      }),
    );

  token
    .command('list')
    .description('list the tokens of a program and its advocates, newest first, without their secrets')
    .requiredOption(...PROGRAM)
    .examples(['token list --program ID', 'token list --program ID --json'])
    .action(
      withOutput(output, (options: ProgramOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const records = await listTokens(table, program.id);
          return renderList(
            records.map(tokenFields),
            ['id', 'kind', 'advocate', 'created_at', 'expires_at', 'revoked_at'],
            'The program has no tokens yet. Run `token create` to create one.',
          );
        }),
      ),
    );

  token
    .command('revoke')
    .description('revoke a token; it is rejected everywhere within 30 seconds')
    .requiredOption(...PROGRAM)
    .requiredOption('--id <id>', 'id of the token, as shown by `token list`')
    .examples(['token revoke --program ID --id TOKEN_ID'])
    .action(
      withOutput(output, (options: ProgramOptions & { id: string }) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const now = secondOf(clock());
          const revoked = await revokeToken(table, program.id, options.id.toLowerCase(), now);
          if (!revoked) {
            throw new Failure('No token of the program has the id in --id. Run `token list` to see its tokens.');
          }
          return renderObject(tokenFields(revoked));
        }),
      ),
    );
}

function inDays(now: Seconds, days: number): Seconds {
  return seconds(now + parseWhole('expires_in_days', days, MAX_DAYS) * DAY);
}

function tokenFields(record: TokenRecord) {
  return {
    id: record.id,
    kind: record.kind,
    advocate: record.advocateSlug,
    created_at: record.createdAt,
    expires_at: record.expiresAt,
    revoked_at: record.revokedAt,
  };
}
