import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpStage,
  IpAddressType,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ApiGatewayv2DomainProperties } from 'aws-cdk-lib/aws-route53-targets';
import { Duration, Stack, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CORS, type FunctionName, methodsOf, type Route, routeKeys } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import type { Domain, Settings } from '../settings.ts';
import { addDomainRecords } from './domain-records.ts';
import { isDeployed } from './public-routes.ts';
import { type ServiceFunction, stageLogGroup } from './service-function.ts';

/** The throttle of routes without one. It is low, so that no route is unlimited by mistake. */
const DEFAULT_THROTTLE = { rateLimit: 10, burstLimit: 20 };

/**
 * One line of JSON per request (docs/contract.md, Privacy). IP addresses, user agents, headers and paths are left out,
 * because they may identify a person. All values are strings, because API Gateway writes "-" for a missing one.
 */
const ACCESS_LOG = {
  requestId: '$context.requestId',
  requestTimeEpoch: '$context.requestTimeEpoch',
  routeKey: '$context.routeKey',
  status: '$context.status',
  responseLength: '$context.responseLength',
  responseLatency: '$context.responseLatency',
  integrationLatency: '$context.integrationLatency',
  integrationStatus: '$context.integrationStatus',
  integrationRequestId: '$context.integration.requestId',
  integrationError: '$context.integration.error',
  gatewayError: '$context.error.responseType',
};

/** The functions behind the API, but functions whose setting is off. `clicks` replaces `tracking` for clicks. */
export type ApiFunctions = Readonly<Partial<Record<FunctionName | 'clicks', ServiceFunction>>>;

/** What the construct needs from the rest of the stack. */
export interface ReferralApiProps {
  readonly functions: ApiFunctions;
  /** What API Gateway invokes instead of a function: its alias. */
  readonly targets?: Readonly<Partial<Record<string, IFunction>>> | undefined;
  readonly settings: Settings;
}

/**
 * The HTTP API with the routes of `functions/routes.ts` that the settings include, each with its function and throttle.
 */
export class ReferralApi extends Construct {
  readonly stage: HttpStage;
  /** The base URL of the paths, without a trailing slash. */
  readonly baseUrl: string;
  /** Host name of the API itself, even if it has a domain. */
  readonly hostName: string;

  constructor(scope: Construct, id: string, { functions, targets = {}, settings }: ReferralApiProps) {
    super(scope, id);
    const { stage, domain, origins = ['*'], edge } = settings;
    // Another id makes another API, with another address.
    const number = edge && edge.address > 1 ? edge.address : '';
    const api = new HttpApi(this, `HttpApi${number}`, {
      apiName: `referral-tracking-${stage.name}`,
      createDefaultStage: false,
      ipAddressType: IpAddressType.DUAL_STACK,
      corsPreflight: {
        allowOrigins: [...origins],
        allowCredentials: false,
        allowMethods: CORS.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...CORS.requestHeaders],
        exposeHeaders: [...CORS.responseHeaders],
        maxAge: Duration.seconds(CORS.maxAge),
      },
    });
    const domainName = domain && new CustomDomain(this, 'Domain', domain).domainName;
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: DEFAULT_THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(stageLogGroup(this, 'AccessLogs', stage)),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
      ...(domainName && { domainMapping: { domainName } }),
    });
    // The generated address keeps working with a domain: adding one later must not break callers.
    this.baseUrl = domain ? `https://${domain.name}` : api.apiEndpoint;
    const { region, urlSuffix } = Stack.of(this);
    this.hostName = `${api.apiId}.execute-api.${region}.${urlSuffix}`;
    this.addRoutes(api, { functions, targets, settings });
  }

  private addRoutes(api: HttpApi, { functions, targets = {}, settings }: ReferralApiProps): void {
    // All routes of a function share its integration, because each integration adds resources to the stack.
    const integrations = Object.fromEntries(
      Object.entries(functions).map(([name, { lambda }]) => [
        name,
        new HttpLambdaIntegration(name, targets[name] ?? lambda),
      ]),
    );
    const deployed = Object.entries<Route>(ROUTES).filter(([, route]) => isDeployed(route, settings));
    for (const [operation, route] of deployed) {
      const { path, function: name } = route;
      const integration = integrations[functions.clicks && operation === 'trackClick' ? 'clicks' : name];
      if (!integration) throw new Error(`The function ${name} is missing.`);
      const methods = methodsOf(route).map((method) => HttpMethod[method]);
      const added = api.addRoutes({ path, methods, integration });
      // API Gateway rejects a throttle for a route that does not exist yet.
      this.stage.node.addDependency(...added);
      for (const each of added) {
        Validations.of(each).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason:
            'Each function checks the bearer token itself. An authorizer would add an invocation and could not return an error in the format of the API. Clicks and the tracking script need no token, because visitors have none.',
        });
      }
    }
    const stage = this.stage.node.defaultChild;
    if (!(stage instanceof CfnStage)) throw new Error('The stage of the HTTP API is not a CfnStage.');
    stage.routeSettings = Object.fromEntries(
      deployed.flatMap(([, route]) => {
        const { rate, burst } = throttleOf(route, settings);
        return routeKeys(route).map((key) => [key, { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst }]);
      }),
    );
  }
}

/** The throttle of a route, or the deployer's own throttle. */
function throttleOf({ throttle, throttleSetting }: Route, settings: Settings): Route['throttle'] {
  const rate = throttleSetting && settings[throttleSetting];
  return rate === undefined ? throttle : { rate, burst: 2 * rate };
}

/** The deployer's domain for the API, with DNS records if Route 53 hosts its zone. */
class CustomDomain extends Construct {
  readonly domainName: DomainName;

  constructor(scope: Construct, id: string, { name, certificateArn, hostedZoneId }: Domain) {
    super(scope, id);
    this.domainName = new DomainName(this, 'DomainName', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    const { regionalDomainName, regionalHostedZoneId } = this.domainName;
    addDomainRecords(this, {
      name,
      hostedZoneId,
      target: new ApiGatewayv2DomainProperties(regionalDomainName, regionalHostedZoneId),
      targetName: regionalDomainName,
      hasIpv6: true,
    });
  }
}
