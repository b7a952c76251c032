import { setTimeout } from 'node:timers/promises';
import type { Table } from '../dynamodb/table.ts';

/** Time limit in milliseconds: outside AWS, the SDK asks an instance metadata service that may never respond. */
const LIMIT = 5000;

/** No AWS region is set. */
export class RegionMissing extends Error {}
/** The SDK finds no AWS credentials. */
export class CredentialsMissing extends Error {}

/** What other services of AWS need from the table's client. */
export interface AwsAccess {
  readonly region: string;
  readonly credentials: () => Promise<{
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  }>;
}

/** Returns the region and the credentials of the table's client. Check them first with `checkCredentials`. */
export function awsAccess(table: Table): Promise<AwsAccess> {
  return table.send(async ({ client: { config } }) => ({
    region: await config.region(),
    credentials: config.credentials,
  }));
}

/**
 * Checks that an AWS region and credentials are configured, so that the first request does not fail without a clear
 * cause. Throws `RegionMissing` or `CredentialsMissing`.
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
