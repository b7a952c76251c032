import type { Secret, SecretOwner } from '../../../functions/kernel/secrets/secrets.ts';
import type { IntegrationParts } from '../../../functions/webhooks/http/parts.ts';
import type { DeliveryMessage } from '../../../functions/webhooks/stream/destinations.ts';
import type { SendResult } from '../../../functions/webhooks/stream/send.ts';

const ADDRESSES: Readonly<Record<string, readonly string[]>> = { 'shop.example': ['1.1.1.1'] };
/** What happens to a sent event, by default a response with 204. */
const RECEIVED: SendResult = { status: 204, error: null, retryAfter: null };

/**
 * The parts of a service in memory. Each secret is an entry of its own, as in Parameter Store. Only `shop.example`
 * resolves.
 */
export class MemoryParts implements IntegrationParts {
  readonly isLocal: boolean;
  /** The secrets of each owner. */
  readonly stored = new Map<SecretOwner, readonly Secret[]>();
  messages: DeliveryMessage[] = [];
  sent: Parameters<IntegrationParts['send']>[] = [];
  /** The outcome of the next tests. */
  result = RECEIVED;
  /** Runs before a secret is added. */
  beforeAdd: () => Promise<unknown> = async () => undefined;

  constructor(isLocal = false) {
    this.isLocal = isLocal;
  }

  /** Forgets everything. */
  reset(): void {
    this.stored.clear();
    this.messages = [];
    this.sent = [];
    this.result = RECEIVED;
    this.beforeAdd = async () => undefined;
  }

  readonly resolve = async (name: string) => ADDRESSES[name] ?? [];

  readonly secrets: IntegrationParts['secrets'] = {
    read: async (owner) => (this.stored.get(owner) ?? []).toSorted((one, other) => other.createdAt - one.createdAt),
    add: async (owner, secret) => {
      await this.beforeAdd();
      const others = (this.stored.get(owner) ?? []).filter(({ value }) => value !== secret.value);
      this.stored.set(owner, [...others, secret]);
    },
    remove: async (owner, secrets) => {
      const values = new Set(secrets.map(({ value }) => value));
      const left = (this.stored.get(owner) ?? []).filter(({ value }) => !values.has(value));
      if (left.length > 0) this.stored.set(owner, left);
      else this.stored.delete(owner);
    },
  };

  readonly queue: IntegrationParts['queue'] = {
    send: async (messages) => {
      this.messages.push(...messages.map(({ message }) => message));
      return new Set();
    },
  };

  readonly send: IntegrationParts['send'] = async (...request) => {
    this.sent.push(request);
    return this.result;
  };
}
