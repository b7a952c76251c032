/** The option that nearly every command needs, as commander takes it. */
export const PROGRAM_OPTION = ['--program <id>', 'id of the program'] as const;

export interface ProgramOptions {
  readonly program: string;
}

/** Reads a decimal number; `NaN`, which every check of a range refuses, for what is none. */
export function decimal(text: string): number {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** The text below a command's help: what to type, one call a line. */
export function examples(...calls: string[]): string {
  const lines = calls.map((call) => `  npm run --silent admin -- ${call}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
