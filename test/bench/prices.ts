/**
 * AWS prices in US dollars: us-east-1, first tier, without free tiers, as of November 2026, from the pages named below. If
 * a price or the region changes, edit this file, run `npm run costs`, and copy its output into `docs/deploy.md`.
 */
export const PRICES = {
  /** https://aws.amazon.com/api-gateway/pricing/: HTTP API, a request. */
  apiRequest: 1 / 1_000_000,
  /** https://aws.amazon.com/lambda/pricing/: a request, and a gigabyte-second on Arm. */
  lambdaRequest: 0.2 / 1_000_000,
  lambdaGigabyteSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/: request units, and a gigabyte for a month. */
  writeUnit: 0.625 / 1_000_000,
  readUnit: 0.125 / 1_000_000,
  storedGigabyte: 0.25,
  /** Point-in-time recovery of a gigabyte for a month. */
  recoverableGigabyte: 0.2,
  /** https://aws.amazon.com/eventbridge/pricing/: an event of up to 64 KB on a custom bus. */
  busEvent: 1 / 1_000_000,
  /** https://aws.amazon.com/sqs/pricing/: a request, and what a request of a fair queue costs besides. */
  queueRequest: 0.4 / 1_000_000,
  fairQueueRequest: 0.1 / 1_000_000,
  /** https://aws.amazon.com/ses/pricing/: an email. */
  email: 0.1 / 1000,
  /** https://aws.amazon.com/kms/pricing/: a request. Requests for AWS managed keys are also charged. */
  keyRequest: 0.03 / 10_000,
  /** https://aws.amazon.com/cloudwatch/pricing/: a gigabyte of logs written, and kept for a month. */
  logGigabyte: 0.5,
  keptLogGigabyte: 0.03,
  /** One metric of an alarm, and a dashboard, for a month. */
  alarmMetric: 0.1,
  /** A metric that the functions write, for a month. */
  customMetric: 0.3,
  dashboard: 3,
  /** https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer: a gigabyte to the internet. */
  gigabyteOut: 0.09,
  /** https://aws.amazon.com/cloudfront/pricing/pay-as-you-go/: an HTTPS request, and a gigabyte to viewers. */
  edgeRequest: 0.01 / 10_000,
  edgeGigabyteOut: 0.085,
  /** https://aws.amazon.com/cloudfront/pricing/pay-as-you-go/: a call of a CloudFront Function. */
  edgeFunctionCall: 0.1 / 1_000_000,
  /** https://aws.amazon.com/waf/pricing/: a web ACL and a rule for a month, and an inspected request. */
  webAcl: 5,
  webAclRule: 1,
  webAclRequest: 0.6 / 1_000_000,
  /** https://aws.amazon.com/secrets-manager/pricing/: a secret for a month. */
  secret: 0.4,
  /** https://aws.amazon.com/xray/pricing/: a recorded trace. */
  trace: 5 / 1_000_000,
} as const;

/** Traces that X-Ray records for free, each month. */
export const FREE_TRACES = 100_000;

/**
 * CloudFront's flat-rate plans for one distribution and a month, with AWS WAF and the ingestion of logs, by the requests
 * that they allow: Pro, Business, and the levels of Premium (https://aws.amazon.com/cloudfront/pricing/). Blocked requests
 * do not count, and more requests do not cost more.
 */
export const PLANS = [
  { name: 'Pro', requests: 10e6, dollars: 15 },
  { name: 'Business', requests: 125e6, dollars: 200 },
  { name: 'Premium', requests: 500e6, dollars: 1000 },
  { name: 'Premium', requests: 750e6, dollars: 1450 },
  { name: 'Premium', requests: 1.25e9, dollars: 2250 },
  { name: 'Premium', requests: 2e9, dollars: 3500 },
  { name: 'Premium', requests: 3.5e9, dollars: 6000 },
  { name: 'Premium', requests: 6e9, dollars: 10_000 },
] as const;
