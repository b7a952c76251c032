import { ENTRY_EVENT_TYPES, type EntryEvent } from '../../ledger/rules/entry-event.ts';
import { APPLICATION_EVENT_TYPES, type ApplicationEvent } from '../../people/rules/applications/application-event.ts';
import { REFERRAL_EVENT_TYPES, type ReferralEvent } from '../../referrals/rules/referral-event.ts';

/** The types of events, which webhooks subscribe to. */
export const EVENT_TYPES = [...REFERRAL_EVENT_TYPES, ...ENTRY_EVENT_TYPES, ...APPLICATION_EVENT_TYPES] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * The default types of a webhook. Clicks outnumber everything else by far, and receivers of earlier versions know no
 * payments and no applications, so these must be listed explicitly.
 */
export const DEFAULT_EVENT_TYPES = REFERRAL_EVENT_TYPES.filter((type) => type !== 'referral.clicked');

/** What webhooks receive: a change of a referral or of an application, or a new entry of the ledger. */
export type WebhookEvent = ReferralEvent | EntryEvent | ApplicationEvent;

/** True for a new entry of the ledger. */
export const isEntryEvent = (event: WebhookEvent): event is EntryEvent => 'entry' in event;
/** True for a change of an application. */
export const isApplicationEvent = (event: WebhookEvent): event is ApplicationEvent => 'applicationId' in event;
/** True for a change of a referral. */
export const isReferralEvent = (event: WebhookEvent): event is ReferralEvent => 'referralId' in event;
