interface StatProps {
  readonly name: string;
  readonly value: string;
  /** Stands beside the name, such as its range. */
  readonly note?: string;
}

/** A number with its name. */
export function Stat({ name, value, note }: StatProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset groups controls, and this is a number.
    <div class="stat" role="group" aria-label={name}>
      <p class="stat-name">
        {name} {note && <span>{note}</span>}
      </p>
      <p class="stat-value">{value}</p>
    </div>
  );
}
