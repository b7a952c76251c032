import type { AttributionTarget } from './advocate.ts';
import type { Program } from './program.ts';
import { type Actor, assertSettable, isAllowed, type State, type StateEntry } from './state.ts';
import { addCalendarMonths, DAY, LAST_SECOND, later, type Seconds, seconds } from './time.ts';

/** A person whom an advocate referred: a click or a customer. Always `createdAt <= stateSetAt <= updatedAt`. */
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
  /** `null`: never. */
  readonly convertedAt: Seconds | null;
  readonly subId: string | null;
  /** Percent, fixed when the referral was created. */
  readonly commissionPercentage: number | null;
  /** `null` before a conversion, and if the commission never ends. */
  readonly commissionEndDate: Seconds | null;
  /** When the table deletes a click that never converted; `null`: never. */
  readonly expiresAt: Seconds | null;
  /** Its last 100 states, oldest first. */
  readonly history: readonly StateEntry[];
  /** Name of the idempotency record of its conversion, which erasing the person deletes. */
  readonly idempotencyRecord: string | null;
  /** Number of writes: a writer must have read the last one. */
  readonly version: number;
}

/** Longest history. Every change writes it again, so it must stay small. */
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
  readonly by: Actor;
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

/** Converts a click, which keeps its id, `createdAt`, sub id and rate. The conversion's `subId` counts if the click has none. */
export function convertClick(click: Referral, program: Program, conversion: ConversionFields, now: Seconds): Referral {
  return converted(click, program, conversion, monotonic(click, now));
}

/** Sets the state. Returns the same object if the referral already has it. Throws `StateRefused`. */
export function setState(referral: Referral, to: State, by: Actor, now: Seconds): Referral {
  if (referral.state === to) return referral;
  assertSettable(referral, to);
  return { ...referral, ...stateChange(referral, to, monotonic(referral, now), by) };
}

/** Erases the person; state and times stay. Returns the same object if nothing is left to erase. */
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

/** The time of a change, which never precedes the last one: the clocks of two functions may differ. */
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
  { customer, subId, by, idempotencyRecord }: ConversionFields,
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
    ...stateChange(before, 'converted', moment, by),
  };
}

/** The fields that every change of state sets. */
function stateChange({ history, version }: Stateless, state: State, moment: Seconds, by: Actor) {
  return {
    state,
    stateSetAt: moment,
    updatedAt: moment,
    history: [...history, { state, setAt: moment, by }].slice(-MAX_HISTORY),
    version: version + 1,
  };
}
