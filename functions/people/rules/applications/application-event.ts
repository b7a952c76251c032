import { rfc3339, type Seconds } from '../../../kernel/time.ts';
import type { Application } from './application-fields.ts';

/** The types of events of applications. They are sent only to webhooks that subscribe to them by name. */
export const APPLICATION_EVENT_TYPES = ['application.pending', 'application.approved', 'application.rejected'] as const;
export type ApplicationEventType = (typeof APPLICATION_EVENT_TYPES)[number];

/** An application that waits or was decided. It contains nothing about the person. */
export interface ApplicationEvent {
  /** `<application id>.1` if it waits, `<application id>.2` if it was decided. */
  readonly id: string;
  readonly type: ApplicationEventType;
  readonly setAt: Seconds;
  readonly applicationId: string;
  /** The advocate that an approval created. */
  readonly slug: string | null;
}

/** Returns the events of an application, the oldest first. */
export function eventsOfApplication({ id, state, slug, confirmedAt, decidedAt }: Application): ApplicationEvent[] {
  const events: ApplicationEvent[] = [];
  if (confirmedAt !== null)
    events.push({ id: `${id}.1`, type: 'application.pending', setAt: confirmedAt, applicationId: id, slug: null });
  if (decidedAt !== null && (state === 'approved' || state === 'rejected'))
    events.push({ id: `${id}.2`, type: `application.${state}`, setAt: decidedAt, applicationId: id, slug });
  return events;
}

/** Builds the body of an event (docs/contract/events.md). */
export function applicationEventBody({ type, setAt, applicationId, slug }: ApplicationEvent) {
  const state = type.slice('application.'.length);
  return { type, timestamp: rfc3339(setAt), data: { id: applicationId, state, affiliate_slug: slug } };
}
