import { createContext, Script } from 'node:vm';
import type { ViewerEvent, ViewerResponse } from '../../lib/operations/edge-check.ts';
import { edgeFunctionCode } from '../../lib/operations/edge-function.ts';
import { readSettings } from '../../lib/settings.ts';

type Request = ViewerEvent['request'];
export type ViewerHeaders = Readonly<Record<string, string | readonly string[]>>;

/**
 * The function at the edge as CloudFront runs it: nothing but the language, and a clock that stands still
 * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html).
 */
export function edgeFunction(now: number, context: Readonly<Record<string, string>> = {}) {
  const sandbox = createContext({ Date: { now: () => now * 1000 } }, { codeGeneration: { strings: false } });
  new Script(
    `"use strict";${edgeFunctionCode(readSettings({ edge: 'on', ...context }))}this.handler = handler;`,
  ).runInContext(sandbox);
  const handler: (event: ViewerEvent) => Request | ViewerResponse = sandbox['handler'];
  return (method: string, uri: string, headers: ViewerHeaders = {}): ViewerResponse | undefined => {
    const request = { method, uri, headers: headersOf(headers) };
    const result = handler({
      context: { distributionDomainName: 'd1.cloudfront.net', requestId: 'request-1' },
      request,
    });
    return 'statusCode' in result ? result : undefined;
  };
}

/** Repeated headers have several values, of which `value` is the first. */
const headersOf = (headers: ViewerHeaders): Request['headers'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, given]) => {
      if (typeof given === 'string') return [name, { value: given }];
      return [name, { value: given[0] ?? '', multiValue: given.map((value) => ({ value })) }];
    }),
  );
