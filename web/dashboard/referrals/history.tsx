import { formatDateAndTime } from '../../kit/format.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import type { ReferralDetails } from './referral-details.ts';

type Entry = ReferralDetails['attributes']['history'][number];

/** What happened to the referral, newest first. */
export function History({ referral }: { readonly referral: ReferralDetails }) {
  return (
    <section>
      <h3>{REFERRALS.history}</h3>
      <ol class="history" reversed>
        {referral.attributes.history.toReversed().map((entry, index) => (
          <li key={index}>
            <bdi>{describe(entry)}</bdi>{' '}
            <span class="soft">
              {REFERRALS.by(entry.by)} · {formatDateAndTime(entry.set_at)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function describe(entry: Entry): string {
  switch (entry.type) {
    case 'state':
      return REFERRALS.historyOf.state(entry.state);
    case 'reassignment':
      return REFERRALS.historyOf.reassignment(entry.from, entry.to);
    case 'erasure':
      return REFERRALS.historyOf.erasure;
  }
}
