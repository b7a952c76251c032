import type { AttributionTarget } from './advocate.ts';
import type { Program } from './program.ts';
import { type Actor, assertSettable, isAllowed, type State, type StateEntry } from './state.ts';
import { addCalendarMonths, DAY, LAST_SECOND, later, type Seconds, seconds } from './time.ts';

/** A click or a customer referred by an advocate. Invariant: `createdAt <= stateSetAt <= updatedAt`. */
export interface Referral {
  /** UUIDv7. A click that converts keeps its id. */
  readonly id: string;
  readonly advocateSlug: string;
  readonly email: string | null;
  /** The merchant's own id of the customer. */
  readonly customerUid: string | null;
  readonly state: State;
  readonly stateSetAt: Seconds;
  readonly createdAt: Seconds;
  readonly updatedAt: Seconds;
  /** `null` if it was never converted. */
  readonly convertedAt: Seconds | null;
  readonly subId: string | null;
  /** Percent, fixed when the referral was created. */
  readonly commissionPercentage: number | null;
  /** `null` before a conversion, and if the commission never ends. */
  readonly commissionEndDate: Seconds | null;
  /** When the table deletes an unconverted click; `null` if it never does. */
  readonly expiresAt: Seconds | null;
  /** The last 100 changes of state, oldest first. */
  readonly history: readonly StateEntry[];
  /** Name of the idempotency record of the conversion, which is deleted when the person is erased. */
  readonly idempotencyRecord: string | null;
  /** Number of writes, for optimistic locking: a write fails if there was another one since the read. */
  readonly version: number;
}

/** Maximum number of history entries. It is small because every change writes all of them again. */
const MAX_HISTORY = 100;

/** A customer: at least one of the email and the merchant's own id. */
export interface Customer {
  readonly email: string | null;
  readonly uid: string | null;
}

/** The fields of a conversion that become part of the referral. */
export interface ConversionFields {
  readonly customer: Customer;
  readonly subId: string | null;
  readonly actor: Actor;
  readonly idempotencyRecord: string | null;
}

/** Creates the referral of a click on an advocate's link. */
export function newClick(
  program: Program,
  target: AttributionTarget,
  click: { readonly id: string; readonly subId: string | null },
  now: Seconds,
): Referral {
  const empty = emptyReferral(program, target, click.id, now);
  const expiresAt = seconds(Math.min(now + program.attributionDays * DAY, LAST_SECOND));
  return { ...empty, subId: click.subId, expiresAt, ...stateChange(empty, 'clicked', now, 'visitor') };
}

/** Creates the referral of a conversion without a click. */
export function newReferral(
  program: Program,
  target: AttributionTarget,
  id: string,
  conversion: ConversionFields,
  now: Seconds,
): Referral {
  return converted(emptyReferral(program, target, id, now), program, conversion, now);
}

/** True if a conversion for this advocate converts the click: it is the advocate's, unconverted and not expired. */
export function isConvertible(click: Referral, target: AttributionTarget, now: Seconds): boolean {
  return (
    isAllowed('conversion', click, 'converted') &&
    click.advocateSlug === target.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/** Converts a click. It keeps its id, `createdAt`, rate and sub id; `conversion.subId` counts if the click has none. */
export function convertClick(click: Referral, program: Program, conversion: ConversionFields, now: Seconds): Referral {
  return converted(click, program, conversion, monotonic(click, now));
}

/** Sets the state. Returns the same object if the referral already has that state. Throws `StateRefused`. */
export function setState(referral: Referral, to: State, actor: Actor, now: Seconds): Referral {
  if (referral.state === to) return referral;
  assertSettable(referral, to);
  return { ...referral, ...stateChange(referral, to, monotonic(referral, now), actor) };
}

/** Removes everything that identifies the person. Returns the same object if there is nothing to remove. */
export function erasePerson(referral: Referral, now: Seconds): Referral {
  const { email, customerUid, idempotencyRecord, version } = referral;
  if (email === null && customerUid === null && idempotencyRecord === null) return referral;
  return {
    ...referral,
    email: null,
    customerUid: null,
    idempotencyRecord: null,
    updatedAt: monotonic(referral, now),
    version: version + 1,
  };
}

/** The time of a change: `now`, but never before the last change, because the clocks of two functions may differ. */
function monotonic(referral: Referral, now: Seconds): Seconds {
  return later(now, referral.updatedAt);
}

/** A referral before its first state. */
type Stateless = Omit<Referral, 'state' | 'stateSetAt' | 'updatedAt'>;

function emptyReferral(program: Program, target: AttributionTarget, id: string, now: Seconds): Stateless {
  return {
    id,
    advocateSlug: target.slug,
    email: null,
    customerUid: null,
    createdAt: now,
    convertedAt: null,
    subId: null,
    commissionPercentage: target.commissionPercentage ?? program.commissionPercentage,
    commissionEndDate: null,
    expiresAt: null,
    history: [],
    idempotencyRecord: null,
    version: 0,
  };
}

function converted(
  before: Stateless,
  { commissionMonths }: Program,
  { customer, subId, actor, idempotencyRecord }: ConversionFields,
  moment: Seconds,
): Referral {
  return {
    ...before,
    email: customer.email,
    customerUid: customer.uid,
    convertedAt: moment,
    subId: before.subId ?? subId,
    commissionEndDate: commissionMonths === null ? null : addCalendarMonths(moment, commissionMonths),
    expiresAt: null,
    idempotencyRecord,
    ...stateChange(before, 'converted', moment, actor),
  };
}

/** Returns the fields that every change of state sets. */
function stateChange({ history, version }: Stateless, state: State, moment: Seconds, actor: Actor) {
  return {
    state,
    stateSetAt: moment,
    updatedAt: moment,
    history: [...history, { state, setAt: moment, by: actor }].slice(-MAX_HISTORY),
    version: version + 1,
  };
}
