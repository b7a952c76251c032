import { createHmac } from 'node:crypto';
import { type IncomingMessage, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../kernel/time.ts';
import type { DeliveryError } from '../rules/webhook.ts';
import { parseRetryAfter } from '../rules/webhook-retries.ts';
import { addressIn, allowedAddresses, dnsResolver, type IsAllowed, type Resolve } from './addresses.ts';

/** An event as a receiver gets it. */
export interface SentEvent {
  /** The header `webhook-id`. */
  readonly id: string;
  /** JSON. */
  readonly body: string;
}

/** The outcome of a request: the status of the response, or why there was none. */
export interface SendResult {
  readonly status: number | null;
  readonly error: DeliveryError | null;
  /** The receiver's `Retry-After` in milliseconds from the response; `null` if it sent none. */
  readonly retryAfter: number | null;
}

/** Sends an event to a URL, signed with each of the secrets. Never rejects because of the receiver. */
export type Send = (url: string, event: SentEvent, secrets: readonly string[]) => Promise<SendResult>;

/** Options of a sender. Only tests set the optional ones. */
export interface SenderOptions {
  readonly clock: Clock;
  /** True in the local service: http to this machine is allowed. */
  readonly allowLoopback: boolean;
  readonly resolve?: Resolve;
  /** Addresses that https may connect to, by default public ones. */
  readonly isPublic?: IsAllowed;
  /** Certificates to trust, in PEM, in place of the well-known ones. */
  readonly ca?: string;
  /** Timeout of the response's headers, in milliseconds. */
  readonly timeout?: number;
}

/** Default of `timeout`, in milliseconds (docs/contract/events.md). */
const TIMEOUT = 15_000;
/**
 * The share of the time limit that each address of a name gets before the next one is tried. By default, Node gives up
 * an address after 250 ms, which is too short for distant receivers, and for a lost packet that is sent again after a
 * second.
 */
const SHARE = 1 / 4;
/** Maximum size of a response's status line and headers in bytes. The body is never read. */
const MAX_HEADERS = 16_384;

/**
 * Returns the function that sends events, with the limits of docs/contract/events.md, and signed with their secrets.
 */
export function sender(options: SenderOptions): Send {
  return async (text, event, secrets) => {
    const url = new URL(text);
    const isAllowed = allowedAddresses(url, options.allowLoopback, options.isPublic);
    const literal = addressIn(url);
    // A socket does not resolve an address, so `guardedLookup` would not check it.
    if (literal !== undefined && !isAllowed(literal)) return failure('address_refused');
    const headers = signedHeaders(event, secrets, options.clock);
    return post({ url, headers, body: event.body, isAllowed }, options);
  };
}

/**
 * Builds the headers of Standard Webhooks, with one signature per secret
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
function signedHeaders({ id, body }: SentEvent, secrets: readonly string[], clock: Clock): Record<string, string> {
  const timestamp = String(Math.floor(clock() / 1000));
  const sign = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  };
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'referral-tracking',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map(sign).join(' '),
  };
}

const failure = (error: DeliveryError): SendResult => ({ status: null, error, retryAfter: null });

/** A request to a receiver, and the addresses that it may connect to. */
interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isAllowed: IsAllowed;
}

/** Sends one request on a connection of its own, without proxy, and returns when the headers of the response arrive. */
function post(
  { url, headers, body, isAllowed }: OutgoingRequest,
  { clock, resolve = dnsResolver(), ca, timeout = TIMEOUT }: SenderOptions,
): Promise<SendResult> {
  const { promise, resolve: settle } = Promise.withResolvers<SendResult>();
  // What has failed if the request fails now.
  let stage: DeliveryError = 'connection_failed';
  const report = (error: DeliveryError) => {
    stage = error;
  };
  const controller = new AbortController();
  const { signal } = controller;
  const end = (result: SendResult) => {
    clearTimeout(timer);
    settle(result);
  };
  const timer = setTimeout(() => {
    end(failure('timeout'));
    controller.abort();
  }, timeout);
  const isSecure = url.protocol === 'https:';

  /** Opens the connection itself, because the agent of https would start TLS before the address is checked. */
  function createConnection(_: unknown, done: (error: Error | null, socket: Socket) => void): undefined {
    const host = addressIn(url) ?? url.hostname;
    const port = Number(url.port) || (isSecure ? 443 : 80);
    const lookup = guardedLookup(resolve, isAllowed, report);
    const autoSelectFamilyAttemptTimeout = Math.ceil(timeout * SHARE);
    const socket = connect({ host, port, lookup, autoSelectFamilyAttemptTimeout, signal });
    socket.once('error', (error) => done(error, socket));
    socket.once('connect', () => {
      if (!isAllowed(socket.remoteAddress ?? '')) {
        report('address_refused');
        socket.destroy(new Error('address_refused'));
      } else if (isSecure) {
        report('tls_failed');
        const trust = { rejectUnauthorized: true, ...(ca !== undefined && { ca }) };
        // A name in TLS has no dot at its end (RFC 6066 section 3).
        const servername = isIP(host) ? '' : host.replace(/\.$/, '');
        const secure = connectTls({ socket, host, servername, ...trust });
        secure.once('error', (error) => done(error, secure));
        secure.once('secureConnect', () => ready(secure));
      } else {
        ready(socket);
      }
    });
    const ready = (connected: Socket) => {
      report('invalid_response');
      done(null, connected);
    };
  }

  const send = isSecure ? sendHttps : sendHttp;
  const request = send(url, { method: 'POST', headers, createConnection, maxHeaderSize: MAX_HEADERS, signal });
  request.on('error', () => end(failure(stage)));
  // After 101, which a receiver must not send unasked (RFC 9110 section 15.2.2), there is neither a response nor an
  // error.
  request.once('close', () => end(failure(stage)));
  request.once('response', ({ statusCode, headers: received }: IncomingMessage) => {
    const retryAfter = parseRetryAfter(received['retry-after'], clock());
    end({ status: statusCode ?? null, error: null, retryAfter });
    request.destroy();
  });
  request.end(body);
  return promise;
}

/** Returns a lookup for a socket that fails unless all addresses of a name are allowed. Reports why it failed. */
function guardedLookup(resolve: Resolve, isAllowed: IsAllowed, report: (error: DeliveryError) => void): LookupFunction {
  return (name, { all }, callback) => {
    const fail = (error: DeliveryError) => {
      report(error);
      callback(new Error(error), []);
    };
    resolve(name).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return fail('name_not_found');
        if (!addresses.every(isAllowed)) return fail('address_refused');
        const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
        return all ? callback(null, found) : callback(null, first, first.includes(':') ? 6 : 4);
      },
      () => fail('name_not_found'),
    );
  };
}
