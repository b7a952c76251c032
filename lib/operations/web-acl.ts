import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Route } from '../../functions/kernel/http/route.ts';
import {
  BUSY_ROUTES,
  PUBLIC_KEY_PATHS,
  patternsByMethod,
  SCRIPT_PATHS,
  SIGNED_PREFIXES,
  VISITOR_ROUTES,
} from '../api/public-routes.ts';
import type { EdgeLimits } from '../settings.ts';

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
const header = (name: string) => ({ fieldToMatch: { singleHeader: { Name: name } }, textTransformations: UNCHANGED });

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
    ...header('authorization'),
  },
};
/** One pattern of up to 512 characters for each method takes less capacity than a statement for each path. */
const toRoutes = (routes: readonly Route[]): Statement =>
  anyOf(
    ...patternsByMethod(routes).map(([name, regexString]) =>
      allOf(method(name), { regexMatchStatement: { regexString, ...PATH } }),
    ),
  );
const headerMatches = (name: string, regexString: string): Statement => ({
  regexMatchStatement: { regexString, ...header(name) },
});
/** The scheme in any case, and a token with the right prefix and length. `edge-check.ts` computes the checksum. */
const hasTokenShape = headerMatches('authorization', '^[Bb][Ee][Aa][Rr][Ee][Rr] +rt[pa]_[0-9A-Za-z]{36}$');
/** A time and a signature. `edge-check.ts` compares the time. */
const hasSignatureShape = allOf(
  headerMatches('stripe-signature', '(^|,)t=[1-9][0-9]{0,11}(,|$)'),
  headerMatches('stripe-signature', '(^|,)v1=[^,=]'),
);

/**
 * Clicks, conversions from pages, preflight requests, sign-ins, and the service's own pages. They share one limit: it also bounds
 * what they cost.
 */
const fromVisitors = anyOf(
  method('OPTIONS'),
  toRoutes(VISITOR_ROUTES),
  ...PUBLIC_KEY_PATHS.map((each) => allOf(path(each), not(hasAuthorization))),
);
/** Only `GET` of a script is answered at the edge. */
const ofScript = allOf(method('GET'), anyOf(...SCRIPT_PATHS.map((each) => path(each))));
const ofStripe = anyOf(...SIGNED_PREFIXES.map((each) => path(each, 'STARTS_WITH')));
/** All that needs a token or a signature, without one. */
const withoutToken = allOf(
  not(ofScript),
  not(allOf(ofStripe, hasSignatureShape)),
  not(hasTokenShape),
  not(fromVisitors),
);
/** Tokens of the right form on routes that one address could silence at the limit of all requests. */
const toManagement = allOf(hasTokenShape, not(toRoutes(BUSY_ROUTES)), not(ofStripe), not(fromVisitors));

/** The firewall of the edge. It never reads an address from a header, and keeps no samples of requests. */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(scope: Construct, id: string, { visitors, tokens, management, events, requests }: EdgeLimits) {
    super(scope, id);
    const rules = [
      managed('AWSManagedRulesAmazonIpReputationList'),
      managed('AWSManagedRulesKnownBadInputsRuleSet'),
      limited('Visitors', visitors, fromVisitors),
      limited('Tokens', tokens, withoutToken),
      limited('Management', management, toManagement),
      limited('Events', events, ofStripe),
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
