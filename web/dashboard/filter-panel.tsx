import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../kit/controls.tsx';
import * as REFERRALS from '../words/dashboard/referrals.ts';

/** The filters of a list. On a phone, they stand behind a button. */
export function FilterPanel({ children }: { readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button label={REFERRALS.filters} kind="filters-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      <div class={isOpen ? 'filters' : 'filters closed'}>{children}</div>
    </>
  );
}
