import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook as Verifier } from 'standardwebhooks';
import { portOf } from '../../../bin/local/engine.ts';
import { readService, ServiceFile } from '../../../bin/service/service-file.ts';
import { webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import { newWebhook } from '../../../functions/webhooks/rules/webhook.ts';
import { createWebhook } from '../../../functions/webhooks/table/program-webhooks.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../program.ts';
import type { Started } from '../start.ts';
import { openTable } from '../table.ts';

const SECRET = `whsec_${Buffer.alloc(24, 'a').toString('base64')}`;

/** A delivery that a receiver got. */
export interface Received {
  /** The header `webhook-id`. */
  readonly id: string;
  readonly type: string;
  /** When it arrived, in milliseconds since 1970. */
  readonly at: number;
}

/** A receiver of events on this machine. It verifies every delivery. */
export class VerifyingReceiver {
  readonly received: Received[] = [];
  /** What is wrong with the deliveries so far. */
  readonly faults: unknown[] = [];
  /** The secret that it verifies with. */
  secret = SECRET;
  /** If true, it accepts deliveries but never responds. */
  isHanging = false;
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer(async (request, response) => {
    this.#handle(await text(request), String(request.headers['webhook-id']), request.headers, response);
  });

  /** Starts to listen. Resolves to the URL. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${portOf(this.#server)}/events`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Resolves once a delivery with this id has arrived, `times` times in all. */
  async waitFor(id: string, times = 1): Promise<void> {
    while (this.received.filter((delivery) => delivery.id === id).length < times) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  #handle(body: string, id: string, headers: NodeJS.Dict<string | string[]>, response: ServerResponse): void {
    try {
      new Verifier(this.secret).verify(
        body,
        Object.fromEntries(Object.entries(headers).map(([k, v]) => [k, String(v)])),
      );
    } catch (error) {
      this.faults.push(error);
    }
    if (!this.isHanging) response.writeHead(204).end();
    this.received.push({ id, type: JSON.parse(body).type, at: Date.now() });
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}

/** A program with a webhook for all events, in the table of a service that runs. It survives restarts. */
export interface EventScene {
  readonly program: string;
  readonly webhook: string;
  readonly token: string;
  readonly slug: string;
}

/** The table of a running service. */
export function tableOf(dataDir: string) {
  const { endpoint, tableName = '' } = readService(dataDir) ?? {};
  return openTable(tableName, endpoint);
}

/** Stores a program, an advocate and a webhook for all events. */
export async function anEventScene(dataDir: string, url: string): Promise<EventScene> {
  const table = tableOf(dataDir);
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  const webhook = newWebhook({ url, events: [...EVENT_TYPES], includeEmail: false }, newId(), now(), true);
  const secret = { value: SECRET, createdAt: table.clock() };
  using file = new ServiceFile(dataDir);
  await file.secrets.add(webhookOwner(program.id, webhook.id), secret);
  await createWebhook(table, program.id, webhook);
  const token = await aToken(table, program);
  table.client.destroy();
  return { program: program.id, webhook: webhook.id, token, slug: advocate.slug };
}

/** Sends a request to a service with the program's token. Returns `data` of the response. */
export async function change({ url }: Pick<Started, 'url'>, { token }: EventScene, path: string, body: object) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  const { data } = JSON.parse(await response.text());
  return data;
}

let customers = 0;

/** Reports a conversion. Returns the customer's email and the id of the event. */
export async function convert(started: Pick<Started, 'url'>, scene: EventScene) {
  customers += 1;
  const email = `customer-${customers}-${newId()}@example.com`;
  const { id } = await change(started, scene, '/v2/tracking/conversion', { email, affiliate_slug: scene.slug });
  return { email, id: String(id), event: `${id}.1` };
}
