import type { ComponentChildren } from 'preact';
import * as REFERRALS from '../words/dashboard/referrals.ts';

type Fact = readonly [name: string, value: ComponentChildren];

/** Names with their values. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value], index) => (
        <div key={index}>
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

/** The fields that the merchant gave a referral or an advocate. */
export function YourFields({ metadata }: { readonly metadata: Readonly<Record<string, string>> }) {
  const facts = Object.entries(metadata);
  if (facts.length === 0) return null;
  return (
    <section>
      <h3>{REFERRALS.yourFields}</h3>
      <Facts facts={facts} />
    </section>
  );
}
