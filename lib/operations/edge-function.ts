import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { NO_TOKEN } from '../../functions/kernel/http/authentication.ts';
import { errorResponse } from '../../functions/kernel/http/errors.ts';
import { CORS, type Route, routeKey } from '../../functions/kernel/http/route.ts';
import { UUIDV7_PATTERN } from '../../functions/kernel/ids.ts';
import { ROUTES } from '../../functions/routes.ts';
import { INVALID_SIGNATURE, TOLERANCE } from '../../functions/stripe/rules/signature.ts';
import { OPEN_ROUTES, PUBLIC_KEY_PATHS, SIGNED_PREFIXES } from '../api/public-routes.ts';
import type { Settings } from '../settings.ts';
import type { EdgeConfig, Refusal } from './edge-check.ts';

/** `Strict-Transport-Security` of all responses of the edge, in seconds: a year. */
export const TRANSPORT_SECURITY_AGE = 365 * 24 * 60 * 60;

const SOURCE = fileURLToPath(new URL('edge-check.ts', import.meta.url));
/** Syntax that the runtime lacks is replaced, or an error if esbuild cannot replace it. */
const { code: CHECK } = await transform(readFileSync(SOURCE, 'utf8').replaceAll(/^export /gm, ''), {
  loader: 'ts',
  target: 'es5',
  supported: { arrow: true, 'const-and-let': true, 'template-literal': true },
  minifyWhitespace: true,
});

/** Returns the code of the function that refuses requests at the edge: `edge-check.ts` with the routes of the API. */
export function edgeFunctionCode({ origins = ['*'], edge }: Pick<Settings, 'origins' | 'edge'>): string {
  const routes: readonly Route[] = Object.values(ROUTES);
  const config: EdgeConfig = {
    open: OPEN_ROUTES,
    publicKey: PUBLIC_KEY_PATHS,
    signed: SIGNED_PREFIXES,
    programId: UUIDV7_PATTERN,
    tolerance: TOLERANCE,
    noToken: refusalOf(errorResponse('unauthorized', NO_TOKEN)),
    noSignature: refusalOf(errorResponse('invalid_signature', INVALID_SIGNATURE)),
    deprecated: Object.fromEntries(
      routes.flatMap((route) =>
        route.deprecated ? [[routeKey(route), [`@${route.deprecated.since}`, route.deprecated.successor]]] : [],
      ),
    ),
    origins,
    exposedHeaders: CORS.responseHeaders.join(','),
    host: edge?.domain?.name ?? null,
  };
  return `const CONFIG = ${JSON.stringify(config)};
${CHECK}function handler(event) {
  return refuse(CONFIG, event, Math.floor(Date.now() / 1000)) || event.request;
}
`;
}

function refusalOf({ statusCode, headers, body }: ReturnType<typeof errorResponse>): Refusal {
  const secure = { 'strict-transport-security': `max-age=${TRANSPORT_SECURITY_AGE}` };
  return { status: statusCode, headers: { ...headers, ...secure }, body };
}
