import type { Route } from '../../functions/kernel/http/route.ts';
import type { PageFile } from '../../functions/pages/http/static-file.ts';
import { CONFIRMATIONS_OF_PROGRAM } from '../../functions/people/rules/applications/budgets.ts';
import { MAX_LOGO } from '../../functions/program/rules/logo.ts';
import { ROUTES } from '../../functions/routes.ts';
import { PAGE_BYTES } from '../support/page-budgets.ts';
import {
  APPLICATION,
  costsOf,
  HEADERS,
  linkCost,
  publishCost,
  SENT_CONFIRMATION,
  table,
  UNSENT_LINK,
  USAGES,
  type Usage,
} from './costs.ts';
import { PRICES } from './prices.ts';

const DAY = 24 * 60 * 60;
const MILLION = 1_000_000;

/** Requests that need neither a token nor a secret, all day at the limits of their routes. */
export interface Flood {
  readonly requests: string;
  /** Requests a second. */
  readonly rate: number;
  readonly usage: Usage;
  /** Dollars that a request costs after its response. */
  readonly later?: number;
  /** CloudFront has a copy, with `edge=on`. */
  readonly isCached?: boolean;
}

/** A refused request, with the reads that it causes. */
export const refusal = (operation: string, readUnits: number): Usage => {
  return { operation, milliseconds: 10, readUnits, writeUnits: 0, bytesOut: 150 + HEADERS };
};
/** An eventually consistent read, then a consistent one: the token may have been created just now. */
export const MADE_UP_TOKEN = refusal('made-up token', 1.5);
const MADE_UP_PROGRAM = refusal('made-up program', 1);
const MADE_UP_LINK = refusal('made-up link', 1);
/** A request for a link, whoever has the address. `test/capacity` checks the units. */
export const LINK_REQUEST: Usage = {
  operation: 'request for a link',
  milliseconds: 15,
  readUnits: 1,
  writeUnits: 1,
  bytesOut: HEADERS,
};

/** An application over the limit of its address. `test/capacity` checks the units. */
export const LIMITED_APPLICATION: Usage = { ...APPLICATION, writeUnits: 6 };
/** A form with a text, ten questions and some options. */
const FORM: Usage = { operation: 'form', milliseconds: 10, readUnits: 1, writeUnits: 0, bytesOut: 4000 + HEADERS };

/** The largest logo, whose program exists. `test/capacity` checks the units. */
export const LARGEST_LOGO: Usage = {
  operation: 'logo',
  milliseconds: 15,
  readUnits: 17,
  writeUnits: 0,
  bytesOut: MAX_LOGO * 1024 + HEADERS,
};

/** Responses with a page that is as large as its budget. */
const page = (requests: string, { throttle }: Route, file: PageFile): Flood => {
  const bytesOut = PAGE_BYTES[file] + HEADERS;
  return {
    requests,
    rate: throttle.rate,
    isCached: file.endsWith('-script'),
    usage: { operation: file, milliseconds: 5, readUnits: 0, writeUnits: 0, bytesOut },
  };
};

const routes: readonly Route[] = Object.values(ROUTES);
const guarded = routes.filter(({ access }) => typeof access === 'object');
const openLinks = [
  ...[ROUTES.createSession, ROUTES.undoPayoutAccount, ROUTES.showUnsubscribe, ROUTES.unsubscribe],
  ...[ROUTES.lookUpApplication, ROUTES.confirmApplication],
];
/** Emails a second that confirm the applications to a program. */
const CONFIRMATIONS = CONFIRMATIONS_OF_PROGRAM.max / CONFIRMATIONS_OF_PROGRAM.window;
const rateOf = (some: readonly Route[]) => some.reduce((sum, { throttle }) => sum + throttle.rate, 0);

const FLOODS: readonly Flood[] = [
  // The sub id adds a write unit.
  {
    requests: 'clicks with a public key',
    rate: ROUTES.trackClick.throttle.rate,
    usage: { ...usageOf('click'), writeUnits: 3 },
  },
  { requests: '`gr.js`', rate: ROUTES.getScript.throttle.rate, usage: usageOf('`gr.js`, loaded'), isCached: true },
  page('`/portal`', ROUTES.getPortal, 'portal'),
  page('`/account`', ROUTES.getAccount, 'account'),
  page('`/portal.js`', ROUTES.getPortalScript, 'portal-script'),
  page('`/dashboard`', ROUTES.getDashboard, 'dashboard'),
  page('`/llms.txt`', ROUTES.getLlmsText, 'llms'),
  { requests: 'the largest logo', rate: ROUTES.getLogo.throttle.rate, usage: LARGEST_LOGO },
  { requests: 'made-up tokens, on all routes that require a token', rate: rateOf(guarded), usage: MADE_UP_TOKEN },
  {
    requests: 'made-up programs, on the route for Stripe',
    rate: ROUTES.receiveStripeEvent.throttle.rate,
    usage: MADE_UP_PROGRAM,
  },
  {
    requests: 'requests for a link to sign in, each with another address',
    rate: ROUTES.requestSignIn.throttle.rate,
    usage: LINK_REQUEST,
    later: linkCost(UNSENT_LINK),
  },
  {
    requests: 'applications: 200 an hour with new addresses, all others with one address',
    rate: ROUTES.sendApplication.throttle.rate,
    usage: LIMITED_APPLICATION,
    later:
      publishCost() +
      (CONFIRMATIONS / ROUTES.sendApplication.throttle.rate) * (PRICES.email + linkCost(SENT_CONFIRMATION)),
  },
  { requests: 'forms for applications', rate: ROUTES.getApplicationForm.throttle.rate, usage: FORM },
  { requests: 'made-up links, on the six routes for links', rate: rateOf(openLinks), usage: MADE_UP_LINK },
];

/** Requests a second that silence a route which requires a token, for all callers: the lowest limit of all. */
export const SILENCING_RATE = Math.min(...guarded.map(({ throttle }) => throttle.rate));

/** A conversion by public key with all fields. No click is stored. */
export const PUBLIC_CONVERSION: Usage = { ...usageOf('conversion of a click, with all fields'), writeUnits: 13 };

/** All floods, if a program accepts conversions from pages. */
export const FLOODS_WITH_PAGES: readonly Flood[] = FLOODS.flatMap((flood) => {
  if (flood.usage !== MADE_UP_TOKEN) return [flood];
  const { rate } = ROUTES.trackConversionV2.throttle;
  return [
    { ...flood, rate: flood.rate - rate },
    { requests: 'conversions with a public key', rate, usage: PUBLIC_CONVERSION },
  ];
});

const sumOf = (floods: readonly Flood[]) => floods.reduce((sum, flood) => sum + dollarsOf(flood), 0);
/** Dollars that a day of all floods costs. */
export const FLOOD_DOLLARS = sumOf(FLOODS);
/** Dollars that a day costs if a program accepts conversions from pages, and a flood reports them. */
export const FLOOD_DOLLARS_WITH_PAGES = sumOf(FLOODS_WITH_PAGES);

/** Requests a second of all floods together. */
export const FLOOD_RATE = FLOODS.reduce((sum, { rate }) => sum + rate, 0);

/** The table of `docs/deploy.md` about a flood, in Markdown. */
export function floodTable(): string {
  const rows = FLOODS.map((flood) => [flood.requests, flood.rate, dollarsOf(flood)] as const);
  const rate = FLOOD_RATE;
  return table(
    ['a flood of', 'requests a second', 'dollars a day'],
    [
      ...rows,
      ['all of them', rate, FLOOD_DOLLARS] as const,
      ['all of them, but with conversions by public key on their route', rate, FLOOD_DOLLARS_WITH_PAGES] as const,
    ].map(([requests, perSecond, dollars]) => [requests, perSecond.toLocaleString('en'), dollars.toFixed(0)]),
  );
}

export function usageOf(operation: string): Usage {
  const usage = USAGES.find((each) => each.operation === operation);
  if (!usage) throw new Error(`No row of the costs is called ${operation}.`);
  return usage;
}

function dollarsOf({ rate, usage, later = 0 }: Flood): number {
  const perMillion = costsOf(usage).reduce((sum, cost) => sum + cost, 0);
  return rate * DAY * (perMillion / MILLION + later);
}
