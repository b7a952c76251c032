import type { Program } from '../../../kernel/accounts/rules/program.ts';
import type { Table } from '../../../kernel/dynamodb/table.ts';
import { LogoNotFound } from '../../../kernel/errors.ts';
import type { HttpHandler, HttpResult } from '../../../kernel/http/context.ts';
import { json, noContent } from '../../../kernel/http/response.ts';
import { routeHandler, type Service } from '../../../kernel/http/route-handler.ts';
import { assertNoQuery } from '../../../kernel/http/validation.ts';
import { findLogo, replaceLogo } from '../../table/logo.ts';
import { readResources, replaceResources } from '../../table/resources.ts';
import {
  parseLogoAddress,
  parseLogoBody,
  parseResourcesBody,
  toLogoData,
  toPicture,
  toResourcesData,
} from './mapping.ts';
import { BRAND_ROUTES } from './routes.ts';

/** The operations on what a program shows its advocates. */
export const brandHandlers = (service: Service<Table>) => ({
  putLogo: putLogoHandler(service),
  deleteLogo: deleteLogoHandler(service),
  getLogo: getLogoHandler(service),
  putResources: putResourcesHandler(service),
  ...readingHandlers(service),
});

/** `PUT /v2/program/logo`: replaces the logo. */
function putLogoHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: BRAND_ROUTES.putLogo,
    service,
    input: (_, body) => parseLogoBody(body),
    handle: async ({ caller: { program }, input: logo, table }) => {
      await replaceLogo(table, program.id, logo);
      return json(200, toLogoData(program.id, logo));
    },
  });
}

/** `DELETE /v2/program/logo`. */
function deleteLogoHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: BRAND_ROUTES.deleteLogo,
    service,
    input: () => undefined,
    handle: async ({ caller: { program }, table }) => {
      await replaceLogo(table, program.id, null);
      return noContent();
    },
  });
}

/** `GET /v2/logo/{pk}`: the picture itself, for anyone. */
function getLogoHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: BRAND_ROUTES.getLogo,
    service,
    input: parseLogoAddress,
    handle: async ({ input: id, table }) => {
      const logo = await findLogo(table, id);
      if (!logo) throw new LogoNotFound();
      return toPicture(logo);
    },
  });
}

/** `PUT /v2/program/resources`: replaces the whole list. */
function putResourcesHandler(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: BRAND_ROUTES.putResources,
    service,
    input: (_, body) => parseResourcesBody(body),
    handle: async ({ caller: { program }, input, table }) =>
      json(200, toResourcesData(program.id, await replaceResources(table, program.id, input))),
  });
}

/** `GET /v2/program/resources`, and `GET /v2/affiliate/resources` with the same response for an affiliate. */
function readingHandlers(service: Service<Table>) {
  const reading = { service, input: assertNoQuery, handle: showResources };
  return {
    getResources: routeHandler({ route: BRAND_ROUTES.getResources, ...reading }),
    getOwnResources: routeHandler({ route: BRAND_ROUTES.getOwnResources, ...reading }),
  };
}

async function showResources({ caller: { program }, table }: ResourcesRead): Promise<HttpResult> {
  return json(200, toResourcesData(program.id, await readResources(table, program.id)));
}

interface ResourcesRead {
  readonly caller: { readonly program: Pick<Program, 'id'> };
  readonly table: Table;
}
