import { type Route, routeKey } from '../../../functions/routes.ts';

/** Why a step failed (the message), and what to do. Neither tells a token, an e-mail, a body or a header. */
export class StepFailure extends Error {
  readonly advice: string;

  constructor(why: string, advice: string, options?: ErrorOptions) {
    super(why, options);
    this.advice = advice;
  }
}

/** The status is right, but what came with it is not. */
export class OtherContent extends StepFailure {
  constructor(route: Route, part: string) {
    super(`${routeKey(route)} was answered, but ${part} is not as the interface says.`, OTHER_SERVICE);
  }
}

const OTHER_SERVICE =
  'Another version of the service, or another service, answers there: deploy this version, or correct --base-url.';
/** What Node says of an address where no server listens, and of a server that ends while it is asked. */
const DOWN = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** What the service and API Gateway make: nothing else is repeated. */
const REQUEST_ID = /^[\w=-]{1,64}$/;

/** The failure of a request that got no answer. */
export function noAnswer(error: unknown, baseUrl: string): StepFailure {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return new StepFailure(
      `${baseUrl} did not answer in time.`,
      'See whether the service hangs, and whether a firewall on the way drops what is sent to it.',
      { cause: error },
    );
  }
  const code = codeOf(error);
  const why = `There is no connection to ${baseUrl} (${code ?? 'refused before it was tried'}).`;
  return DOWN.has(code ?? '')
    ? new StepFailure(why, 'Start the service with npm start, or correct --base-url.', { cause: error })
    : new StepFailure(why, 'Correct --base-url, or look at the network and the certificate.', {
        cause: error,
      });
}

/** `fetch` keeps the error of the network in its own. */
function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
}

/** The failure of an answer with another status than the interface says. */
export function otherStatus(route: Route, expected: number, { status, headers }: Response): StepFailure {
  return new StepFailure(
    `${routeKey(route)} was answered with ${status} instead of ${expected}.`,
    adviceOn(status, headers),
  );
}

function adviceOn(status: number, headers: Headers): string {
  if (status >= 500) {
    const id = headers.get('x-request-id') ?? headers.get('apigw-requestid') ?? '';
    const request = REQUEST_ID.test(id) ? ` for the request ${id}` : '';
    return `Look into the log of the service${request}. 503 means that its table is busy or does not answer.`;
  }
  // The service itself says with each refusal what it is.
  if (status === 404 && headers.has('x-error-code')) return OTHER_SERVICE;
  switch (status) {
    case 401:
      return 'Most likely the service works on another table than this command: TABLE_NAME and --base-url must be those of one stack. Else compare the clocks of this machine and of the service.';
    case 403:
      return 'Something in front of the service refuses the request, such as a firewall or a proxy: let it pass, or correct --base-url.';
    case 404:
      return 'Correct --base-url: it is the address in front of /v1 and /v2, with a path prefix where there is one.';
    case 429:
      return 'The route lets in no more requests at this moment: run doctor again in a minute, or raise its throttle.';
    default:
      return OTHER_SERVICE;
  }
}
