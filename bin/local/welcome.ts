import type { Demo } from './demo/demo.ts';

/** The properties of a running service that its overview shows. */
export interface RunningService {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  readonly dataDir: string;
}

/** Returns the text that a start prints and that curl gets from `GET /`: links and tokens. */
export function welcome({ baseUrl, demo }: RunningService): string {
  return [
    `Overview:        ${baseUrl}`,
    ...(demo ? [`Demo site:       ${baseUrl}/demo?via=${demo.advocateSlug}`] : []),
    `API reference:   ${baseUrl}/docs`,
    '',
    ...(demo
      ? [
          `Program token:   ${demo.programToken}`,
          `Affiliate token: ${demo.affiliateToken}  (advocate ${demo.advocateSlug})`,
        ]
      : ['No demo programs: DEMO is off, or the table contains other programs.']),
    '',
    `Ready on ${baseUrl}`,
  ].join('\n');
}
