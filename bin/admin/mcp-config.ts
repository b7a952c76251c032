import { DAY } from '../../functions/kernel/time.ts';
import type { AdminCommand, CliContext } from './cli.ts';
import * as option from './options.ts';
import { type BaseUrlOptions, baseUrlOf, withBaseUrl } from './target.ts';
import { createTemporaryToken } from './token.ts';

/** A year. */
const MAX_DAYS = 365;
const DEFAULT_DAYS = 90;

interface McpConfigOptions extends BaseUrlOptions {
  readonly expiresInDays: number;
}

export function addMcpConfigCommand(admin: AdminCommand, context: CliContext): void {
  const { environment, errors } = context;
  withBaseUrl(admin.programCommand('mcp-config', 'print how an assistant connects, with a new token that only reads'))
    .option(
      '--expires-in-days <days>',
      `days until the token expires, 1 to ${MAX_DAYS}`,
      option.whole('expires_in_days', MAX_DAYS),
      DEFAULT_DAYS,
    )
    .examples(
      ['mcp-config --program ID', 'mcp-config --program ID --base-url https://api.example.com --expires-in-days 30'],
      `The output has the form of .mcp.json, a file that clients of the Model Context Protocol read.
Anyone with the token can read the program. docs/assistants.md lists what an assistant can answer.`,
    )
    .onProgram(async ({ expiresInDays: days, baseUrl }: McpConfigOptions) => {
      const url = `${await baseUrlOf(baseUrl, environment)}/mcp`;
      return async (target) => {
        const { token, record } = await createTemporaryToken(context, target, {
          name: 'mcp',
          scopes: ['read'],
          lifetime: days * DAY,
        });
        const headers = { Authorization: `Bearer ${token}` };
        const json = { mcpServers: { referrals: { type: 'http', url, headers } } };
        const revoke = `token revoke --program ${target.program.id} --id ${record.id}`;
        // Clients read stdout.
        errors.write(
          `Paste the entry "referrals" into the configuration of your client. It contains a token, which is shown only once. To revoke the token, run \`${revoke}\`.\n`,
        );
        return { json, text: () => JSON.stringify(json, undefined, 2) };
      };
    });
}
