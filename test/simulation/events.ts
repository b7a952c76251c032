import type { SecretReader } from '../../functions/kernel/secrets/secrets.ts';
import type { EmailQueue } from '../../functions/people/stream/messages.ts';
import { emailQueuer, inTurn } from '../../functions/people/stream/queue-emails.ts';
import { deliverHandler } from '../../functions/webhooks/stream/deliver.ts';
import type { BusEvent } from '../../functions/webhooks/stream/destinations.ts';
import { publishHandler } from '../../functions/webhooks/stream/publish.ts';
import type { SendResult } from '../../functions/webhooks/stream/send.ts';
import { Instances, occurs, type Surroundings } from './instance.ts';
import type { Knowledge } from './knowledge.ts';
import { acceptedBy, SimulatedQueue } from './queue.ts';
import { Stream } from './stream.ts';
import type { Tenants } from './tenants.ts';

/** The limit of each request of the stream's functions to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;
/** A hanging receiver ends an attempt after this time, in milliseconds. */
const HANG = 15_000;
/** After a deletion, webhooks may be cached for 30 seconds, and an attempt may be under way. In milliseconds. */
const LATEST_ATTEMPT = 90_000;
const FAILURES: readonly SendResult[] = [
  { status: 500, error: null, retryAfter: null },
  { status: null, error: 'connection_failed', retryAfter: null },
  { status: 429, error: null, retryAfter: 60_000 },
];
const ACCEPTED: SendResult = { status: 204, error: null, retryAfter: null };

/** What the stream's functions use outside the table. */
interface Parts {
  readonly secrets: SecretReader;
  readonly emails: EmailQueue;
  readonly knowledge: Knowledge;
  readonly tenants: Tenants;
}

/** The stream's functions with everything around them: stream, queue, bus and receivers. */
export class Events {
  readonly #surroundings: Surroundings;
  readonly #knowledge: Knowledge;
  readonly #tenants: Tenants;
  readonly stream: Stream;
  readonly queue: SimulatedQueue;
  /** The ids of the events that each receiver got, by its URL. */
  readonly received = new Map<string, Set<string>>();
  /** The ids of the events on the bus, by program. */
  readonly onBus = new Map<string, Set<string>>();
  /** What could not be published or delivered. */
  readonly lost: unknown[] = [];

  constructor(surroundings: Surroundings, { secrets, emails, knowledge, tenants }: Parts) {
    this.#surroundings = surroundings;
    this.#knowledge = knowledge;
    this.#tenants = tenants;
    const publish = new Instances(surroundings, (connection) => {
      const table = connection.withLimit(REQUEST_LIMIT);
      const publishEvents = publishHandler({
        table,
        queue: this.queue,
        bus: { put: (events) => acceptedBy(surroundings, events, (event) => this.#putOnBus(event)) },
        addPoisonRecords: async (records) => {
          this.lost.push(...records);
          return new Set();
        },
      });
      return inTurn(emailQueuer({ table, queue: emails }), publishEvents);
    });
    const deliver = new Instances(surroundings, (connection) =>
      deliverHandler({
        table: connection.withLimit(REQUEST_LIMIT),
        retries: this.queue,
        deadLetters: {
          send: async (messages) => {
            this.lost.push(...messages);
            return new Set();
          },
        },
        secrets,
        send: (url, event) => this.receive(url, event),
      }),
    );
    this.queue = new SimulatedQueue(surroundings, (record) =>
      deliver.invoke((handle) => handle({ Records: [record] })),
    );
    this.stream = new Stream(surroundings, publish);
  }

  #putOnBus({ program, detail }: BusEvent): void {
    this.#check('bus', program, detail);
    const { id } = JSON.parse(detail) as { id: string };
    const ids = this.onBus.get(program) ?? new Set();
    this.onBus.set(program, ids.add(id));
  }

  #check(destination: string, program: string, body: string): void {
    const foreign = this.#tenants.foreignIn(body, program);
    if (foreign !== undefined) this.#knowledge.report('tenants', `${destination} got ${foreign}`);
  }

  /** The receivers of all webhooks. */
  receive = async (url: string, { id, body }: { readonly id: string; readonly body: string }): Promise<SendResult> => {
    const { world } = this.#surroundings;
    const webhook = this.#knowledge.webhooks.get(url);
    await world.pause(5 + world.chance.below(50));
    if (webhook?.deletedAt != null && world.now() > webhook.deletedAt + LATEST_ATTEMPT) {
      this.#knowledge.report('delay', `${url} got an event long after its deletion`);
    }
    if (occurs(this.#surroundings, 'receiver')) return world.chance.pick(FAILURES);
    if (webhook) this.#check(url, webhook.shop.program.id, body);
    this.received.set(url, (this.received.get(url) ?? new Set()).add(id));
    if (!occurs(this.#surroundings, 'receiver')) return ACCEPTED;
    await world.pause(HANG);
    return { status: null, error: 'timeout', retryAfter: null };
  };
}
