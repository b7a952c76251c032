import { useId } from 'preact/hooks';
import { formatPercentage } from '../kit/format.ts';
import { Skeleton } from '../kit/status.tsx';
import { PORTAL } from '../words/portal.ts';
import type { Affiliate } from './affiliate.ts';

/** What the advocate earns, for how long, and when it is paid. */
export function Terms({ about }: { readonly about: Affiliate | undefined }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{PORTAL.terms}</h2>
      {about ? <List about={about} /> : <Skeleton lines={4} height={2.25} />}
    </section>
  );
}

function List({ about }: { readonly about: Affiliate }) {
  const { commission_percentage: rate, commission_months: months } = about;
  const terms = [
    [PORTAL.commission, rate === null ? PORTAL.noRate : PORTAL.commissionTerm(formatPercentage(rate))],
    [PORTAL.duration, months === null ? PORTAL.noEnd : PORTAL.months(months)],
    [PORTAL.attribution, PORTAL.attributionDays(about.attribution_days)],
    [PORTAL.payable, PORTAL.payableAfter(about.payable_after_days)],
  ];
  return (
    <dl class="terms">
      {terms.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
