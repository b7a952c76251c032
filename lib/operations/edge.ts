import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  Function as CloudFrontFunction,
  Distribution,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  type IResponseHeadersPolicy,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { Aws, Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { ORIGIN_HEADER } from '../../functions/kernel/http/edge.ts';
import { addDomainRecords } from '../api/domain-records.ts';
import { staticPaths } from '../api/public-routes.ts';
import type { ReferralApi } from '../api/referral-api.ts';
import type { Settings } from '../settings.ts';
import { edgeFunctionCode, TRANSPORT_SECURITY_AGE } from './edge-function.ts';
import type { EdgeSecret } from './edge-secret.ts';

export interface EdgeProps {
  readonly api: ReferralApi;
  readonly secret: EdgeSecret;
  readonly settings: Settings;
  /** Of the stack in us-east-1. */
  readonly webAclArn: string;
  readonly certificateArn: string | undefined;
}

/**
 * The statuses of errors that CloudFront would cache for ten seconds, even where nothing else is cached
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html): one caller
 * would get another caller's 404.
 */
const CACHED_ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

const YEAR = Duration.days(365);

/** Names of policies and functions belong to the account, in all regions. */
const nameOf = ({ stage }: Settings) => `referral-tracking-${stage.name}-${Aws.REGION}`;

/** CloudFront in front of the API, and the DNS records of its domain. */
export class Edge extends Construct {
  readonly distribution: Distribution;
  /** The base URL for callers, without a trailing slash. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, props: EdgeProps) {
    super(scope, id);
    const { api, secret, settings, webAclArn, certificateArn } = props;
    const domain = settings.edge?.domain;
    const origin = new HttpOrigin(api.hostName, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      // API Gateway responds within 30 seconds.
      readTimeout: Duration.seconds(30),
      customHeaders: { [ORIGIN_HEADER]: secret.value },
    });
    const policies = this.policies(settings);
    const check = new CloudFrontFunction(this, 'Check', {
      functionName: nameOf(settings),
      comment: 'Refuses tokens and signatures of an invalid form',
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromInline(edgeFunctionCode(settings)),
    });
    const staticFile = (path: string): BehaviorOptions => ({
      origin,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: policies.cache,
      responseHeadersPolicy: path.endsWith('.js') ? policies.script : policies.secure,
      compress: true,
    });
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Referral tracking, ${settings.stage.name}`,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableIpv6: settings.edge?.hasIpv6 ?? true,
      webAclId: webAclArn,
      ...(domain &&
        certificateArn !== undefined && {
          domainNames: [domain.name],
          minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
          certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
        }),
      defaultBehavior: {
        origin,
        // A redirect would come too late for a token that was sent without encryption.
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: AllowedMethods.ALLOW_ALL,
        cachePolicy: CachePolicy.CACHING_DISABLED,
        // API Gateway responds with 403 to the Host header of another domain.
        originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        responseHeadersPolicy: policies.secure,
        functionAssociations: [{ eventType: FunctionEventType.VIEWER_REQUEST, function: check }],
      },
      additionalBehaviors: Object.fromEntries(staticPaths(settings).map((path) => [path, staticFile(path)])),
      errorResponses: CACHED_ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    });
    this.acknowledge(domain !== undefined);
    this.baseUrl = `https://${domain?.name ?? this.distribution.distributionDomainName}`;
    if (!domain) return;
    // The ids of the API's own records: a deployment that adds CloudFront changes them instead of adding others.
    addDomainRecords(new Construct(api, 'Domain'), {
      ...domain,
      target: new CloudFrontTarget(this.distribution),
      targetName: this.distribution.distributionDomainName,
      hasIpv6: settings.edge?.hasIpv6 ?? true,
    });
  }

  /** The policies of caching and of response headers. */
  private policies(settings: Settings) {
    const { origins = ['*'] } = settings;
    const name = nameOf(settings);
    // Not for subdomains and not for browsers' lists: the domain is the deployer's.
    const strictTransportSecurity = {
      accessControlMaxAge: Duration.seconds(TRANSPORT_SECURITY_AGE),
      includeSubdomains: false,
      override: true,
    };
    const securityHeadersBehavior = { strictTransportSecurity };
    const headersOf = (id: string, options: object): IResponseHeadersPolicy =>
      new ResponseHeadersPolicy(this, id, {
        responseHeadersPolicyName: `${name}-${id.toLowerCase()}`,
        securityHeadersBehavior,
        ...options,
      });
    return {
      // As the origin's headers say: without a lifetime, or with no-cache, CloudFront asks the origin each time, with
      // the ETag. The managed policies keep files for at least a second, or forward the Host header.
      cache: new CachePolicy(this, 'Static', {
        cachePolicyName: `${name}-static`,
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: YEAR,
        headerBehavior: CacheHeaderBehavior.none(),
        cookieBehavior: CacheCookieBehavior.none(),
        queryStringBehavior: CacheQueryStringBehavior.none(),
        enableAcceptEncodingGzip: true,
        enableAcceptEncodingBrotli: true,
      }),
      secure: headersOf('Secure', {}),
      // API Gateway adds CORS headers only to requests with an Origin, which a cached file must not depend on. A script
      // with an integrity attribute needs them.
      script: headersOf('Script', {
        corsBehavior: {
          accessControlAllowCredentials: false,
          accessControlAllowHeaders: ['*'],
          accessControlAllowMethods: ['GET', 'HEAD'],
          accessControlAllowOrigins: [...origins],
          originOverride: true,
        },
      }),
    };
  }

  private acknowledge(hasDomain: boolean): void {
    Validations.of(this.distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'The customers of a merchant may live anywhere.' },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'The access log is a delivery of CloudWatch Logs, in a stack in us-east-1. The older log would contain the addresses of visitors.',
      },
      ...(hasDomain
        ? []
        : [
            {
              id: 'AwsSolutions-CFR4',
              reason: 'The name that AWS generates has a certificate of AWS, whose TLS version cannot be chosen.',
            },
          ]),
    );
  }
}
