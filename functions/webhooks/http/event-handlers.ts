import type { Table } from '../../kernel/dynamodb/table.ts';
import type { HttpHandler } from '../../kernel/http/context.ts';
import { cursorOf, listResponse } from '../../kernel/http/list.ts';
import { json } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { readDeliveries } from '../table/deliveries.ts';
import { testWebhook } from './deliveries.ts';
import { idInPath } from './handlers.ts';
import { parseDeliveriesQuery, parseReplay, parseResend, toDelivery, toReplay } from './mapping.ts';
import type { IntegrationParts } from './parts.ts';
import { replayWithin, requireEnabled, resendEvent } from './past-events.ts';
import { WEBHOOK_ROUTES } from './routes.ts';
import { requireWebhook } from './webhooks.ts';

/** `POST /v2/webhooks/{id}/test`: the delivery of a signed test event. */
export function testHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.testWebhook,
    service,
    input: idInPath,
    handle: async ({ caller: { program }, input: id, table }) =>
      json(200, { data: toDelivery(await testWebhook({ table, ...parts }, program.id, id)) }),
  });
}

/** `GET /v2/webhooks/{id}/deliveries`: the attempts of the last 7 days, newest first. */
export function deliveriesHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.listDeliveries,
    service,
    input: (event) => ({ id: idInPath(event), ...parseDeliveriesQuery(event) }),
    handle: async ({ caller: { program }, input: { id, paging, succeeded }, table, event }) => {
      const webhook = await requireWebhook(table, program.id, id);
      const list = ['deliveries', program.id, webhook.id, succeeded];
      const { page, after } = cursorOf(paging, list);
      const wanted = { after, size: paging.perPage, succeeded };
      const { deliveries, next } = await readDeliveries(table, program.id, webhook.id, wanted);
      return listResponse(event, paging, list, { page, next, data: deliveries.map(toDelivery) });
    },
  });
}

/** `POST /v2/webhooks/{id}/resend`: queues one event again. */
export function resendHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.resendEvent,
    service,
    input: (event, body) => ({ id: idInPath(event), eventId: parseResend(body) }),
    handle: async ({ caller: { program }, input: { id, eventId }, table }) =>
      json(202, { data: toReplay(await resendEvent({ table, ...parts }, program.id, id, eventId), 1) }),
  });
}

/** `POST /v2/webhooks/{id}/replay`: queues the events of a period again. */
export function replayHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.replayEvents,
    service,
    input: (event, body) => ({ id: idInPath(event), setAt: parseReplay(body) }),
    handle: async ({ caller, input: { id, setAt }, table }) => {
      const program = caller.program.id;
      const webhook = await requireEnabled(table, program, id);
      const queued = await replayWithin({ table, ...parts }, { program, webhook, setAt });
      return json(200, { data: toReplay(webhook, queued) });
    },
  });
}
