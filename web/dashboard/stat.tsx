interface StatProps {
  readonly name: string;
  readonly value: string;
  /** Stands below the value, which is the first number of the group. */
  readonly note?: string;
}

/** A number with its name. */
export function Stat({ name, value, note }: StatProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset groups controls, and this is a number.
    <div class="stat" role="group" aria-label={name}>
      <p class="stat-name">{name}</p>
      <p class="stat-value">{value}</p>
      {note && <p class="stat-note">{note}</p>}
    </div>
  );
}
