import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { LimitedMap } from '../../kernel/cache.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { advocateKey, type Key, referralKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { CurrentFields } from '../../referrals/rules/referral-event.ts';
import { NO_VALUES } from '../../referrals/rules/referral-fields.ts';
import { parseReferral } from '../../referrals/table/referral-item.ts';
import { isReferralEvent, type WebhookEvent } from '../rules/event.ts';

/** Maximum number of cached advocates. */
const MAX_ADVOCATES = 10_000;

/** An event whose receivers may need its current fields. */
export interface OutgoingEvent {
  readonly program: string;
  readonly event: WebhookEvent;
  /** True if the event goes to the bus, which gets the uid and the flags as they are now. */
  readonly toBus: boolean;
}

/**
 * Returns the current fields of an event; without a bus, only `advocateId` is read. Entries have none. Throws `MalformedItem` if a row cannot
 * be read.
 */
type CurrentFieldsOf = (event: OutgoingEvent) => CurrentFields;

/**
 * Returns a function that reads the current fields of events in one consistent batch. Advocates are read once: neither
 * their ids nor their slugs change.
 */
export function currentFieldsReader(
  table: Table,
  maxAdvocates = MAX_ADVOCATES,
): (events: readonly OutgoingEvent[]) => Promise<CurrentFieldsOf> {
  const advocateIds = new LimitedMap<string>(maxAdvocates);

  return async (events) => {
    const keys = new Map<string, Key>();
    // Not read from the cache later: an advocate of this batch can push another one out of it.
    const known = new Map<string, string>();
    for (const { program, event, toBus } of events) {
      if (!isReferralEvent(event)) continue;
      const advocate = advocateKey(program, event.affiliateSlug);
      const id = advocateIds.get(advocate.pk);
      if (id === undefined) keys.set(advocate.pk, advocate);
      else known.set(advocate.pk, id);
      const referral = referralKey(program, event.referralId);
      if (toBus) keys.set(referral.pk, referral);
    }
    const items = await batchGet(table, [...keys.values()]);
    const found = new Map<string, Item | undefined>([...keys.keys()].map((pk, index) => [pk, items[index]]));

    function advocateIdOf(pk: string): string | null {
      const cached = known.get(pk);
      const item = found.get(pk);
      if (cached !== undefined || !item) return cached ?? null;
      const { id } = parseListedAdvocate(item);
      advocateIds.set(pk, id);
      known.set(pk, id);
      return id;
    }

    return ({ program, event }) => {
      if (!isReferralEvent(event)) return { ...NO_VALUES, advocateId: null };
      const item = found.get(referralKey(program, event.referralId).pk);
      const referral = item && parseReferral(item);
      const advocateId = advocateIdOf(advocateKey(program, event.affiliateSlug).pk);
      return { ...(referral ?? NO_VALUES), advocateId };
    };
  };
}
