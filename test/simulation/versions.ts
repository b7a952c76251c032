import { isDeepStrictEqual } from 'node:util';
import { entryCount } from '../../functions/referrals/rules/history.ts';
import { isErased, type Referral } from '../../functions/referrals/rules/referral.ts';
import type { Change } from './fake/table.ts';
import { rowOf } from './invariants/rows.ts';
import type { PromiseName } from './knowledge.ts';
import type { ApiRequest, ApiResponse } from './service.ts';

/** A row as it was stored once, and the instance whose request stored it. */
interface Version {
  readonly number: number;
  readonly writer: object | undefined;
  readonly program: string;
  readonly referral: Referral;
}

/** A call that ended, whether or not its caller gets the response. */
export interface Call {
  readonly request: ApiRequest;
  /** `undefined` if the function crashed. */
  readonly response: ApiResponse | undefined;
  /** `Versions.count` when it began. */
  readonly since: number;
  /** The instance that carried it out. */
  readonly writer: object | undefined;
}

/** Events of Stripe that a response may confirm although they change no row. */
const ABOUT_OTHERS: readonly unknown[] = [
  ...['charge.refunded', 'invoice_payment.paid', 'charge.dispute.funds_withdrawn', 'charge.dispute.funds_reinstated'],
  ...['promotion_code.created', 'promotion_code.updated'],
];

/** A broken promise, and how it was broken. */
type Problem = readonly [PromiseName, string];

/**
 * All versions of all rows. They show what each call changed. Because a row is never rewritten, what a call added is
 * still there at the end.
 */
export class Versions {
  readonly #all: Version[] = [];
  readonly #byId = new Map<string, Version[]>();

  get count(): number {
    return this.#all.length;
  }

  /** Notes a change of the table. Returns the promise that it broke. */
  add({ before, after }: Change, writer: object | undefined): Problem | undefined {
    if (after?.['sk'] !== 'REFERRAL') return undefined;
    const { program, referral } = rowOf(after);
    const version = { number: this.count, writer, program, referral };
    this.#all.push(version);
    const { id } = referral;
    const known = this.#byId.get(id);
    if (known) known.push(version);
    else this.#byId.set(id, [version]);
    // Tests change items without a writer.
    const isKept = !before || !writer || continues(rowOf(before).referral, referral);
    return isKept ? undefined : ['history', `A write changed the history of ${id} instead of adding to it`];
  }

  /** Returns the promise that a call broke: it changed a row twice, or differently from what its response says. */
  problemOf({ request, response, since, writer }: Call): Problem | undefined {
    const own = this.#all.slice(since).filter((version) => version.writer === writer);
    const { operation } = request;
    if (own.length > 1) return ['acknowledged', `One ${operation} changed ${own.length} times`];
    if (!response || response.status >= 500) return undefined;
    const { status, body } = response;
    if (status >= 400) {
      return own.length === 0 ? undefined : ['refused', `${operation} returned ${status}, and changed a referral`];
    }
    const isTrue = this.#isTrue({ request, response, since, writer }, own[0]);
    return isTrue ? undefined : ['acknowledged', `${operation} returned ${status}, but this never was: ${body}`];
  }

  /** True if a successful response describes what the call wrote; if it wrote nothing, what was there before it. */
  #isTrue(call: Call & { readonly response: ApiResponse }, own: Version | undefined): boolean {
    const { request, response } = call;
    const asked = JSON.parse(request.body ?? '{}');
    switch (request.operation) {
      case 'setState':
      case 'reassignReferral': {
        const { data } = JSON.parse(response.body);
        return (own ? [own] : this.#during(data.id, call.since)).some(
          ({ referral }) =>
            isDescribed(referral, data) &&
            (asked.state ?? referral.state) === referral.state &&
            (asked.affiliate_slug ?? referral.advocateSlug) === referral.advocateSlug,
        );
      }
      case 'eraseCustomer':
        return own ? isErased(own.referral) : this.#erasedDuring(call, asked);
      case 'trackConversionV1':
      case 'trackConversionV2': {
        // Pages get no data.
        if (response.status !== 201) return true;
        const { data } = JSON.parse(response.body);
        const isReplay = response.headers['idempotent-replayed'] === 'true';
        const versions = isReplay ? (this.#byId.get(data.id) ?? []) : [];
        return (own ? [own] : versions).some(({ referral }) => isDescribed(referral, data));
      }
      case 'receiveStripeEvent': {
        const { applied } = JSON.parse(response.body);
        // Refunds, disputes, links and codes leave the state as it is.
        return applied === undefined || own?.referral.state === applied || (!own && ABOUT_OTHERS.includes(asked.type));
      }
      default:
        return true;
    }
  }

  /** The versions of a row that were the stored one at some moment since a call began. */
  #during(id: string, since: number): Version[] {
    const versions = this.#byId.get(id) ?? [];
    const first = versions.findLastIndex(({ number }) => number < since);
    return versions.slice(Math.max(first, 0));
  }

  /** True if another call erased the customer of a reference since the call began, or the referral was erased before. */
  #erasedDuring({ request, since }: Call, { id, email }: { readonly id?: string; readonly email?: string }): boolean {
    for (const [known, versions] of this.#byId) {
      if (versions[0]?.program !== request.shop.program.id) continue;
      const recent = this.#during(known, since);
      const isMeant = id === known || recent.some(({ referral }) => referral.email === email);
      if (isMeant && recent.some(({ referral }) => isErased(referral))) return true;
    }
    return false;
  }
}

/** True if a version has the whole history of the previous one, except for dropped entries, and is newer. */
function continues(before: Referral, after: Referral): boolean {
  const kept = after.history.length - (entryCount(after) - entryCount(before));
  return (
    after.version > before.version &&
    kept > 0 &&
    isDeepStrictEqual(after.history.slice(0, kept), before.history.slice(-kept))
  );
}

function isDescribed(
  { id, state, stateSetAt, updatedAt }: Referral,
  data: { readonly id: string; readonly attributes: Readonly<Record<string, unknown>> },
): boolean {
  const { attributes } = data;
  const times = attributes['state_set_at'] === stateSetAt && attributes['updated_at'] === updatedAt;
  return id === data.id && state === attributes['state'] && times;
}
