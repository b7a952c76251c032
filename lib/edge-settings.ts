import { InvalidSetting, type ReadSetting, readNumber } from './setting-readers.ts';

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
  /** Requests that require a token and do not have one of a valid form. */
  readonly tokens: number;
  readonly requests: number;
}

/** The lowest rate that AWS WAF accepts (https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html). */
const LOWEST_LIMIT = 10;

/** Reads the settings of the edge; `undefined` without `edge=on`. Throws `InvalidSetting`. */
export function readEdge(read: ReadSetting, isOn: boolean, domain: EdgeDomain | undefined): EdgeSettings | undefined {
  const given = {
    edgeSecret: readNumber(read, 'edgeSecret'),
    apiAddress: readNumber(read, 'apiAddress'),
    edgeVisitorLimit: readNumber(read, 'edgeVisitorLimit', LOWEST_LIMIT),
    edgeTokenLimit: readNumber(read, 'edgeTokenLimit', LOWEST_LIMIT),
    edgeRequestLimit: readNumber(read, 'edgeRequestLimit', LOWEST_LIMIT),
  };
  if (!isOn) {
    const [useless] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
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
      requests: given.edgeRequestLimit ?? 20_000,
    },
  };
}
