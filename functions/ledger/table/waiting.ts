import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { paymentKey } from '../../kernel/dynamodb/keys.ts';
import type { EvaluableCondition } from '../../kernel/dynamodb/writes.ts';
import { number, texts, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { DAY, type Seconds } from '../../kernel/time.ts';
import { MAX_LINKS, mergeFacts, type ProviderFact } from '../rules/provider-reports.ts';
import { parseFacts, toFacts } from './payment-item.ts';

/** How long a refund, a dispute or a link waits for its payment, in seconds (docs/contract/stripe.md). */
const KEPT_FOR = 30 * DAY;
/** How many invoices of a payment intent are remembered. It pays several from the second one on. */
const MAX_INVOICES = 20;

/**
 * What Stripe has reported of an id that is not the id of a payment: of a payment intent, of a charge without one, or of
 * an invoice that is not known yet.
 */
export interface Waiting {
  readonly id: string;
  /** The invoices that the payment intent or charge pays. */
  readonly pays: readonly string[];
  /** The payment intents and charges that pay the invoice. */
  readonly paidBy: readonly string[];
  /** The refunds and disputes that wait for the payment. */
  readonly facts: readonly ProviderFact[];
  /** How many refunds and disputes wait at most in the payment intents and charges that pay the invoice. */
  readonly factCount: number;
  /** True if it pays an invoice that is known: then it does not expire. */
  readonly isKept: boolean;
  /** Number of writes, for optimistic locking; 0 if there is no item. */
  readonly version: number;
}

/** Parses the item of an id that is not the id of a payment. DynamoDB deletes expired items late. */
export function parseWaiting(id: string, item: Item | undefined, now: Seconds): Waiting {
  const nothing = { id, pays: [], paidBy: [], facts: [], factCount: 0, isKept: false };
  if (!item) return { ...nothing, version: 0 };
  const version = required(item, 'version', number);
  const expiry = optional(item, 'expires_at', wholeSeconds);
  if (expiry !== null && expiry <= now) return { ...nothing, version };
  return {
    id,
    pays: optional(item, 'pays', texts) ?? [],
    paidBy: optional(item, 'paid_by', texts) ?? [],
    facts: optional(item, 'facts', parseFacts) ?? [],
    factCount: optional(item, 'fact_count', number) ?? 0,
    isKept: expiry === null,
    version,
  };
}

/** True if Stripe has reported nothing of the id, or too long ago. */
export function isEmpty({ pays, paidBy, facts }: Waiting): boolean {
  return pays.length + paidBy.length + facts.length === 0;
}

/** Adds what an event has reported, as far as there is room. Returns the same object if nothing changes. */
export function addTo(before: Waiting, added: Partial<Pick<Waiting, 'pays' | 'paidBy' | 'facts'>>): Waiting {
  const pays = union(before.pays, MAX_INVOICES, added.pays);
  const paidBy = union(before.paidBy, MAX_LINKS, added.paidBy);
  const facts = mergeFacts(before.facts, added.facts ?? []);
  const isSame = pays === before.pays && paidBy === before.paidBy && facts === before.facts;
  return isSame ? before : { ...before, pays, paidBy, facts };
}

function union(known: readonly string[], limit: number, added: readonly string[] = []): readonly string[] {
  const others = added.filter((id) => !known.includes(id)).slice(0, Math.max(0, limit - known.length));
  return others.length === 0 ? known : [...known, ...others];
}

/** Builds the item after a change. */
export function toWaitingItem(program: string, { id, isKept, ...waiting }: Waiting, now: Seconds): Item {
  return {
    ...paymentKey(program, id),
    ...(waiting.pays.length > 0 && { pays: waiting.pays }),
    ...(waiting.paidBy.length > 0 && { paid_by: waiting.paidBy }),
    ...(waiting.facts.length > 0 && { facts: toFacts(waiting.facts) }),
    ...(waiting.factCount > 0 && { fact_count: waiting.factCount }),
    ...(!isKept && { expires_at: now + KEPT_FOR }),
    version: waiting.version + 1,
  };
}

/** The condition that the item was not written since it was read. */
export function sameAs({ version }: { readonly version: number }): EvaluableCondition {
  return version === 0 ? NOT_EXISTS : unchangedSince({ version });
}
