import type { AttributionTarget } from './advocate.ts';
import type { Program } from './program.ts';
import { type Actor, assertSettable, isAllowed, type State, type StateEntry } from './state.ts';
import { addCalendarMonths, DAY, LAST_SECOND, later, type Seconds, seconds } from './time.ts';

/** A person brought in by an advocate: a click, or what became of it. `createdAt <= stateSetAt <= updatedAt` always. */
export interface Referral {
  /** UUIDv7; of a click that converted, the click's. */
  readonly id: string;
  /** Slug of the advocate who brought it. */
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
  /** `null` before a conversion, and where the program's commission never ends. */
  readonly commissionEndDate: Seconds | null;
  /** When a click that never converted is deleted; `null`: never. */
  readonly expiresAt: Seconds | null;
  /** Its states from the first one on; of more than 100, the last ones. */
  readonly history: readonly StateEntry[];
  /** Names the record of the answer to its conversion, so that erasing the person finds it. */
  readonly idempotencyRecord: string | null;
  /** Counts the times it was written, so that nobody overwrites what they have not read. */
  readonly version: number;
}

/** Longest history: what is written again at each change must stay small. */
const MAX_HISTORY = 100;

/** Who was brought in: by e-mail, by the merchant's customer id, or both. At least one is there. */
export interface Customer {
  readonly email: string | null;
  readonly uid: string | null;
}

/** What a conversion says that becomes part of the referral. */
export interface Converted {
  readonly customer: Customer;
  readonly subId: string | null;
  readonly by: Actor;
  readonly idempotencyRecord: string | null;
}

/** A click on an advocate's link. */
export function newClick(
  program: Program,
  affiliate: AttributionTarget,
  click: { readonly id: string; readonly subId: string | null },
  now: Seconds,
): Referral {
  return {
    ...blank(program, affiliate, click.id, now),
    subId: click.subId,
    expiresAt: seconds(Math.min(now + program.attributionDays * DAY, LAST_SECOND)),
    ...stateChange(NOTHING_YET, 'clicked', now, 'visitor'),
  };
}

/** A conversion that no click is known of. */
export function newReferral(
  program: Program,
  affiliate: AttributionTarget,
  id: string,
  conversion: Converted,
  now: Seconds,
): Referral {
  return {
    ...blank(program, affiliate, id, now),
    ...conversionOf(NOTHING_YET, program, conversion, now),
    subId: conversion.subId,
  };
}

/** True where a conversion of this affiliate turns the click into its referral: its own, unconverted and in its time. */
export function isConvertible(click: Referral, affiliate: AttributionTarget, now: Seconds): boolean {
  return (
    isAllowed('conversion', click, 'converted') &&
    click.advocateSlug === affiliate.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/** The referral that a click becomes: same id, time of creation, sub id and rate. A `subId` counts where the click had none. */
export function convertClick(click: Referral, program: Program, conversion: Converted, now: Seconds): Referral {
  return {
    ...click,
    ...conversionOf(click, program, conversion, monotonic(click, now)),
    subId: click.subId ?? conversion.subId,
  };
}

/**
 * The referral in another state; unchanged, the very same object, where it is in that state already. Throws
 * `StateRefused` where the state cannot follow.
 */
export function setState(referral: Referral, to: State, by: Actor, now: Seconds): Referral {
  if (referral.state === to) return referral;
  assertSettable(referral, to);
  return { ...referral, ...stateChange(referral, to, monotonic(referral, now), by) };
}

/** The referral without the person: state and times stay. Unchanged where nothing is left to erase. */
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

/** The percentage that a new referral of the affiliate gets. */
export function rateOf(program: Program, affiliate: AttributionTarget): number | null {
  return affiliate.commissionPercentage ?? program.commissionPercentage;
}

/** When the commission on a conversion ends; `null`: never. */
export function commissionEnd(program: Program, conversion: Seconds): Seconds | null {
  return program.commissionMonths === null ? null : addCalendarMonths(conversion, program.commissionMonths);
}

const NOTHING_YET = { history: [], version: 0 } as const;

/** Clocks of two functions may differ by a moment: nothing happens to a referral before what happened to it last. */
function monotonic(referral: Referral, now: Seconds): Seconds {
  return later(now, referral.updatedAt);
}

function blank(program: Program, affiliate: AttributionTarget, id: string, now: Seconds) {
  return {
    id,
    advocateSlug: affiliate.slug,
    email: null,
    customerUid: null,
    createdAt: now,
    convertedAt: null,
    subId: null,
    commissionPercentage: rateOf(program, affiliate),
    commissionEndDate: null,
    expiresAt: null,
    idempotencyRecord: null,
  };
}

function conversionOf(
  before: Pick<Referral, 'history' | 'version'>,
  program: Program,
  { customer, by, idempotencyRecord }: Converted,
  moment: Seconds,
) {
  return {
    email: customer.email,
    customerUid: customer.uid,
    convertedAt: moment,
    commissionEndDate: commissionEnd(program, moment),
    expiresAt: null,
    idempotencyRecord,
    ...stateChange(before, 'converted', moment, by),
  };
}

/** What changes with every change of state. */
function stateChange(
  { history, version }: Pick<Referral, 'history' | 'version'>,
  state: State,
  moment: Seconds,
  by: Actor,
) {
  const entry: StateEntry = { state, setAt: moment, by };
  return {
    state,
    stateSetAt: moment,
    updatedAt: moment,
    history: [...history, entry].slice(-MAX_HISTORY),
    version: version + 1,
  };
}
