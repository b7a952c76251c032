import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import click from '../events/click.json' with { type: 'json' };
import conversionV1 from '../events/conversion-v1.json' with { type: 'json' };
import conversionV2 from '../events/conversion-v2.json' with { type: 'json' };
import dashboard from '../events/dashboard.json' with { type: 'json' };
import getAdvocate from '../events/get-advocate.json' with { type: 'json' };
import listAdvocates from '../events/list-advocates.json' with { type: 'json' };
import listReferrals from '../events/list-referrals.json' with { type: 'json' };
import listReferralsV2 from '../events/list-referrals-v2.json' with { type: 'json' };
import listWebhooks from '../events/list-webhooks.json' with { type: 'json' };
import portal from '../events/portal.json' with { type: 'json' };
import replayEvents from '../events/replay-events.json' with { type: 'json' };
import script from '../events/script.json' with { type: 'json' };
import stripeEvent from '../events/stripe-event.json' with { type: 'json' };

/** Whole events of API Gateway: of V1, and one of each shape. */
const FIXTURES: Partial<Record<OperationId, APIGatewayProxyEventV2>> = {
  trackClick: click,
  trackConversionV1: conversionV1,
  trackConversionV2: conversionV2,
  getDashboard: dashboard,
  getAdvocate,
  listAdvocates,
  listReferrals,
  listReferralsV2,
  listWebhooks,
  getPortal: portal,
  replayEvents,
  getScript: script,
  receiveStripeEvent: stripeEvent,
};

const PARAMETERS = { slug: 'jane-doe', id: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071' };

/** The event fixture of an operation, or else one of the same shape with the operation's route. */
export function eventFixture(operation: OperationId): APIGatewayProxyEventV2 {
  const own = FIXTURES[operation];
  if (own) return own;
  const { method, path, access } = ROUTES[operation];
  const hasBody = !['GET', 'DELETE'].includes(method);
  const like: APIGatewayProxyEventV2 = access === 'anyone' ? script : hasBody ? replayEvents : getAdvocate;
  const { body: _, pathParameters: __, ...shape } = like;
  const routeKey = `${method} ${path}`;
  const parameters = Object.entries(PARAMETERS).filter(([name]) => path.includes(`{${name}}`));
  const rawPath = parameters.reduce<string>((before, [name, value]) => before.replace(`{${name}}`, value), path);
  const http = { ...shape.requestContext.http, method, path: rawPath };
  return {
    ...shape,
    routeKey,
    rawPath,
    ...(parameters.length > 0 && { pathParameters: Object.fromEntries(parameters) }),
    requestContext: { ...shape.requestContext, http, routeKey },
  };
}
