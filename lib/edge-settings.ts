import { InvalidSetting, isOn, type ReadSetting, readNumber } from './setting-readers.ts';

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

/** The lowest rate that AWS WAF accepts (https://docs.aws.amazon.com/waf/latest/APIReference/API_RateBasedStatement.html). */
const LOWEST_LIMIT = 10;

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
