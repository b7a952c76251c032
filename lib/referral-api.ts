import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpStage,
  IpAddressType,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Duration, Validations } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { CORS, type FunctionName, ROUTES, type Route, routeKey } from '../functions/routes.ts';
import { CustomDomain } from './custom-domain.ts';
import type { EndpointFunction } from './endpoint-function.ts';
import { stageLogGroup } from './logs.ts';
import type { Settings } from './settings.ts';

/** For a route without bounds of its own: few calls a second, so that nothing is open by oversight. */
const DEFAULT_THROTTLE = { rateLimit: 10, burstLimit: 20 };

/**
 * One line of JSON for each request. No address, user agent or header, and no path either: of an unknown path nobody
 * knows what it holds. All values are quoted, for API Gateway writes "-" for what it lacks.
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

export type EndpointFunctions = Readonly<Record<FunctionName, EndpointFunction>>;

/** The HTTP API: the routes of `functions/routes.ts`, each to its function and with its own throttle. */
export class ReferralApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;
  /** Address in front of the paths, without a slash at its end. */
  readonly baseUrl: string;

  constructor(scope: Construct, id: string, functions: EndpointFunctions, settings: Settings) {
    super(scope, id);
    const { stage, domain } = settings;
    this.api = new HttpApi(this, 'HttpApi', {
      apiName: `referral-tracking-${stage.name}`,
      createDefaultStage: false,
      ipAddressType: IpAddressType.DUAL_STACK,
      corsPreflight: {
        allowOrigins: [...(settings.origins ?? ['*'])],
        allowCredentials: false,
        allowMethods: CORS.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...CORS.requestHeaders],
        exposeHeaders: [...CORS.responseHeaders],
        maxAge: Duration.seconds(CORS.maxAge),
      },
    });
    const customDomain = domain && new CustomDomain(this, 'Domain', domain);
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: DEFAULT_THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(stageLogGroup(this, 'AccessLogs', stage)),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
      ...(customDomain && { domainMapping: { domainName: customDomain.domainName } }),
    });
    // The address that AWS gave keeps working beside the domain: who adds one later must not cut off their callers.
    this.baseUrl = domain ? `https://${domain.name}` : this.api.apiEndpoint;
    this.addRoutes(functions);
  }

  private addRoutes(functions: EndpointFunctions): void {
    const integrations = integrationsOf(functions);
    const routes: readonly Route[] = Object.values(ROUTES);
    const throttles = routes.map((route) => [
      routeKey(route),
      { ThrottlingRateLimit: route.throttle.rate, ThrottlingBurstLimit: route.throttle.burst },
    ]);
    for (const { method, path, function: name } of routes) {
      const added = this.api.addRoutes({
        path,
        methods: [HttpMethod[method]],
        integration: integrations[name],
      });
      // Bounds for a route that does not exist yet are refused.
      this.stage.node.addDependency(...added);
      for (const route of added) {
        Validations.of(route).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason:
            'Each function checks the bearer token itself: an authorizer would be one more function to call and could not answer with the {error} body of the interface. Clicks and the script take no token: visitors have none.',
        });
      }
    }
    const stage = this.stage.node.defaultChild;
    if (!(stage instanceof CfnStage)) throw new Error('The stage of the HTTP API is no CfnStage.');
    stage.routeSettings = Object.fromEntries(throttles);
  }
}

/** One integration for each function, whatever the number of its routes; Lambda lets in those routes only. */
function integrationsOf(functions: EndpointFunctions): Readonly<Record<FunctionName, HttpLambdaIntegration>> {
  const integration = ({ name, lambda }: EndpointFunction) => new HttpLambdaIntegration(name, lambda);
  return {
    tracking: integration(functions.tracking),
    advocates: integration(functions.advocates),
    referrals: integration(functions.referrals),
  };
}
