import type { Edge } from '../edge.ts';
import { ServiceError } from '../errors.ts';
import type { Middleware } from './context.ts';

/** CloudFront adds the header to each request, and replaces the caller's own header of this name. */
export const ORIGIN_HEADER = 'x-origin-verify';

/** The sentence of `not_through_edge`. */
export const NOT_THROUGH_EDGE = 'The request did not come through the public address of the service. Send it there.';

/**
 * Refuses requests that did not come through the edge, before anything else. In the event of all other requests, the
 * domain name becomes the edge's, so that no response contains the address of the API itself.
 */
export function throughEdge({ baseUrl, hasSent }: Edge): Middleware {
  const domainName = new URL(baseUrl).host;
  return {
    before: async (request) => {
      const { [ORIGIN_HEADER]: value, ...headers } = request.event.headers;
      if (!(await hasSent(value))) throw new ServiceError('not_through_edge', NOT_THROUGH_EDGE);
      const { requestContext } = request.event;
      request.event = { ...request.event, headers, requestContext: { ...requestContext, domainName } };
    },
  };
}
