import { Facts } from '../kit/facts.tsx';
import * as REFERRALS from '../words/dashboard/referrals.ts';

/** The fields that the merchant gave a referral or an advocate. */
export function YourFields({ metadata }: { readonly metadata: Readonly<Record<string, string>> }) {
  const facts = Object.entries(metadata);
  if (facts.length === 0) return null;
  return (
    <section>
      <h3>{REFERRALS.yourFields}</h3>
      <Facts kind="facts" facts={facts} />
    </section>
  );
}
