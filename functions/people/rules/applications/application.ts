import type { AdvocateDraft } from '../../../advocates/rules/advocate-changes.ts';
import { EMPTY_ADVOCATE } from '../../../kernel/accounts/rules/advocate.ts';
import { InvalidField } from '../../../kernel/errors.ts';
import { emptyValues } from '../../../kernel/fields/field-list.ts';
import { DAY, later, type Seconds, seconds } from '../../../kernel/time.ts';
import type { PeopleSettings } from '../emails/settings.ts';
import { ApplicationsClosed } from '../errors.ts';
import { APPLICATION_FIELDS, type Application, type ApplicationFlag } from './application-fields.ts';
import { lacksAnswer, parseAnswers } from './form.ts';

/** How long an application is kept in each state, in seconds; an approved one as long as its advocate. */
const KEPT = { unconfirmed: 3 * DAY, pending: 365 * DAY, rejected: 30 * DAY } as const;
/** How long the address of a rejected application is remembered, by its hash. */
const REMEMBERED = 180 * DAY;

/** What an applicant sends. */
export interface ApplicationDraft extends Pick<Application, 'email' | 'firstName' | 'lastName' | 'termsVersion'> {
  readonly answers: Readonly<Record<string, unknown>>;
}

/** Makes an application. Throws `ApplicationsClosed`, or `InvalidField` for an answer or a version of the terms. */
export function newApplication(
  { answers, ...draft }: ApplicationDraft,
  settings: PeopleSettings,
  { id, now }: { readonly id: string; readonly now: Seconds },
): Application {
  if (settings.applications === 'closed') throw new ApplicationsClosed();
  if (draft.termsVersion !== settings.termsVersion) {
    throw new InvalidField('terms_version', 'must be the version of the present terms: show the terms again');
  }
  return {
    ...emptyValues(APPLICATION_FIELDS),
    ...draft,
    answers: parseAnswers(settings.applicationFields, answers),
    ...{ id, state: 'unconfirmed', createdAt: now },
  };
}

/** When an application expires; `null` if it is kept. */
export function expiryOf({ state, createdAt, confirmedAt, decidedAt }: Application): Seconds | null {
  if (state === 'approved') return null;
  return seconds((decidedAt ?? confirmedAt ?? createdAt) + KEPT[state]);
}

/** Until when the address of an application cannot apply again. */
export function blockedUntil(application: Application): Seconds {
  const { state, decidedAt, mayApplyAgain } = application;
  if (state === 'pending') return expiryOf(application) ?? seconds(0);
  return state === 'rejected' && !mayApplyAgain ? seconds((decidedAt ?? 0) + REMEMBERED) : seconds(0);
}

/** Until when the address leads to the application, which its erasure deletes; `null` if forever. */
export function rememberedUntil(application: Application): Seconds | null {
  const expiry = expiryOf(application);
  return expiry === null ? null : later(expiry, blockedUntil(application));
}

/** True if an application is judged to exist: DynamoDB deletes it days later. */
export const isKept = (application: Application, now: Seconds): boolean => (expiryOf(application) ?? now + 1) > now;

/** How long a confirmation whose response was lost may be repeated to be approved, in seconds. */
const REPEATED = 600;

/** What is known when an application is confirmed. */
interface Confirmation {
  /** The address is from a provider of temporary ones. */
  readonly isDisposable: boolean;
  /** An advocate has the address. */
  readonly isAdvocate: boolean;
  readonly now: Seconds;
}

/**
 * Confirms that the address is the applicant's. The flags say what the form, as it is now, lacks, and what is known
 * about the address.
 */
export function confirmed(
  application: Application,
  settings: PeopleSettings,
  { isDisposable, isAdvocate, now }: Confirmation,
): Application {
  const flags: ApplicationFlag[] = [
    ...(isDisposable ? (['disposable_email'] as const) : []),
    ...(lacksAnswer(settings.applicationFields, application.answers) ? (['answer_missing'] as const) : []),
    ...(isAdvocate ? (['advocate_exists'] as const) : []),
  ];
  const automaticUntil = settings.applications === 'automatic' && flags.length === 0 ? seconds(now + REPEATED) : null;
  return { ...application, state: 'pending', confirmedAt: now, flags, automaticUntil };
}

/** True if a confirmed application is to be approved without the merchant: also in a repetition, but not days later. */
export const isAutomatic = ({ state, automaticUntil }: Application, now: Seconds): boolean =>
  state === 'pending' && automaticUntil !== null && automaticUntil > now;

/** The fields of the advocate that the merchant chooses. */
export type ApprovedFields = Partial<Omit<AdvocateDraft, 'email'>>;

/** Drafts the advocate of an application, whose names are the default. */
export const draftOf = ({ email, firstName, lastName }: Application, fields: ApprovedFields): AdvocateDraft => ({
  ...EMPTY_ADVOCATE,
  ...{ firstName, lastName },
  ...fields,
  email,
});

/** Approves a pending application. */
export const approved = (application: Application, slug: string, now: Seconds): Application => ({
  ...application,
  ...{ state: 'approved', slug, decidedAt: now },
});

/** How a merchant rejects an application. */
export interface Rejection {
  readonly note: string | null;
  readonly notify: boolean;
  readonly mayApplyAgain: boolean;
}

/** Rejects a pending application. */
export const rejected = (application: Application, rejection: Rejection, now: Seconds): Application => ({
  ...application,
  ...rejection,
  ...{ state: 'rejected', decidedAt: now },
});
