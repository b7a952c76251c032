import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface CardProps {
  readonly title: string;
  readonly advice?: string | false | undefined;
  /** Stands at the end of the head, such as a button. */
  readonly beside?: ComponentChildren;
  readonly kind?: string;
  readonly isBusy?: boolean;
  readonly children: ComponentChildren;
}

export function Card({ title, advice, beside, kind = '', isBusy = false, children }: CardProps) {
  const id = useId();
  const head = (
    <>
      <h2 id={id}>{title}</h2>
      {advice && <p class="soft">{advice}</p>}
    </>
  );
  return (
    <section class={`card ${kind}`} aria-labelledby={id} aria-busy={isBusy}>
      <div class="card-head">
        {beside ? <div>{head}</div> : head}
        {beside}
      </div>
      {children}
    </section>
  );
}
