import type { Affiliate } from './advocate.ts';
import type { Program } from './program.ts';
import { addCalendarMonths, DAY, LAST_SECOND, later, type Seconds, seconds } from './time.ts';

/** The states of a referral, in the order in which a good one goes through them. */
export const STATES = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
export type State = (typeof STATES)[number];

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
  readonly subId: string | null;
  /** Percent, fixed when the referral was created. */
  readonly commissionPercentage: number | null;
  /** `null` before a conversion, and where the program's commission never ends. */
  readonly commissionEndDate: Seconds | null;
  /** When a click that never converted is deleted; `null`: never. */
  readonly expiresAt: Seconds | null;
}

/** Who was brought in: by e-mail, by the merchant's customer id, or both. At least one is there. */
export interface Customer {
  readonly email: string | null;
  readonly uid: string | null;
}

/** A click on an advocate's link. */
export function newClick(
  program: Program,
  affiliate: Affiliate,
  click: { readonly id: string; readonly subId: string | null },
  now: Seconds,
): Referral {
  const expiry = now + program.attributionDays * DAY;
  return {
    id: click.id,
    advocateSlug: affiliate.slug,
    email: null,
    customerUid: null,
    state: 'clicked',
    stateSetAt: now,
    createdAt: now,
    updatedAt: now,
    subId: click.subId,
    commissionPercentage: rateOf(program, affiliate),
    commissionEndDate: null,
    expiresAt: seconds(Math.min(expiry, LAST_SECOND)),
  };
}

/** A conversion that no click is known of. */
export function newReferral(
  program: Program,
  affiliate: Affiliate,
  referral: { readonly id: string; readonly customer: Customer; readonly subId: string | null },
  now: Seconds,
): Referral {
  return {
    id: referral.id,
    advocateSlug: affiliate.slug,
    email: referral.customer.email,
    customerUid: referral.customer.uid,
    state: 'converted',
    stateSetAt: now,
    createdAt: now,
    updatedAt: now,
    subId: referral.subId,
    commissionPercentage: rateOf(program, affiliate),
    commissionEndDate: commissionEnd(program, now),
    expiresAt: null,
  };
}

/** True where a conversion of this affiliate turns the click into its referral: its own, unconverted and in its time. */
export function isConvertible(click: Referral, affiliate: Affiliate, now: Seconds): boolean {
  return (
    click.state === 'clicked' &&
    click.advocateSlug === affiliate.slug &&
    (click.expiresAt === null || click.expiresAt > now)
  );
}

/** The referral that a click becomes: same id, time of creation, sub id and rate. A `subId` counts where the click had none. */
export function convertClick(
  click: Referral,
  program: Program,
  conversion: { readonly customer: Customer; readonly subId: string | null },
  now: Seconds,
): Referral {
  // Clocks of two functions may differ by a moment: a state is never set before its referral was created.
  const moment = later(now, click.createdAt);
  return {
    ...click,
    email: conversion.customer.email,
    customerUid: conversion.customer.uid,
    state: 'converted',
    stateSetAt: moment,
    updatedAt: moment,
    subId: click.subId ?? conversion.subId,
    commissionEndDate: commissionEnd(program, moment),
    expiresAt: null,
  };
}

function rateOf(program: Program, affiliate: Affiliate): number | null {
  return affiliate.commissionPercentage ?? program.commissionPercentage;
}

function commissionEnd(program: Program, conversion: Seconds): Seconds | null {
  return program.commissionMonths === null ? null : addCalendarMonths(conversion, program.commissionMonths);
}
