import type { HttpResult } from '../../../functions/http/context.ts';
import { isThisMachine, type PageRequest, type Pages } from '../gateway.ts';
import { page } from '../pages/files.ts';
import { NO_DEMO } from '../pages/home.ts';
import { createToken, join, rename, shownAdvocate, signOut } from './advocates.ts';
import type { Call, Visit } from './call.ts';
import { listAdvocates, listDeliveries, lookUp, reassign, signUp, simulate } from './customers.ts';
import { MOVED_CUSTOMER, NORTHWIND } from './data.ts';
import type { Demo } from './demo.ts';
import { InvalidForm } from './forms.ts';
import { DemoReceiver } from './receiver.ts';
import { errorResult, jsonResult, Service } from './service.ts';
import { stripeOf } from './stripe.ts';
import { RECEIVER_PATH } from './webhook.ts';

/** Largest form that the shop accepts, in bytes: far more than its page ever sends. */
const MAX_BODY = 4096;
/** Largest event that the service accepts, in bytes. */
const MAX_EVENT = 256 * 1024;

/** The actions of the shop's page, and of the API reference, by method and path. */
const ACTIONS: Readonly<Record<string, (call: Call) => Promise<HttpResult>>> = {
  'POST /demo/sign-up': signUp,
  'POST /demo/payment': (call) => simulate(call, 'invoice.paid'),
  'POST /demo/cancellation': (call) => simulate(call, 'customer.subscription.deleted'),
  'POST /demo/join': join,
  'POST /demo/rename': rename,
  'POST /demo/sign-out': signOut,
  'POST /demo/token': createToken,
  'POST /demo/lookup': lookUp,
  'POST /demo/reassign': reassign,
  'POST /demo/signature': signEvent,
  'GET /demo/advocates': listAdvocates,
  'GET /demo/deliveries': listDeliveries,
};

/** Returns the page of the demo site, or without a demo a page that explains how to start one. */
export async function demoPage(request: PageRequest, demo: Demo | undefined): Promise<HttpResult> {
  if (!demo) return { ...(await page('web/local/no-demo.html', { reason: NO_DEMO })), statusCode: 404 };
  const { slug, first_name, last_name, is_own } = await shownAdvocate(visitOf(request, demo));
  return page('web/demo/index.html', {
    public_key: demo.publicKey,
    advocate_slug: slug,
    advocate_first_name: first_name,
    advocate_last_name: last_name,
    advocate_is_own: String(is_own),
    commission: String(NORTHWIND.commissionPercentage),
    customer_email: MOVED_CUSTOMER,
  });
}

/**
 * The backend of the demo shop. Like every merchant's server, it keeps the tokens out of its pages and calls the
 * service over HTTP. It passes the responses on. It stores nothing, and remembers only the last deliveries.
 */
export function demoShop(demo: Demo): Pages {
  const receiver = new DemoReceiver(demo.webhookSecret);
  const sendStripeEvent = stripeOf(demo);
  return async (request) => {
    // Called by the service, not by a page: its signature counts.
    if (`${request.method} ${request.path}` === `POST ${RECEIVER_PATH}`) return receiver.receive(request);
    const action = ACTIONS[`${request.method} ${request.path}`];
    if (!action) return undefined;
    if (!isOwnPage(request)) return errorResult(403, 'Only the page of the demo shop may call this address.');
    const limit = action === signEvent ? MAX_EVENT : MAX_BODY;
    if (request.body.length > limit) return errorResult(413, `The body must be at most ${limit} bytes.`);
    try {
      const { body, port } = request;
      return await action({ ...visitOf(request, demo), body, port, sendStripeEvent, receiver });
    } catch (error) {
      if (error instanceof InvalidForm) return errorResult(400, error.message);
      return errorResult(502, 'The tracking service does not respond. Try again in a moment.');
    }
  };
}

/**
 * Returns false for requests from pages of other sites, which could otherwise use the tokens through a browser on this
 * machine. That includes sites whose host name resolves to this machine (DNS rebinding).
 */
function isOwnPage({ headers }: PageRequest): boolean {
  const { host = '', origin = `http://${host}`, 'sec-fetch-site': site = 'none' } = headers;
  return isThisMachine(host) && origin === `http://${host}` && (site === 'same-origin' || site === 'none');
}

function visitOf({ headers, port }: PageRequest, demo: Demo): Visit {
  return { cookies: headers.cookie, service: new Service(port, demo.programToken), demo };
}

/** Signs an event that the API reference is about to send. The page gets the signature, never the secret. */
async function signEvent({ body, demo }: Call): Promise<HttpResult> {
  const { default: stripe } = await import('stripe');
  const signature = stripe.webhooks.generateTestHeaderString({ payload: String(body), secret: demo.stripeSecret });
  return jsonResult(200, JSON.stringify({ signature }));
}
