import { uuidv7 } from '../../../functions/kernel/ids.ts';
import type { CommandLine } from '../command-line.ts';
import type { KeyedConversion, Knowledge } from '../knowledge.ts';
import type { Mail } from '../mail.ts';
import type { ApiRequest, ApiResponse, Service } from '../service.ts';
import type { Shop, SpareShop } from '../shops.ts';
import type { World } from '../world.ts';

/** Everything that a caller uses. */
export interface CallerContext {
  readonly world: World;
  readonly service: Service;
  readonly commandLine: CommandLine;
  readonly mail: Mail;
  readonly shops: readonly Shop[];
  /** A program that none of the others uses. */
  readonly spare: SpareShop;
  readonly knowledge: Knowledge;
  /** The caller's number in this part of the world, from 0. */
  readonly index: number;
  /** Distinguishes the data of this caller in this part of the world. Callers of two programs have the same names. */
  readonly name: string;
  /** True once enough calls were made, or a promise is broken. */
  readonly isOver: () => boolean;
}

/** A final response. */
export interface Answer extends ApiResponse {
  /** False if an earlier request may have had an effect: it was not answered, or failed. */
  readonly isFirst: boolean;
}

/** The responses that every caller retries, as the documents say: none, 429 and 5xx. */
const isFinal = ({ status }: ApiResponse) => status !== 429 && status < 500;

/** After a revocation, tokens may be cached for 30 seconds, by a clock that jumps. In milliseconds. */
export const CACHED = 36_000;

/** A caller gives up after so many requests, which take an hour. No fault of the network lasts so long. */
const MAX_ATTEMPTS = 100;

/** A request was never answered, which was reported. It ends the caller. */
export class NoAnswer extends Error {}

/** Sends a request until it has a final response, as a merchant's server does. Throws `NoAnswer`. */
export async function untilFinal(
  context: CallerContext,
  request: ApiRequest,
  /** Builds the request of each attempt, if they differ. */
  build = () => request,
): Promise<Answer> {
  const { world, service, knowledge } = context;
  let pause = 50;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const response = await service.call(build());
    if (response && isFinal(response)) return { ...response, isFirst: attempt === 1 };
    if (response !== undefined && response.status !== 503 && response.status !== 429) {
      knowledge.report('status', `${request.operation} returned ${response.status}: ${response.body}`);
    }
    await world.pause(world.chance.below(pause));
    pause = Math.min(pause * 2, 5000);
  }
  knowledge.report('progress', `${request.operation} was not answered in ${MAX_ATTEMPTS} attempts`);
  throw new NoAnswer();
}

/** Reports a response whose status is not one of the expected ones. Returns true if it is. */
export function isExpected(
  { knowledge }: CallerContext,
  { operation }: ApiRequest,
  { status, body }: ApiResponse,
  expected: readonly number[],
): boolean {
  const isKnown = expected.includes(status);
  if (!isKnown) knowledge.report('status', `${operation} returned ${status}: ${body}`);
  return isKnown;
}

/** Reports a conflict with a write that only this caller can have made, unless an earlier request may have made it. */
export function reportConflict({ knowledge }: CallerContext, operation: string, { status, isFirst }: Answer): void {
  if (status === 409 && isFirst) knowledge.report('own-conflict', `The first ${operation} of new values returned 409`);
}

/** Builds a request of the merchant's server. */
export function post(shop: Shop, operation: ApiRequest['operation'], body: object, headers = {}): ApiRequest {
  return { operation, shop, token: shop.programToken, headers, body: JSON.stringify(body) };
}

/** Builds a request of the merchant's server with parameters of the path. */
export function at(
  shop: Shop,
  operation: ApiRequest['operation'],
  parameters: Readonly<Record<string, string>>,
  body?: object,
): ApiRequest {
  return { operation, shop, token: shop.programToken, parameters, ...(body && { body: JSON.stringify(body) }) };
}

/** The shop that a caller works for. Callers of different shops have the same names. */
export function shopOf({ shops, index }: CallerContext): Shop {
  return shops[index % shops.length] ?? fail();
}

function fail(): never {
  throw new RangeError('There are no shops.');
}

/** The advocates of a shop, and those whom its callers put into groups. */
export const advocatesOf = ({ knowledge }: CallerContext, shop: Shop): readonly { readonly slug: string }[] => [
  ...shop.advocates,
  ...knowledge.members.filter((member) => member.shop === shop),
];

/** Records a click on a link of a shop, by default of any of its advocates. Returns its `gr_id`; the click may not exist, because pages do not try for long. */
export async function click(
  context: CallerContext,
  shop: Shop,
  { slug } = context.world.chance.pick(advocatesOf(context, shop)),
): Promise<string> {
  const { world, service, knowledge } = context;
  const grId = `${slug}.${uuidv7(world.now(), world.chance.bytes)}`;
  const body = JSON.stringify({ pk: shop.program.publicKey, gr_id: grId });
  const request: ApiRequest = { operation: 'trackClick', shop, body };
  // A page sends a click once, and once more on the next page if there was no response.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const response = await service.call(request);
    if (!response || !isFinal(response)) continue;
    isExpected(context, request, response, [204]);
    if (attempt === 0 && response.headers['x-click'] === 'known') {
      knowledge.report('own-conflict', 'A new click is known to the service');
    }
    break;
  }
  knowledge.lastClick = grId;
  return grId;
}

/** Idempotency records are kept for 7 days. Requests, retries and clocks need less than an hour. In milliseconds. */
const KEY_IS_VALID = 6.9 * 86_400_000;

/** Notes the first response to a conversion with a key; `undefined` if it has none or failed. */
export function keyedConversion(
  { world }: CallerContext,
  request: ApiRequest,
  { status, body }: ApiResponse,
): KeyedConversion | undefined {
  const isKeyed = status === 201 && request.headers?.['idempotency-key'] !== undefined;
  return isKeyed ? { request, body, validUntil: world.now() + KEY_IS_VALID } : undefined;
}

/** Repeats a conversion with its key, which returns the first response, whatever happened since, except an erasure. */
export async function repeat(context: CallerContext, conversion: KeyedConversion | undefined): Promise<void> {
  if (!conversion || context.world.now() > conversion.validUntil) return;
  const { status, body } = await untilFinal(context, conversion.request);
  if (body !== conversion.body) context.knowledge.report('own-conflict', `A replay returned ${status}: ${body}`);
}
