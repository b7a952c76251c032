import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

interface DisclosureProps {
  readonly label: string;
  /** The accessible name, if the label alone says too little. */
  readonly name?: string;
  readonly children: ComponentChildren;
  readonly isOpenAtFirst?: boolean;
}

/** A button that shows and hides what follows it. */
export function Disclosure({ label, name, children, isOpenAtFirst = false }: DisclosureProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const id = useId();
  return (
    <div class="disclosure">
      <button
        type="button"
        class="quiet discloses"
        aria-label={name}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && <div id={id}>{children}</div>}
    </div>
  );
}
