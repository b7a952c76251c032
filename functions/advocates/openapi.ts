import { referralLinks } from '../domain/advocate.ts';
import { type DemoRecords, firstRow, type Operations, PAST_THE_END } from '../http/openapi.ts';
import { advocateResource, advocatesInput } from './mapping.ts';
import { ADVOCATE_LIST, ADVOCATES_QUERY } from './schema.ts';

/** Documents the operations of this function. */
export const advocatesOperations = ({ program, newestAdvocate }: DemoRecords): Operations<'advocates'> => ({
  listAdvocates: {
    summary: 'List advocates',
    description:
      "Lists the advocates of the token's program, newest first, including deactivated ones. *Lists* describes paging, cursors and times.",
    query: { schema: ADVOCATES_QUERY, parse: advocatesInput },
    successes: {
      200: {
        description: 'A page of advocates.',
        headers: ['NextPage'],
        schema: ADVOCATE_LIST,
        examples: {
          one: firstRow('per_page=1', advocateResource(program, referralLinks(program), newestAdvocate)),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
});
