import { Option } from 'commander';
import { uuidv7 } from '../../functions/domain/ids.ts';
import { parseWhole } from '../../functions/domain/numbers.ts';
import { secondOf, seconds } from '../../functions/domain/time.ts';
import { makeToken, newToken, SCOPES, type Scope } from '../../functions/domain/token.ts';
import { createProgramToken } from '../../functions/table/program-changes.ts';
import { type AdminCommand, type CliContext, decimal } from './cli.ts';
import { renderObject } from './output.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from './target.ts';

const HOUR = 3600;
/** A year, the longest life of a token that the API creates. */
const MAX_HOURS = 8760;
const DEFAULT_HOURS = 12;

interface DashboardOptions extends BaseUrlOptions {
  readonly scope?: readonly Scope[];
  readonly expiresInHours: number;
}

/** Adds `dashboard`. */
export function addDashboardCommand(admin: AdminCommand, { clock, random, environment }: CliContext): void {
  withBaseUrl(admin.programCommand('dashboard', "print a link to the merchant's page, which signs in"))
    .addOption(
      new Option('--scope <scope...>', 'what the page may do; can be repeated (default: everything)').choices(SCOPES),
    )
    .option(
      '--expires-in-hours <hours>',
      `hours until the link and its session expire, 1 to ${MAX_HOURS}`,
      decimal,
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
    .onProgram(async ({ scope, expiresInHours, baseUrl }: DashboardOptions) => {
      const page = await baseUrlOf(baseUrl, environment);
      const hours = parseWhole('expires_in_hours', expiresInHours, MAX_HOURS);
      return async ({ program, table }) => {
        const now = clock();
        const expiresAt = seconds(secondOf(now) + hours * HOUR);
        const draft = { name: 'dashboard', scopes: scope ?? SCOPES, expiresAt };
        const record = newToken(draft, uuidv7(now, random), secondOf(now));
        const token = makeToken(record.kind, random);
        await createProgramToken(table, program.id, { token, record });
        const { id, scopes } = record;
        return renderObject(
          { url: `${page}/dashboard#token=${token}`, id, scopes, expires_at: expiresAt },
          {},
          'Open the link now, and give it to nobody: it contains a token.',
        );
      };
    });
}
