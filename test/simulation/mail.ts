import { Unavailable } from '../../functions/kernel/errors.ts';
import type { EmailCause, EmailQueueName } from '../../functions/people/rules/email-cause.ts';
import { mailHandler } from '../../functions/people/stream/mail.ts';
import { type EmailMessage, type EmailQueue, parseEmailMessage } from '../../functions/people/stream/messages.ts';
import type { OutgoingEmail, SendEmail } from '../../functions/people/stream/outgoing.ts';
import { Instances, occurs, type Surroundings } from './instance.ts';
import type { Knowledge } from './knowledge.ts';
import { acceptedBy, type QueueRecord, SimulatedQueue } from './queue.ts';
import type { Tenants } from './tenants.ts';

/** The limit of each request of `mail` to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;

/** An email that was sent, or may have been. */
export interface SentEmail extends Pick<OutgoingEmail, 'to' | 'text'> {
  readonly program: string;
  readonly cause: EmailCause;
  /** When `mail` began to read what the email says, and when it sent it. In milliseconds. */
  readonly readFrom: number;
  readonly sentAt: number;
  readonly hasArrived: boolean;
  /** True once an attacker has read it, or the recipient has used its code. */
  isStolen: boolean;
  isUsed: boolean;
}

/** The queues of emails, `mail`, and the mailbox of everybody. */
export class Mail {
  readonly #surroundings: Surroundings;
  readonly #knowledge: Knowledge;
  readonly #tenants: Tenants;
  readonly #queues: Readonly<Record<EmailQueueName, SimulatedQueue>>;
  readonly sent: SentEmail[] = [];
  readonly deadLetters: string[] = [];

  constructor(surroundings: Surroundings, knowledge: Knowledge, tenants: Tenants) {
    this.#surroundings = surroundings;
    this.#knowledge = knowledge;
    this.#tenants = tenants;
    const mail = new Instances(surroundings, (connection, crash) => {
      const table = connection.withLimit(REQUEST_LIMIT);
      const common = { table, baseUrl: 'https://api.example', leavesMachine: true };
      return (record: QueueRecord) => {
        const message = parseEmailMessage(record.body);
        const readFrom = surroundings.world.now();
        return mailHandler({
          ...common,
          send: (email) => this.#send(email, { ...message, readFrom, crash }),
          hide: (queue, handle, seconds) => this.#queues[queue].extendVisibility(handle, seconds),
          addDeadLetters: async (bodies) => this.deadLetters.push(...bodies),
        })({ Records: [record] });
      };
    });
    const queue = () => new SimulatedQueue(surroundings, (record) => mail.invoke((handle) => handle(record)));
    this.#queues = { links: queue(), others: queue() };
  }

  readonly queue: EmailQueue = {
    send: async (name, messages) => {
      const queue = this.#queues[name];
      const refused = await acceptedBy(this.#surroundings, messages, (message) => queue.add(JSON.stringify(message)));
      if (refused.size > 0) throw new Unavailable(undefined, 'MessageRefused');
    },
  };

  /** The last unused email of a kind that arrived at an address since a moment, in milliseconds. */
  last(kind: EmailCause['kind'], to: string, { program, since = 0 }: { program: string; since?: number }) {
    return this.sent.findLast(
      (email) =>
        email.cause.kind === kind &&
        email.to === to &&
        email.program === program &&
        email.sentAt >= since &&
        email.hasArrived &&
        !email.isUsed,
    );
  }

  async #send(
    email: OutgoingEmail,
    { program, cause, readFrom, crash }: EmailMessage & { readonly readFrom: number; readonly crash: () => void },
  ): ReturnType<SendEmail> {
    const { chance, pause, now } = this.#surroundings.world;
    await pause(5 + chance.below(200));
    const isFaulty = occurs(this.#surroundings, 'mailbox');
    const outcome = isFaulty ? chance.pick(['refused', 'unknown', 'crashed'] as const) : 'sent';
    if (outcome === 'refused') return outcome;
    // Without an answer, an email may have arrived.
    const hasArrived = outcome === 'sent' || chance.happens(0.5);
    const { to, text } = email;
    this.sent.push({ program, cause, to, text, readFrom, sentAt: now(), hasArrived, isStolen: false, isUsed: false });
    const foreign = this.#tenants.foreignIn(JSON.stringify(email), program);
    if (foreign !== undefined) this.#knowledge.report('tenants', `An email contains ${foreign}`);
    if (outcome !== 'crashed') return outcome;
    crash();
    return new Promise(() => undefined);
  }
}
