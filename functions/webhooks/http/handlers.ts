import type { Table } from '../../kernel/dynamodb/table.ts';
import type { HttpEvent, HttpHandler } from '../../kernel/http/context.ts';
import { json, noContent } from '../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../kernel/http/validation.ts';
import { listProgramWebhooks } from '../table/program-webhooks.ts';
import { parseNewWebhook, parseUpdate, toNewWebhook, toWebhook } from './mapping.ts';
import type { IntegrationParts } from './parts.ts';
import { WEBHOOK_ROUTES } from './routes.ts';
import { createWebhook, deleteWebhook, requireWebhook, rotateWebhookSecret, updateWebhook } from './webhooks.ts';

/** The id in the path, which may be malformed. */
export const idInPath = ({ pathParameters }: Pick<HttpEvent, 'pathParameters'>): string => pathParameters?.['id'] ?? '';

/** `GET /v2/webhooks`: all webhooks of the program, newest first. */
export function listHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.listWebhooks,
    service,
    input: assertNoQuery,
    handle: async ({ caller: { program }, table }) =>
      json(200, { data: (await listProgramWebhooks(table, program.id)).map(toWebhook) }),
  });
}

/** `POST /v2/webhooks`: a new webhook with its secret, which is shown only here. */
export function createHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.createWebhook,
    service,
    input: (_, body) => parseNewWebhook(body),
    handle: async ({ caller: { program }, input, table }) =>
      json(201, { data: toNewWebhook(await createWebhook({ table, ...parts }, program.id, input)) }),
  });
}

/** `GET /v2/webhooks/{id}`. */
export function getHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.getWebhook,
    service,
    input: (event) => {
      assertNoQuery(event);
      return idInPath(event);
    },
    handle: async ({ caller: { program }, input: id, table }) =>
      json(200, { data: toWebhook(await requireWebhook(table, program.id, id)) }),
  });
}

/** `PATCH /v2/webhooks/{id}`: changes the fields that are given. */
export function updateHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.updateWebhook,
    service,
    input: (event, body) => ({ id: idInPath(event), changes: parseUpdate(body) }),
    handle: async ({ caller: { program }, input: { id, changes }, table }) =>
      json(200, { data: toWebhook(await updateWebhook({ table, ...parts }, program.id, id, changes)) }),
  });
}

/** `DELETE /v2/webhooks/{id}`: deletes the webhook and its secrets. */
export function deleteHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.deleteWebhook,
    service,
    input: idInPath,
    handle: async ({ caller: { program }, input: id, table }) => {
      await deleteWebhook({ table, ...parts }, program.id, id);
      return noContent();
    },
  });
}

/** `POST /v2/webhooks/{id}/rotate`: a new secret, which is shown only here. */
export function rotateHandler(service: Service<Table>, parts: IntegrationParts): HttpHandler {
  return routeHandler({
    route: WEBHOOK_ROUTES.rotateWebhookSecret,
    service,
    input: idInPath,
    handle: async ({ caller: { program }, input: id, table }) =>
      json(200, { data: toNewWebhook(await rotateWebhookSecret({ table, ...parts }, program.id, id)) }),
  });
}
