import { setTimeout } from 'node:timers/promises';
import type { Table } from '../table.ts';

/** Longest wait for AWS credentials in milliseconds: outside AWS, the SDK asks an address that may never respond. */
const LIMIT = 5000;

/** No AWS region is set. */
export class RegionMissing extends Error {}
/** There are no valid AWS credentials. */
export class CredentialsMissing extends Error {}

/**
 * Finds AWS region and credentials before the first request, so that a missing one is recognized. Throws `RegionMissing`
 * or `CredentialsMissing`.
 */
export function checkCredentials(table: Table): Promise<void> {
  return table.send(async ({ client: { config } }) => {
    await config.region().catch((cause: unknown) => {
      throw new RegionMissing('', { cause });
    });
    const found = config.credentials().then(
      () => true,
      () => false,
    );
    const limit = new AbortController();
    const late = setTimeout(LIMIT, false, { signal: limit.signal }).catch(() => false);
    const isFound = await Promise.race([found, late]).finally(() => limit.abort());
    if (!isFound) throw new CredentialsMissing();
  });
}
