import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

export interface EngineAddress {
  readonly host: string;
  readonly port: number;
}

/** Ports that browsers block (https://fetch.spec.whatwg.org/#port-blocking), except 4190 and 6679 for Chromium. */
export const BLOCKED_PORTS: readonly number[] = [
  1719, 1720, 1723, 2049, 3659, 4045, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 10080,
];

/**
 * Returns a free address for the engine, which accepts any origin: browsers block its port, and pages cannot find a
 * random host in 127.0.0.0/8. Systems such as macOS have only the first guard. Throws one sentence if no port is free.
 */
export async function freeEngineAddress(
  hosts: readonly string[] = [randomHost(), '127.0.0.1'],
): Promise<EngineAddress> {
  const first = randomInt(BLOCKED_PORTS.length);
  const ports = [...BLOCKED_PORTS.slice(first), ...BLOCKED_PORTS.slice(0, first)];
  for (const host of hosts) {
    for (const port of ports) {
      if (await isFree(host, port)) return { host, port };
    }
  }
  throw new Error(
    `The embedded DynamoDB engine has no free port. It uses only ports that browsers block. Free one of them: ${BLOCKED_PORTS.join(', ')}.`,
  );
}

function randomHost(): string {
  return `127.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
}

async function isFree(host: string, port: number): Promise<boolean> {
  await using server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
    return true;
  } catch {
    return false;
  }
}
