import type { HttpResult } from '../../../functions/http/context.ts';
import { isThisMachine, type PageRequest, type Pages } from '../gateway.ts';
import { page } from '../pages/html.ts';
import { join, shownAdvocate, signOut } from './advocates.ts';
import { type Call, InvalidForm } from './call.ts';
import { signUp, simulate } from './customers.ts';
import { NORTHWIND } from './data.ts';
import { type Demo, RECEIVER_PATH } from './demo.ts';
import { receive } from './receiver.ts';
import { jsonResult, Service } from './service.ts';

/** Largest form and largest event that the shop accepts, in bytes. */
const [MAX_FORM, MAX_EVENT] = [4096, 256 * 1024];

const ACTIONS: Readonly<Record<string, (call: Call) => Promise<HttpResult>>> = {
  'POST /demo/sign-up': signUp,
  'POST /demo/payment': (call) => simulate(call, 'invoice.paid'),
  'POST /demo/cancellation': (call) => simulate(call, 'customer.subscription.deleted'),
  'POST /demo/join': join,
  'POST /demo/sign-out': signOut,
  'POST /demo/signature': signEvent,
};

/** The page of the demo shop and its backend, which calls the service over HTTP, as every merchant's server does. */
export function demoShop(demo: Demo): Pages {
  let service: Service | undefined;
  return async (request) => {
    const { method, path, body, headers, port } = request;
    service ??= new Service(port, demo);
    const call = { body, cookies: headers.cookie, demo, service };
    if (/^(?:GET|HEAD) \/demo\/?$/.test(`${method} ${path}`)) return demoPage(call);
    // The service calls this address, not a page: its signature counts.
    if (method === 'POST' && path === RECEIVER_PATH) return receive(request, demo.webhookSecret);
    const action = ACTIONS[`${method} ${path}`];
    if (!action) return undefined;
    if (!isOwnPage(request)) return refusal(403, 'Only the page of the demo shop may call this address.');
    const limit = action === signEvent ? MAX_EVENT : MAX_FORM;
    if (body.length > limit) return refusal(413, `The body must be at most ${limit} bytes.`);
    return action(call).catch((error: unknown) =>
      error instanceof InvalidForm
        ? refusal(400, error.message)
        : refusal(502, 'The tracking service does not respond. Try again in a moment.'),
    );
  };
}

async function demoPage(call: Call): Promise<HttpResult> {
  const { slug, first_name, last_name, is_own, token } = await shownAdvocate(call);
  const values = {
    public_key: call.demo.publicKey,
    program_token: call.demo.programToken,
    advocate_token: token,
    advocate_slug: slug,
    advocate_first_name: first_name,
    advocate_last_name: last_name,
    advocate_is_own: String(is_own),
    commission: String(NORTHWIND.commissionPercentage),
  };
  return page('web/demo/index.html', values, { 'frame-src': "'self'" });
}

/** False for requests from other sites, also if their host name resolves to this machine (DNS rebinding). */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return isThisMachine(host) && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

/** Signs an event that the API reference is about to send. The page gets the signature, never the secret. */
async function signEvent({ body, demo }: Call): Promise<HttpResult> {
  const { default: stripe } = await import('stripe');
  const signature = stripe.webhooks.generateTestHeaderString({ payload: String(body), secret: demo.stripeSecret });
  return jsonResult(200, { signature });
}

function refusal(statusCode: number, error: string): HttpResult {
  return jsonResult(statusCode, { error });
}
