import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import type { EmailCause } from '../../../functions/people/rules/email-cause.ts';
import type { SentEmail } from '../mail.ts';
import { NONE } from '../network.ts';
import { simulate, type Tampering } from '../run.ts';
import type { ApiRequest, ApiResponse } from '../service.ts';
import type { Evidence } from './evidence.ts';

// A promise whose check can never fail proves nothing. Tests give worlds one fault each: a change after the end, or a
// response that lies.

/** Runs a small world without faults of the network. Returns the names of the promises that it broke. */
export async function brokenIn(tampering: Tampering): Promise<string[]> {
  return [...new Set((await violationsIn(tampering)).map((violation) => violation.split(':', 1)[0] ?? ''))];
}

/** Seeds of worlds: a fault is tried in one world after the other, until one has what the fault changes. */
const SEEDS = [63, 61, 65, 64];
const NOTHING = 'The world has nothing of the kind.';

export async function violationsIn(tampering: Tampering): Promise<readonly string[]> {
  for (const seed of SEEDS) {
    const { violations } = await simulate({ seed, callers: 19, calls: 900, faults: NONE }, tampering);
    const hasNothing = violations.some((violation) => violation.includes(NOTHING));
    if (violations.length > 0 && !hasNothing) return violations;
  }
  return [];
}

/** Replaces attributes of an item. */
export function change({ table }: Evidence, item: Item, attributes: Item): void {
  table.write([{ Item: { ...item, ...attributes } }]);
}

export const first = <Value>(values: Iterable<Value>, isWanted: (value: Value) => boolean): Value => {
  for (const value of values) if (isWanted(value)) return value;
  throw new Error(NOTHING);
};

/** The first item whose key matches a pattern, and that has an attribute. */
export const newest = ({ past }: Evidence, pattern: RegExp, attribute = 'pk'): Item =>
  first(past.newest(pattern), (item) => item[attribute] !== undefined);

/** Changes the first item whose key matches a pattern, and that has an attribute. */
export const item = (pattern: RegExp, changed: (before: Item) => Item, attribute?: string): Tampering => ({
  afterwards: (evidence) => {
    const before = newest(evidence, pattern, attribute);
    change(evidence, before, changed(before));
  },
});

export const plusOne = (name: string) => (before: Item) => ({ [name]: Number(before[name] ?? 0) + 1 });

/** Adds an email, similar to a sent one. */
export const emailLike = (
  kind: EmailCause['kind'],
  changed: (email: SentEmail, evidence: Evidence) => Partial<SentEmail>,
) => ({
  afterwards: (evidence: Evidence) => {
    const email = first(evidence.mail.sent, ({ cause }) => cause.kind === kind);
    evidence.mail.sent.push({ ...email, ...changed(email, evidence) });
  },
});

export type Response = NonNullable<Tampering['response']>;

export function onText(operation: ApiRequest['operation'], replace: (body: string) => string): Response {
  return (request, response) =>
    request.operation === operation ? { ...response, body: replace(response.body) } : response;
}

export function onData(
  operation: ApiRequest['operation'],
  replace: (data: readonly unknown[]) => readonly unknown[],
): Response {
  return onText(operation, (body) => {
    const { data = [], ...others } = JSON.parse(body);
    // A statement of one advocate is no list.
    return Array.isArray(data) ? JSON.stringify({ ...others, data: replace(data) }) : body;
  });
}

export function onStatus(operation: ApiRequest['operation'], from: number, to: number): Response {
  return (request, response): ApiResponse =>
    request.operation === operation && response.status === from ? { ...response, status: to } : response;
}
