import { formatDateAndTime } from '../../kit/format.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { endOf, rateOf } from './columns.tsx';
import { Person, StateBadge } from './person.tsx';
import type { ReferralDetails } from './referral-details.ts';

/** Who the customer is, who referred it, and what that earns. */
export function Details({ referral: { id, attributes } }: { readonly referral: ReferralDetails }) {
  const facts = [
    [REFERRALS.advocate, attributes.affiliate_slug],
    [REFERRALS.yourId, attributes.uid ?? '–'],
    [REFERRALS.subId, attributes.sub_id ?? '–'],
    [REFERRALS.created, formatDateAndTime(attributes.created_at)],
    [REFERRALS.changed, formatDateAndTime(attributes.state_set_at)],
    [REFERRALS.rate, rateOf(attributes.commission_percentage)],
    [REFERRALS.earnsUntil, endOf(attributes)],
    [REFERRALS.referralId, id],
  ];
  const fields = Object.entries(attributes.metadata);
  return (
    <>
      <p class="person">
        <Person {...attributes} /> <StateBadge state={attributes.state} />
      </p>
      {attributes.flags.includes('self_referral') && <p class="flag">{REFERRALS.flaggedAdvice}</p>}
      <Facts facts={facts} />
      {fields.length > 0 && (
        <section>
          <h3>{REFERRALS.metadata}</h3>
          <Facts facts={fields.map(([name, value]) => [name, String(value)])} />
        </section>
      )}
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly string[])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name = '', value]) => (
        <div key={name}>
          <dt>
            <bdi>{name}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
