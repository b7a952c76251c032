import { MAX_SUB_ID, parseGrId, parseText } from '../domain/fields.ts';
import type { HttpEvent, HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { noContent } from '../http/response.ts';
import { validBody } from '../http/validation.ts';
import { ROUTES } from '../routes.ts';
import { type Click, clickRecorder } from '../table/clicks.ts';
import type { Table } from '../table/table.ts';
import { isAutomatic } from './automatic.ts';
import { clickBody } from './validators.js';

/** `POST /v2/tracking/click`: a visitor followed an advocate's link. What became of it is told by one word in a header. */
export function clickEndpoint(service: Service<Table>): HttpHandler {
  const record = clickRecorder(service.clock);
  return endpoint({
    route: ROUTES.trackClick,
    service,
    input: clickInput,
    handle: async ({ input: { click, automatic }, table }) =>
      noContent({ 'x-click': automatic ? 'ignored' : await record(table, click) }),
  });
}

/** Reads a click of a parsed body, and of the headers whether a person made it. Throws `InvalidField`. */
export function clickInput(
  { headers }: Pick<HttpEvent, 'headers'>,
  json: unknown,
): { readonly click: Click; readonly automatic: boolean } {
  const { pk, gr_id, sub_id } = validBody(json, clickBody);
  return {
    click: {
      publicKey: pk,
      ...parseGrId(gr_id),
      subId: sub_id === undefined ? null : parseText('sub_id', sub_id, MAX_SUB_ID),
    },
    automatic: isAutomatic(headers),
  };
}
