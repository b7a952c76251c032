/** What a deployer may say with `cdk --context name=value`. */
export interface Settings {
  readonly stage: Stage;
  /** Pages of which origins may call the API from a browser; `undefined` for any. */
  readonly origins: readonly string[] | undefined;
  /** A domain of one's own for the API; `undefined` for the address that AWS gives. */
  readonly domain: Domain | undefined;
  /** ARN of the SNS topic that is told of alarms; `undefined` where they only show in the console. */
  readonly alarmTopicArn: string | undefined;
  /** True if X-Ray traces the functions. */
  readonly isTraced: boolean;
}

/** One deployment of the service. Several stages may stand in one account and region. */
export interface Stage {
  readonly name: string;
  /** True for `dev` and `dev-…`: what it stores may go with the stack. Every other stage keeps its data. */
  readonly isForDevelopment: boolean;
}

export interface Domain {
  readonly name: string;
  /** ARN of a certificate for `name`, in the region of the stack. */
  readonly certificateArn: string;
  /** Id of the Route 53 zone that gets the records of `name`; `undefined` where DNS is kept elsewhere. */
  readonly hostedZoneId: string | undefined;
}

/** A setting that cannot be used. The message is one sentence for the deployer. */
export class InvalidSetting extends Error {}

const STAGE = /^[a-z](?:-?[a-z0-9]){0,23}$/;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
const CERTIFICATE_ARN = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;
const HOSTED_ZONE_ID = /^Z[A-Z0-9]{1,31}$/;
const SWITCH = /^(?:on|off)$/;
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

/**
 * Reads the settings: `stage` (default `dev`), `origins`, `domain` with `certificateArn` and perhaps `hostedZoneId`,
 * `alarmTopicArn`, `tracing` (default `off`). Throws `InvalidSetting`.
 */
export function readSettings(contextOf: (name: string) => unknown): Settings {
  const read = (name: string, form: RegExp, description: string): string | undefined => {
    const value = textOf(name, contextOf(name));
    if (value !== undefined && !form.test(value))
      throw new InvalidSetting(`The context "${name}" must be ${description}.`);
    return value;
  };
  const stage =
    read('stage', STAGE, 'a word of at most 24 small letters, digits and single hyphens, such as "prod"') ?? 'dev';
  return {
    stage: { name: stage, isForDevelopment: stage === 'dev' || stage.startsWith('dev-') },
    origins: parseOrigins(textOf('origins', contextOf('origins'))),
    domain: domainOf(
      read('domain', DOMAIN, 'a domain name in small letters, such as "api.example.com"'),
      read('certificateArn', CERTIFICATE_ARN, 'the ARN of a certificate in AWS Certificate Manager'),
      read('hostedZoneId', HOSTED_ZONE_ID, 'the id of a Route 53 zone, such as "Z0123456789ABC"'),
    ),
    alarmTopicArn: read('alarmTopicArn', TOPIC_ARN, 'the ARN of an SNS topic'),
    isTraced: read('tracing', SWITCH, '"on" or "off"') === 'on',
  };
}

/** An empty value counts as not given: that is how a deployer takes back what `cdk.json` says. */
function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new InvalidSetting(`The context "${name}" must be text.`);
  return value;
}

function domainOf(
  name: string | undefined,
  certificateArn: string | undefined,
  hostedZoneId: string | undefined,
): Domain | undefined {
  if (name !== undefined && certificateArn !== undefined) return { name, certificateArn, hostedZoneId };
  if (name !== undefined) throw new InvalidSetting('The context "domain" needs "certificateArn" beside it.');
  if (certificateArn !== undefined) throw new InvalidSetting('The context "certificateArn" needs "domain" beside it.');
  if (hostedZoneId !== undefined) throw new InvalidSetting('The context "hostedZoneId" needs "domain" beside it.');
  return undefined;
}

function parseOrigins(text: string | undefined): string[] | undefined {
  const origins = text?.split(',').map((origin) => origin.trim());
  // API Gateway compares origins as text, and browsers send them in exactly this form.
  const wrong = origins?.findIndex((origin) => !isOrigin(origin)) ?? -1;
  if (wrong >= 0) {
    throw new InvalidSetting(
      `The context "origins" must be a list of origins such as "https://www.example.com,https://example.org", but number ${wrong + 1} is none.`,
    );
  }
  return origins;
}

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
