import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { EdgeLimits } from './edge-settings.ts';
import { PUBLIC_KEY_PATHS, SCRIPT_PATHS, SIGNED_PREFIXES, VISITOR_PATHS } from './public-routes.ts';

type Statement = CfnWebACL.StatementProperty;

/** Five minutes, in seconds. */
const WINDOW = 300;
const BODY = 'TooManyRequests';

/** Without encoded characters and dot segments, which could make a path look like another one. */
const PATH = {
  fieldToMatch: { uriPath: {} },
  textTransformations: [
    { priority: 0, type: 'URL_DECODE' },
    { priority: 1, type: 'NORMALIZE_PATH' },
  ],
};
const UNCHANGED = [{ priority: 0, type: 'NONE' }];
const AUTHORIZATION = { singleHeader: { Name: 'authorization' } };

const allOf = (...statements: Statement[]): Statement => ({ andStatement: { statements } });
/** AWS WAF refuses a choice of one. */
const anyOf = (...statements: Statement[]): Statement => {
  const [only, ...others] = statements;
  return only && others.length === 0 ? only : { orStatement: { statements } };
};
const not = (statement: Statement): Statement => ({ notStatement: { statement } });

const path = (searchString: string, positionalConstraint = 'EXACTLY'): Statement => ({
  byteMatchStatement: { searchString, positionalConstraint, ...PATH },
});
const method = (searchString: string): Statement => ({
  byteMatchStatement: {
    searchString,
    positionalConstraint: 'EXACTLY',
    fieldToMatch: { method: {} },
    textTransformations: UNCHANGED,
  },
});
/** A statement about a header is false for a request without the header, whatever the size. */
const hasAuthorization: Statement = {
  sizeConstraintStatement: {
    comparisonOperator: 'GE',
    size: 0,
    fieldToMatch: AUTHORIZATION,
    textTransformations: UNCHANGED,
  },
};
/** The scheme in any case, and a token with the right prefix and length. AWS WAF cannot compute the checksum. */
const hasTokenShape: Statement = {
  regexMatchStatement: {
    regexString: '^[Bb][Ee][Aa][Rr][Ee][Rr] +rt[pa]_[0-9A-Za-z]{36}$',
    fieldToMatch: AUTHORIZATION,
    textTransformations: UNCHANGED,
  },
};

/**
 * Clicks, conversions from pages, preflight requests, and the service's own pages. They share one limit: it also bounds
 * what they cost.
 */
const fromVisitors = anyOf(
  method('OPTIONS'),
  ...VISITOR_PATHS.map((each) => path(each)),
  ...PUBLIC_KEY_PATHS.map((each) => allOf(path(each), not(hasAuthorization))),
);
/** All that needs a token, without one. Only `GET` of a script is answered at the edge. */
const withoutToken = allOf(
  not(allOf(method('GET'), anyOf(...SCRIPT_PATHS.map((each) => path(each))))),
  not(anyOf(...SIGNED_PREFIXES.map((each) => path(each, 'STARTS_WITH')))),
  not(hasTokenShape),
  not(fromVisitors),
);

/** The firewall of the edge. It never reads an address from a header, and keeps no samples of requests. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { visitors, tokens, requests }: EdgeLimits) {
    super(scope, id);
    const rules = [
      managed('AWSManagedRulesAmazonIpReputationList'),
      managed('AWSManagedRulesKnownBadInputsRuleSet'),
      limited('Visitors', visitors, fromVisitors),
      limited('Tokens', tokens, withoutToken),
      limited('Requests', requests),
    ];
    const acl = new CfnWebACL(this, 'WebAcl', {
      scope: 'CLOUDFRONT',
      description: 'Referral tracking: limits for each address',
      defaultAction: { allow: {} },
      visibilityConfig: visibility('WebAcl'),
      customResponseBodies: {
        [BODY]: { contentType: 'APPLICATION_JSON', content: JSON.stringify({ message: 'Too Many Requests' }) },
      },
      rules: rules.map((rule, priority) => ({ ...rule, priority })),
    });
    this.arn = acl.attrArn;
  }
}

/** Samples of requests would contain addresses (docs/contract.md, Privacy). */
const visibility = (metricName: string) => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});

/** A rule group of AWS, with its own actions. */
function managed(name: string) {
  return {
    name,
    statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
    overrideAction: { none: {} },
    visibilityConfig: visibility(name),
  };
}

/**
 * A limit for each address, as CloudFront sees it. What is over gets API Gateway's own 429, which callers know. Any page
 * may read it, so that the browser reports no error of CORS.
 */
function limited(name: string, limit: number, scopeDownStatement?: Statement) {
  return {
    name,
    statement: {
      rateBasedStatement: {
        aggregateKeyType: 'IP',
        limit,
        evaluationWindowSec: WINDOW,
        ...(scopeDownStatement && { scopeDownStatement }),
      },
    },
    action: {
      block: {
        customResponse: {
          responseCode: 429,
          customResponseBodyKey: BODY,
          responseHeaders: [
            { name: 'access-control-allow-origin', value: '*' },
            { name: 'retry-after', value: String(WINDOW) },
          ],
        },
      },
    },
    visibilityConfig: visibility(name),
  };
}
