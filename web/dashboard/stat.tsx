interface StatProps {
  readonly name: string;
  readonly value: string;
  /** Stand below the value, which is the first number of the group. */
  readonly notes?: readonly string[];
}

/** A number with its name. */
export function Stat({ name, value, notes = [] }: StatProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: A fieldset groups controls, and this is a number.
    <div class="stat" role="group" aria-label={name}>
      <p class="stat-name">{name}</p>
      <p class="stat-value">{value}</p>
      {notes.map((note) => (
        <p key={note} class="stat-note">
          {note}
        </p>
      ))}
    </div>
  );
}
