import damerauLevenshtein from 'damerau-levenshtein';

/** A setting is not valid. The message is a sentence for the deployer. */
export class InvalidSetting extends Error {
  constructor(name: string, problem: string) {
    super(`The context value "${name}" ${problem}.`);
  }
}

/** The names of all settings. */
export const NAMES = [
  'stage',
  'origins',
  'domain',
  'certificateArn',
  'hostedZoneId',
  'alarmTopicArn',
  'quietHours',
  'tracing',
  'clicksPerSecond',
  'events',
  'emails',
  'emailFrom',
  'stripeEventSource',
  'stripeProgram',
  'edge',
  'edgeSecret',
  'edgeVisitorLimit',
  'edgeTokenLimit',
  'edgeManagementLimit',
  'edgeEventLimit',
  'edgeRequestLimit',
  'edgeIpv6',
  'apiAddress',
  'clickConcurrency',
  'loadAlarms',
  'clicksPerHour',
  'lambdaQuota',
  'monthlyBudget',
  'rollout',
  'backups',
] as const;
/** Share of a setting's name that a misspelled name must have in common. */
const MIN_SIMILARITY = 0.5;

/** Reads a setting that must match a pattern; `undefined` if it is missing. */
export type ReadSetting = (name: (typeof NAMES)[number], pattern: RegExp, description: string) => string | undefined;

/** Returns whether a setting is on. All are off by default, except where `otherwise` says so. */
export function isOn(read: ReadSetting, name: Parameters<ReadSetting>[0], otherwise = false): boolean {
  const value = read(name, /^(?:on|off)$/, '"on" or "off"');
  return value === undefined ? otherwise : value === 'on';
}

/** Reads a setting that must be a whole number from 1 to 9,999,999, or from another minimum. */
export function readNumber(read: ReadSetting, name: Parameters<ReadSetting>[0], minimum = 1): number | undefined {
  const text = read(name, /^[1-9]\d{0,6}$/, 'a whole number from 1 to 9999999');
  if (text === undefined || Number(text) >= minimum) return text === undefined ? undefined : Number(text);
  throw new InvalidSetting(name, `must be at least ${minimum}`);
}

/**
 * A misspelled setting would otherwise have no effect, and the deployment would succeed without it. Names that resemble
 * no setting are CDK's own, or come from `~/.cdk.json`, which CDK adds to the context of every app.
 */
export function rejectMisspelled(names: readonly string[]): void {
  const known = new Set<string>(NAMES);
  for (const unknown of names.filter((name) => !known.has(name))) {
    const similarity = (name: string) => damerauLevenshtein(unknown.toLowerCase(), name.toLowerCase()).similarity;
    const similar = NAMES.find((name) => similarity(name) > MIN_SIMILARITY);
    if (similar === undefined) continue;
    throw new InvalidSetting(
      unknown,
      `is not a setting. Did you mean "${similar}"? The settings are ${NAMES.join(', ')}`,
    );
  }
}
