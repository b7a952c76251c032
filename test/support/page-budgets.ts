import type { PageFile } from '../../functions/pages/http/static-file.ts';

/** The largest size in bytes of each whole file after gzip -9. */
export const PAGE_BYTES: Readonly<Record<PageFile, number>> = {
  script: 2300,
  portal: 44 * 1024,
  account: 44 * 1024,
  'portal-script': 1536,
  dashboard: 80 * 1024,
  llms: 2 * 1024,
};
