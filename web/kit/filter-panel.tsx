import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';

interface FilterPanelProps {
  /** True for filters that are in sight at the start on a phone as well. */
  readonly isOpenAtStart?: boolean;
  readonly children: ComponentChildren;
}

/** The filters of a list. On a phone, they stand behind a button. */
export function FilterPanel({ isOpenAtStart = false, children }: FilterPanelProps) {
  const [isOpen, setOpen] = useState(isOpenAtStart);
  return (
    <>
      <Button label={COMMON.filters} kind="filters-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      <div class={isOpen ? 'filters' : 'filters closed'}>{children}</div>
    </>
  );
}
