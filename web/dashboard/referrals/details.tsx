import { formatDate, formatDateAndTime, formatMoney, formatNumber, formatPercentage } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/status.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { readRules } from '../service.ts';
import { Stat } from '../stat.tsx';
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
      <Facts referral={referral} />
    </div>
  );
}

function Facts({ referral: { id, attributes } }: DetailsProps) {
  const { affiliate_slug, history, created_at, commission_end_date: end } = attributes;
  const signUp = history.find((entry) => entry.type === 'state' && entry.state === 'converted');
  const [rules] = useLoaded(
    (signal) => readRules(attributes.commission_rules_id, signal),
    [attributes.commission_rules_id],
  );
  const facts = [
    signUp
      ? [REFERRALS.signedUp, formatDateAndTime(signUp.set_at)]
      : [REFERRALS.visited, formatDateAndTime(created_at)],
    [REFERRALS.terms, readyOf(rules)?.value ?? termsOf(attributes)],
    // Rules say themselves how long the referral earns.
    ...(attributes.commission_rules_id === null && signUp
      ? [[REFERRALS.ends, end === null ? REFERRALS.noEnd : formatDate(end)]]
      : []),
    [COMMON.yourId, attributes.uid],
    [REFERRALS.label, attributes.sub_id],
    [REFERRALS.code, attributes.code],
    ...Object.entries(attributes.metadata),
    [REFERRALS.referralId, id],
  ];
  return (
    <dl class="facts">
      <div>
        <dt>{COMMON.advocate}</dt>
        <dd>
          <a href={hrefOf('advocates', affiliate_slug)}>
            <bdi>{affiliate_slug}</bdi>
          </a>
        </dd>
      </div>
      {facts
        .filter(([, value]) => value !== null)
        .map(([name, value], index) => (
          <div key={index}>
            <dt>
              <bdi>{name}</bdi>
            </dt>
            <dd>
              <bdi>{String(value)}</bdi>
            </dd>
          </div>
        ))}
    </dl>
  );
}

/** Says what a referral without rules pays. With rules, their sentence is still being read. */
function termsOf({ commission_percentage: rate, commission_rules_id }: ReferralDetails['attributes']): string {
  if (commission_rules_id !== null) return COMMON.unknown;
  return rate === null ? REFERRALS.noTerms : REFERRALS.eachPayment(formatPercentage(rate));
}
