import { Facts } from '../../kit/facts.tsx';
import { formatDate, formatMoney, formatNumber, formatPercentage } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { AdvocateLink } from '../explanation.tsx';
import { useDashboard } from '../router.ts';
import { readRules } from '../service.ts';
import { Stat } from '../stat.tsx';
import { YourFields } from '../your-fields.tsx';
import { ChangeMenu } from './changes.tsx';
import { Customer, type ReferralDetails, StateBadge } from './columns.tsx';

interface DetailsProps {
  readonly referral: ReferralDetails;
}

/** The customer, the state, the sums, and what the referral earns until when. */
export function Details({ referral }: DetailsProps) {
  const { can, token } = useDashboard();
  const { attributes } = referral;
  const { state, flags, money, payments } = attributes;
  const sums = (name: 'revenue' | 'commission') =>
    money.map((each) => formatMoney(each[name], each.currency)).join(' · ') || '–';
  const stats = [
    [REFERRALS.revenue, sums('revenue')],
    [REFERRALS.earned, sums('commission')],
    [REFERRALS.payments, formatNumber(payments)],
  ] as const;
  return (
    <div class="details">
      <div class="card-head">
        <p class="customer">
          <Customer {...attributes} /> <StateBadge state={state} />
        </p>
        {can('track') && <ChangeMenu referral={referral} />}
      </div>
      {token && !can('track') && <p class="soft">{REFERRALS.notAllowed}</p>}
      {flags.includes('self_referral') && <p class="flag">{REFERRALS.flaggedAdvice}</p>}
      <div class="stats">
        {stats.map(([name, value]) => (
          <Stat key={name} name={name} value={value} />
        ))}
      </div>
      <Terms referral={referral} />
      <YourFields metadata={attributes.metadata} />
    </div>
  );
}

function Terms({ referral: { attributes } }: DetailsProps) {
  const {
    affiliate_slug,
    state,
    uid,
    sub_id,
    code,
    commission_rules_id: rules_id,
    commission_end_date: end,
  } = attributes;
  const [rules] = useLoaded((signal) => readRules(rules_id, signal), [rules_id]);
  const facts = [
    [COMMON.advocate, <AdvocateLink slug={affiliate_slug} />],
    [REFERRALS.terms, readyOf(rules)?.value ?? termsOf(attributes)],
    // Rules say themselves how long the referral earns.
    [REFERRALS.ends, rules_id === null && state !== 'clicked' && (end === null ? REFERRALS.noEnd : formatDate(end))],
    [COMMON.yourId, uid],
    [REFERRALS.label, sub_id],
    [REFERRALS.code, code],
  ] as const;
  return <Facts kind="facts" facts={facts.filter(([, value]) => value)} />;
}

/** Says what a referral without rules pays. With rules, their sentence is still being read. */
function termsOf({ commission_percentage: rate, commission_rules_id }: ReferralDetails['attributes']): string {
  if (commission_rules_id !== null) return COMMON.unknown;
  return rate === null ? REFERRALS.noTerms : REFERRALS.eachPayment(formatPercentage(rate));
}
