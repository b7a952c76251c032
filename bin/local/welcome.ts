import { adminCommands, type Command, curlCommands } from './commands.ts';
import type { Demo } from './demo.ts';

/** The facts about a running service that the welcome shows. */
export interface Welcome {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  readonly dataDir: string;
}

/** The text that a start prints, and that `GET /` returns to curl: where everything is, and the lines to type next. */
export function welcome({ baseUrl, demo, dataDir }: Welcome): string {
  return [
    `Overview:      ${baseUrl}`,
    ...(demo ? [`Demo site:     ${baseUrl}/demo?via=${demo.advocateSlug}`] : []),
    `API reference: ${baseUrl}/docs`,
    '',
    ...(demo ? tokensOf(demo) : ['No demo program.', '']),
    ...linesOf(demo ? curlCommands(baseUrl, demo) : []),
    ...linesOf(adminCommands(dataDir, demo)),
    `Ready on ${baseUrl}`,
  ].join('\n');
}

function tokensOf({ programToken, affiliateToken, advocateSlug }: Demo): string[] {
  return [`Program token:   ${programToken}`, `Affiliate token: ${affiliateToken}  (advocate ${advocateSlug})`, ''];
}

function linesOf(commands: readonly Command[]): string[] {
  return commands.flatMap(({ title, line }) => [`${title}:`, line, '']);
}
