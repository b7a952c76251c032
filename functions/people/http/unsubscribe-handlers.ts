import type { Table } from '../../kernel/dynamodb/table.ts';
import type { HttpEvent } from '../../kernel/http/context.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { parseUnsubscription } from '../rules/unsubscribe.ts';
import { unsubscribe } from '../table/unsubscribe.ts';
import { PEOPLE_ROUTES } from './routes.ts';
import { ASK_PAGE, donePage } from './unsubscribe-page.ts';

const valueIn = ({ pathParameters }: HttpEvent) => parseUnsubscription(pathParameters?.['value'] ?? '');

/** `GET /v2/unsubscribe/{value}`: asks. `POST`: switches off. Nobody gets emails by an unknown link, so it is no error. */
export const unsubscribeHandlers = (service: Service<Table>) => ({
  showUnsubscribe: routeHandler({
    route: PEOPLE_ROUTES.showUnsubscribe,
    service,
    input: () => undefined,
    handle: async () => ASK_PAGE,
  }),
  unsubscribe: routeHandler({
    route: PEOPLE_ROUTES.unsubscribe,
    service,
    input: valueIn,
    handle: async ({ input, table }) => {
      if (input) await unsubscribe(table, input);
      return donePage(input);
    },
  }),
});
