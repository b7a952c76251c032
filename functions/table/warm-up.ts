import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { milliseconds } from '../domain/time.ts';
import { tokenKey } from './keys.ts';
import type { Table } from './table.ts';

/** Longest warm-up in milliseconds. It usually takes some 50; Lambda gives the initialization 10 seconds. */
const LIMIT = 2000;

/**
 * Reads an item that never exists, so that the first request finds credentials, connection, TLS session and the SDK's
 * code ready. Every function may read items, and the read costs half a unit. A failure is ignored: the first request
 * tries again and reports what is wrong.
 */
export async function warmUp(table: Table): Promise<void> {
  const command = new GetCommand({ TableName: table.name, Key: tokenKey('') });
  const deadline = milliseconds(table.clock() + LIMIT);
  await table.ask(deadline, (within) => table.client.send(command, within)).catch(() => undefined);
}
