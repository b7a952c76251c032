import { UUIDV7_PATTERN } from '../functions/kernel/ids.ts';
import { InvalidSetting, isOn, type ReadSetting, readNumber, rejectMisspelled } from './setting-readers.ts';

/** The settings of a deployment, which the deployer passes with `cdk --context name=value`. */
export interface Settings {
  readonly stage: Stage;
  /** Origins whose pages may call the API from a browser; `undefined` for all. */
  readonly origins: readonly string[] | undefined;
  /** The deployer's domain for the API; `undefined` for the address that AWS generates. */
  readonly domain: Domain | undefined;
  /** ARN of the SNS topic that receives the alarms; `undefined` if they appear in the console only. */
  readonly alarmTopicArn: string | undefined;
  /** Hours with clicks but without conversions that raise an alarm; `undefined` for no such alarm. */
  readonly quietHours: number | undefined;
  /** True if X-Ray traces the functions. */
  readonly isTraced: boolean;
  /** Throttle of the click route in requests per second; `undefined` for the default in `functions/routes.ts`. */
  readonly clicksPerSecond: number | undefined;
  /** True if changes of referrals become events for the bus and the webhooks. */
  readonly hasEvents: boolean;
  /** Emails to advocates and members; `undefined` without them. */
  readonly emails: EmailSettings | undefined;
  /** True with emails. Routes name it as their setting. */
  readonly hasEmails: boolean;
  /** Where Stripe's events arrive in EventBridge; `undefined` if they arrive at the API's route only. */
  readonly stripe: StripeSource | undefined;
  /** CloudFront in front of the API; `undefined` without it. */
  readonly edge: EdgeSettings | undefined;
  readonly load: LoadSettings;
  /** True if new versions of the functions get their requests gradually. */
  readonly hasRollout: boolean;
  /** True if AWS Backup keeps copies of the table. */
  readonly hasBackups: boolean;
}

/** One deployment of the service. An account and region can have several. */
export interface Stage {
  readonly name: string;
  /** True for `dev` and `dev-…`: their data is deleted with the stack. All other stages keep it. */
  readonly isForDevelopment: boolean;
}

export interface Domain {
  readonly name: string;
  /** ARN of a certificate for `name`, in the region of the stack. */
  readonly certificateArn: string;
  /** Id of the Route 53 zone for the DNS records of `name`; `undefined` if another provider hosts the zone. */
  readonly hostedZoneId: string | undefined;
}

export interface EmailSettings {
  /** The address that sends all emails, in lower case. SES knows it, or its domain, as a verified identity. */
  readonly from: string;
}

export interface StripeSource {
  /** Name of the partner event source that Stripe created in the stack's account and region. */
  readonly eventSource: string;
  /** Id of the program that the payments of this Stripe account belong to. */
  readonly program: string;
}

/** The settings of CloudFront in front of the API (docs/deploy.md, The edge). */
export interface EdgeSettings {
  /** The deployer's domain for CloudFront; `undefined` for the name that AWS generates. */
  readonly domain: EdgeDomain | undefined;
  /** Number of the secret that only CloudFront sends: a higher one replaces it. */
  readonly secret: number;
  /** Number of the API: a higher one replaces it, and so its address. */
  readonly address: number;
  /** Requests that an address may send in five minutes: each limit is for other requests. */
  readonly limits: EdgeLimits;
  /** True if CloudFront has IPv6 addresses. */
  readonly hasIpv6: boolean;
}

export interface EdgeDomain {
  readonly name: string;
  /** ARN of a certificate in us-east-1; `undefined` if the app creates one. */
  readonly certificateArn: string | undefined;
  /** Id of the Route 53 zone for the DNS records of `name`; `undefined` if another provider hosts the zone. */
  readonly hostedZoneId: string | undefined;
}

export interface EdgeLimits {
  /** Clicks, conversions without a token, preflight requests, and pages. */
  readonly visitors: number;
  /** Requests without the token or the signature that they need, or with one of an invalid form. */
  readonly tokens: number;
  /** Requests with a token of a valid form on routes whose own limit is low. */
  readonly management: number;
  /** Requests on the route for Stripe. */
  readonly events: number;
  readonly requests: number;
}

/** The settings of what load may take and cost. */
export interface LoadSettings {
  /** Concurrent executions that are reserved for clicks; `undefined` if clicks share the function `tracking`. */
  readonly clickConcurrency: number | undefined;
  /** True if there are alarms on refused requests, on clicks, on slow responses and on concurrency. */
  readonly hasAlarms: boolean;
  /** Clicks in an hour that raise an alarm. */
  readonly clicksPerHour: number;
  /** The account's quota of concurrent executions in the region. */
  readonly lambdaQuota: number;
  /** The account's budget and the topic that it notifies; `undefined` without a budget. */
  readonly budget: { readonly dollars: number; readonly topicArn: string } | undefined;
}

const STAGE = /^[a-z](?:-?[a-z0-9]){0,23}$/;
const DOMAIN_NAME = '(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z][a-z0-9-]*[a-z0-9]';
const DOMAIN = new RegExp(`^(?=.{4,253}$)${DOMAIN_NAME}$`);
// Without the wildcards of IAM, because a policy contains the address.
const ADDRESS = new RegExp(`^(?=[^@]{1,64}@.{4,253}$)[a-z0-9_+-]+(?:\\.[a-z0-9_+-]+)*@${DOMAIN_NAME}$`);
const CERTIFICATE_ARN = /^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;
const HOSTED_ZONE_ID = /^Z[A-Z0-9]{1,31}$/;
const PROGRAM_ID = new RegExp(`^${UUIDV7_PATTERN}$`);
const RATE = /^[1-9]\d{0,4}$/;
// CloudWatch evaluates at most a day for an alarm.
const HOURS = /^(?:[1-9]|1\d|2[0-4])$/;
// The pattern of https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_CreateEventBus.html, for one partner.
const STRIPE_EVENT_SOURCE = /^(?=.{1,256}$)aws\.partner\/stripe\.com(?:\/[.\-_A-Za-z0-9]+)+$/;
const TOPIC_ARN = /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/;

/** The lowest rate that AWS WAF accepts (https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html). */
const LOWEST_LIMIT = 10;

/** Reads the settings of `NAMES` from the context of the app. Throws `InvalidSetting`, also for a misspelled name. */
export function readSettings(context: Readonly<Record<string, unknown>>): Settings {
  rejectMisspelled(Object.keys(context));
  const read: ReadSetting = (name, pattern, description) => {
    const value = context[name];
    // An empty value removes the value in cdk.json.
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new InvalidSetting(name, `must be ${description}`);
  };
  const stage =
    read('stage', STAGE, 'at most 24 lowercase letters, digits and single hyphens, for example "prod"') ?? 'dev';
  const clicks = read('clicksPerSecond', RATE, 'a whole number from 1 to 99999');
  const quietHours = read('quietHours', HOURS, 'a whole number from 1 to 24');
  const alarmTopicArn = read('alarmTopicArn', TOPIC_ARN, 'the ARN of an SNS topic');
  const isBehindEdge = isOn(read, 'edge');
  const domain = readDomain(read, isBehindEdge);
  const hasEvents = isOn(read, 'events');
  const emails = readEmails(read, hasEvents);
  return {
    stage: { name: stage, isForDevelopment: stage === 'dev' || stage.startsWith('dev-') },
    origins: parseOrigins(read('origins', /^/, 'a string')),
    // With CloudFront, the domain is CloudFront's.
    domain: isBehindEdge ? undefined : withCertificate(domain),
    alarmTopicArn,
    quietHours: quietHours === undefined ? undefined : Number(quietHours),
    isTraced: isOn(read, 'tracing'),
    clicksPerSecond: clicks === undefined ? undefined : Number(clicks),
    hasEvents,
    emails,
    hasEmails: emails !== undefined,
    stripe: readStripe(read),
    edge: readEdge(read, isBehindEdge, domain),
    load: readLoad(read, isBehindEdge, alarmTopicArn),
    hasRollout: isOn(read, 'rollout'),
    hasBackups: isOn(read, 'backups'),
  };
}

function readEmails(read: ReadSetting, hasEvents: boolean): EmailSettings | undefined {
  const from = read('emailFrom', ADDRESS, 'an email address in lower case, for example "referrals@example.com"');
  if (!isOn(read, 'emails')) {
    if (from !== undefined) throw new InvalidSetting('emailFrom', 'requires "emails"');
    return undefined;
  }
  if (!hasEvents) throw new InvalidSetting('emails', 'requires "events"');
  if (from === undefined) {
    throw new InvalidSetting('emails', 'requires "emailFrom", an address of an identity that is verified in SES');
  }
  return { from };
}

function readStripe(read: ReadSetting): StripeSource | undefined {
  const eventSource = read(
    'stripeEventSource',
    STRIPE_EVENT_SOURCE,
    'the name of a partner event source, for example "aws.partner/stripe.com/ed_123"',
  );
  const program = read('stripeProgram', PROGRAM_ID, 'the id of a program: a UUIDv7 in lower case');
  if (eventSource !== undefined && program !== undefined) return { eventSource, program };
  if (eventSource !== undefined) throw new InvalidSetting('stripeEventSource', 'requires "stripeProgram"');
  if (program !== undefined) throw new InvalidSetting('stripeProgram', 'requires "stripeEventSource"');
  return undefined;
}

/** Reads the domain. CloudFront only accepts certificates of us-east-1, where the app can also create one. */
function readDomain(read: ReadSetting, isBehindEdge: boolean): EdgeDomain | undefined {
  const name = read('domain', DOMAIN, 'a domain name in lower case, for example "api.example.com"');
  const certificateArn = read('certificateArn', CERTIFICATE_ARN, 'the ARN of a certificate in AWS Certificate Manager');
  const hostedZoneId = read('hostedZoneId', HOSTED_ZONE_ID, 'the id of a Route 53 zone, for example "Z0123456789ABC"');
  if (name === undefined) {
    if (certificateArn !== undefined) throw new InvalidSetting('certificateArn', 'requires "domain"');
    if (hostedZoneId !== undefined) throw new InvalidSetting('hostedZoneId', 'requires "domain"');
    return undefined;
  }
  if (!isBehindEdge && certificateArn === undefined) throw new InvalidSetting('domain', 'requires "certificateArn"');
  if (isBehindEdge && certificateArn === undefined && hostedZoneId === undefined) {
    throw new InvalidSetting('domain', 'requires "certificateArn" or "hostedZoneId" with "edge"');
  }
  if (isBehindEdge && certificateArn !== undefined && !certificateArn.includes(':acm:us-east-1:')) {
    throw new InvalidSetting('certificateArn', 'must be the ARN of a certificate in us-east-1 with "edge"');
  }
  return { name, certificateArn, hostedZoneId };
}

function withCertificate(domain: EdgeDomain | undefined): Domain | undefined {
  return domain?.certificateArn === undefined ? undefined : { ...domain, certificateArn: domain.certificateArn };
}

function parseOrigins(text: string | undefined): string[] | undefined {
  const origins = text?.split(',').map((origin) => origin.trim());
  // API Gateway compares origins as strings, and browsers send exactly this form.
  const wrong = origins?.findIndex((origin) => !/^https?:/.test(origin) || URL.parse(origin)?.origin !== origin) ?? -1;
  if (wrong < 0) return origins;
  throw new InvalidSetting(
    'origins',
    `must be a list of origins, for example "https://www.example.com,https://example.org", but entry ${wrong + 1} is not an origin`,
  );
}

/** Reads the settings of the edge; `undefined` without `edge=on`. Throws `InvalidSetting`. */
export function readEdge(
  read: ReadSetting,
  isBehindEdge: boolean,
  domain: EdgeDomain | undefined,
): EdgeSettings | undefined {
  const given = {
    edgeSecret: readNumber(read, 'edgeSecret'),
    apiAddress: readNumber(read, 'apiAddress'),
    edgeVisitorLimit: readNumber(read, 'edgeVisitorLimit', LOWEST_LIMIT),
    edgeTokenLimit: readNumber(read, 'edgeTokenLimit', LOWEST_LIMIT),
    edgeManagementLimit: readNumber(read, 'edgeManagementLimit', LOWEST_LIMIT),
    edgeEventLimit: readNumber(read, 'edgeEventLimit', LOWEST_LIMIT),
    edgeRequestLimit: readNumber(read, 'edgeRequestLimit', LOWEST_LIMIT),
  };
  const hasIpv6 = isOn(read, 'edgeIpv6', true);
  if (!isBehindEdge) {
    const [useless] =
      Object.entries({ ...given, edgeIpv6: hasIpv6 ? undefined : 'off' }).find(([, value]) => value !== undefined) ??
      [];
    if (useless !== undefined) throw new InvalidSetting(useless, 'requires "edge"');
    return undefined;
  }
  return {
    domain,
    secret: given.edgeSecret ?? 1,
    address: given.apiAddress ?? 1,
    limits: {
      visitors: given.edgeVisitorLimit ?? 300,
      tokens: given.edgeTokenLimit ?? 100,
      management: given.edgeManagementLimit ?? 1500,
      events: given.edgeEventLimit ?? 6000,
      requests: given.edgeRequestLimit ?? 20_000,
    },
    hasIpv6,
  };
}

/** Reads the settings of load. Throws `InvalidSetting`. */
function readLoad(read: ReadSetting, isBehindEdge: boolean, topicArn: string | undefined): LoadSettings {
  const dollars = readNumber(read, 'monthlyBudget');
  if (dollars !== undefined && topicArn === undefined) {
    throw new InvalidSetting('monthlyBudget', 'requires "alarmTopicArn"');
  }
  return {
    clickConcurrency: readNumber(read, 'clickConcurrency'),
    hasAlarms: isOn(read, 'loadAlarms', isBehindEdge),
    clicksPerHour: readNumber(read, 'clicksPerHour') ?? 100_000,
    lambdaQuota: readNumber(read, 'lambdaQuota') ?? 1000,
    budget: dollars === undefined || topicArn === undefined ? undefined : { dollars, topicArn },
  };
}
