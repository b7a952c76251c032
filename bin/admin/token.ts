import type { Command } from 'commander';
import { InvalidField } from '../../functions/domain/errors.ts';
import { parseSlug } from '../../functions/domain/fields.ts';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { DAY, type Seconds, secondOf, seconds } from '../../functions/domain/time.ts';
import { makeToken } from '../../functions/domain/token.ts';
import { createToken, listTokens, revokeToken, type TokenRecord } from '../../functions/table/operator/tokens.ts';
import type { CliContext } from './context.ts';
import { Failure } from './errors.ts';
import { advocateWith, programWith } from './lookup.ts';
import { decimal, examples, PROGRAM_OPTION, type ProgramOptions } from './options.ts';
import { many, one, withOutput } from './output.ts';

interface CreateOptions extends ProgramOptions {
  readonly advocate?: string;
  readonly expiresInDays?: number;
}

interface RevokeOptions extends ProgramOptions {
  readonly id: string;
}

/** A hundred years. */
const MAX_DAYS = 36_500;

/** Adds `token create`, `list` and `revoke`. */
export function addTokenCommands(admin: Command, session: CliContext): void {
  const token = admin
    .command('token')
    .description('bearer tokens of the API')
    .addHelpText('after', examples('token list --program ID', 'token create --help'));
  addCreate(token, session);
  addList(token, session);
  addRevoke(token, session);
}

function addCreate(token: Command, { clock, random, onTable, write }: CliContext): void {
  token
    .command('create')
    .description("make a token: the program's, or one of its advocates'; it is shown this once")
    .requiredOption(...PROGRAM_OPTION)
    .option('--advocate <slug>', "make this advocate's token (else the program's)")
    .option('--expires-in-days <days>', `days until it ends, 1 to ${MAX_DAYS} (else never)`, decimal)
    .addHelpText(
      'after',
      examples('token create --program ID', 'token create --program ID --advocate jane-doe --expires-in-days 90'),
    )
    .action(
      withOutput(write, (options: CreateOptions) => {
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
          const program = await programWith(options.program, table);
          if (slug !== null) await advocateWith(slug, '--advocate', program, table);
          const secret = makeToken(record.kind, random);
          await createToken(table, program, secret, record);
          const { advocate, created_at, expires_at } = tokenFields(record);
          return one(
            { id: record.id, kind: record.kind, token: secret },
            { advocate, created_at, expires_at },
            'The token is shown this once: store it now.',
          );
        });
      }),
    );
}

function inDays(now: Seconds, days: number): Seconds {
  if (!(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)) {
    throw new InvalidField('expires-in-days', `must be a whole number from 1 to ${MAX_DAYS}`);
  }
  return seconds(now + days * DAY);
}

function addList(token: Command, { onTable, write }: CliContext): void {
  token
    .command('list')
    .description('list the tokens of a program and its advocates, newest first; never the tokens themselves')
    .requiredOption(...PROGRAM_OPTION)
    .addHelpText('after', examples('token list --program ID', 'token list --program ID --json'))
    .action(
      withOutput(write, (options: ProgramOptions) =>
        onTable(async (table) => {
          const program = await programWith(options.program, table);
          const records = await listTokens(table, program.id);
          return many(
            records.map(tokenFields),
            ['id', 'kind', 'advocate', 'created_at', 'expires_at', 'revoked_at'],
            'The program has no tokens yet: token create makes one.',
          );
        }),
      ),
    );
}

function addRevoke(token: Command, { clock, onTable, write }: CliContext): void {
  token
    .command('revoke')
    .description('end a token, within 30 seconds everywhere')
    .requiredOption(...PROGRAM_OPTION)
    .requiredOption('--id <id>', 'id of the token, as token list shows it')
    .addHelpText('after', examples('token revoke --program ID --id TOKEN_ID'))
    .action(
      withOutput(write, (options: RevokeOptions) =>
        onTable(async (table) => {
          const program = await programWith(options.program, table);
          const now = secondOf(clock());
          const revoked = await revokeToken(table, program.id, options.id.toLowerCase(), now);
          if (!revoked) {
            throw new Failure('The program has no token with the id in --id: token list shows them all.');
          }
          return one(tokenFields(revoked));
        }),
      ),
    );
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
