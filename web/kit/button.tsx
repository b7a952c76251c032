interface ButtonProps {
  readonly label: string;
  readonly kind?: string;
  readonly onClick: (event: { readonly currentTarget: HTMLButtonElement }) => void;
  /** The name for assistive technology, if it says more than the label. */
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-disabled'?: boolean;
  readonly 'aria-expanded'?: boolean;
  readonly 'aria-pressed'?: boolean;
}

/** A button that submits no form. `kind` is its class. */
export function Button({ label, kind = '', ...attributes }: ButtonProps) {
  return (
    <button type="button" class={kind} {...attributes}>
      {label}
    </button>
  );
}
