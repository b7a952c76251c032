import { serviceOn } from '../kernel/accounts/table/callers.ts';
import type { Connection } from '../kernel/dynamodb/connection.ts';
import type { Edge } from '../kernel/edge.ts';
import type { HttpHandler } from '../kernel/http/context.ts';
import { byRoute } from '../kernel/http/route-handler.ts';
import { type OperationOf, ROUTES } from '../routes.ts';
import * as stripe from '../stripe/http/handlers.ts';
import * as events from '../webhooks/http/event-handlers.ts';
import * as webhooks from '../webhooks/http/handlers.ts';
import type { IntegrationParts } from '../webhooks/http/parts.ts';

/** The operations on webhooks and on the connection to Stripe. */
export function integrationsHandler(connection: Connection, parts: IntegrationParts, edge?: Edge): HttpHandler {
  const service = serviceOn(connection, edge);
  return byRoute<OperationOf<'integrations'>>(ROUTES, {
    listWebhooks: webhooks.listHandler(service),
    createWebhook: webhooks.createHandler(service, parts),
    getWebhook: webhooks.getHandler(service),
    updateWebhook: webhooks.updateHandler(service, parts),
    deleteWebhook: webhooks.deleteHandler(service, parts),
    rotateWebhookSecret: webhooks.rotateHandler(service, parts),
    testWebhook: events.testHandler(service, parts),
    listDeliveries: events.deliveriesHandler(service),
    resendEvent: events.resendHandler(service, parts),
    replayEvents: events.replayHandler(service, parts),
    getStripe: stripe.getHandler(service, parts.secrets),
    connectStripe: stripe.connectHandler(service, parts.secrets),
    disconnectStripe: stripe.disconnectHandler(service, parts.secrets),
  });
}
