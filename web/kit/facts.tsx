import type { ComponentChildren } from 'preact';

type Fact = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly kind: 'facts' | 'answers';
}

/** Names with their values. An address is text, not a link. */
export function Facts({ facts, kind }: FactsProps) {
  return (
    <dl class={kind}>
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
