import type { Route } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import { readEdge } from '../../lib/edge-settings.ts';
import { BUSY_ROUTES } from '../../lib/public-routes.ts';
import { PAGE_BYTES } from '../support/page-budgets.ts';
import { ALARM_METRICS, costsOf, HEADERS, table, type Usage } from './costs.ts';
import {
  FLOOD_DOLLARS_WITH_PAGES,
  FLOOD_RATE,
  FLOODS_WITH_PAGES,
  MADE_UP_PROGRAM,
  MADE_UP_TOKEN,
  PUBLIC_CONVERSION,
  usageOf,
} from './flood.ts';
import { PLANS, PRICES } from './prices.ts';
import { statisticsDollars } from './statistics-costs.ts';

// What CloudFront in front of the API costs and saves: `edge=on`.

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;
const DAYS = 30;
const DAY = 24 * 60 * 60;
/** Rules of `lib/web-acl.ts`. */
const RULES = 7;
/** Loads of the script for each click, of which CloudFront serves all but a few. */
const LOADS = 9;
const ADVOCATES = 100;
/** Bytes of a line of CloudFront's access log with the fields of `lib/edge-logs.ts`, and the 26 that CloudWatch adds. */
const EDGE_LOG_LINE = 330;
/** Bytes of a line of the API's access log. */
const API_LOG_LINE = 352;
/** Months for which logs are kept, and clicks that do not convert: an assumption of 800 bytes with their index. */
const LOG_MONTHS = 3;
const CLICK_MONTHS = 2;
const CLICK_BYTES = 800;

/** What the requests of a million calls cost behind CloudFront: its traffic to API Gateway is free. */
const originCost = (usage: Usage) =>
  costsOf(usage)
    .slice(0, -1)
    .reduce((sum, cost) => sum + cost, 0);
const fullCost = (usage: Usage) => costsOf(usage).reduce((sum, cost) => sum + cost, 0);
const [CLICK, SCRIPT] = [usageOf('click'), usageOf('`gr.js`, loaded')];

interface Month {
  readonly clicks: number;
  readonly requests: number;
  readonly dollars: { readonly without: number; readonly payAsYouGo: number; readonly plan: number | undefined };
  readonly planName: string;
}

/** The costs of a month of clicks and nine times as many loads of the script. */
export function monthOf(clicks: number): Month {
  const loads = LOADS * clicks;
  const requests = clicks + loads;
  const kept = (lines: number, bytes: number) => ((lines * bytes) / GIGABYTE) * LOG_MONTHS * PRICES.keptLogGigabyte;
  // With and without the edge: alarms, metrics, statistics, the rows of two months, and their logs.
  const common =
    ALARM_METRICS.always * PRICES.alarmMetric +
    4 * PRICES.customMetric +
    statisticsDollars({ clicks, advocates: ADVOCATES, sumUnits: clicks < 100 * MILLION ? 2 : 4 }) +
    ((clicks * CLICK_MONTHS * CLICK_BYTES) / GIGABYTE) * (PRICES.storedGigabyte + PRICES.recoverableGigabyte) +
    kept(clicks, API_LOG_LINE);
  const behindEdge =
    common +
    ALARM_METRICS.load * PRICES.alarmMetric +
    PRICES.secret +
    (clicks / MILLION) * originCost(CLICK) +
    kept(requests, EDGE_LOG_LINE);
  const bytes = clicks * CLICK.bytesOut + loads * SCRIPT.bytesOut;
  const payAsYouGo =
    requests * (PRICES.edgeRequest + PRICES.webAclRequest) +
    clicks * PRICES.edgeFunctionCall +
    (bytes / GIGABYTE) * PRICES.edgeGigabyteOut +
    ((requests * EDGE_LOG_LINE) / GIGABYTE) * PRICES.logGigabyte +
    PRICES.webAcl +
    RULES * PRICES.webAclRule;
  const plan = PLANS.find((each) => each.requests >= requests);
  return {
    clicks,
    requests,
    dollars: {
      without:
        common +
        (clicks / MILLION) * fullCost(CLICK) +
        (loads / MILLION) * fullCost(SCRIPT) +
        kept(loads, API_LOG_LINE),
      payAsYouGo: behindEdge + payAsYouGo,
      plan: plan && behindEdge + plan.dollars,
    },
    planName: plan ? `${plan.name}, $${plan.dollars.toLocaleString('en')}` : 'none',
  };
}

const whole = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });
const dollars = (value: number) => (value < 1000 ? value.toFixed(2) : whole(value));

interface EdgeFlood {
  readonly requests: string;
  /** Requests a second that the firewall lets through. */
  readonly rate: number;
  /** What the API uses; `undefined` if CloudFront responds by itself. */
  readonly usage: Usage | undefined;
  /** Routes that are silent for all other callers. */
  readonly silent?: number;
  /** Changes that are counted. */
  readonly isCounted?: true;
  /** CloudFront runs no function for files. */
  readonly isFile?: true;
}

const LIMITS = readEdge(() => undefined, true, undefined)?.limits;
const WINDOW = 5 * 60;
/** Requests a second that each limit lets through. */
const rateOf = (name: keyof NonNullable<typeof LIMITS>) => (LIMITS?.[name] ?? 0) / WINDOW;
const [visitors, management, events, requests] = [
  rateOf('visitors'),
  rateOf('management'),
  rateOf('events'),
  rateOf('requests'),
];
const ALL_ROUTES: readonly Route[] = Object.values(ROUTES);
const silencedBy = (rate: number, routes = ALL_ROUTES) => routes.filter(({ throttle }) => throttle.rate <= rate).length;

const FLOODS_OF_ONE: readonly EdgeFlood[] = [
  { requests: 'clicks with a public key', rate: visitors, usage: { ...CLICK, writeUnits: 3 }, isCounted: true },
  {
    requests: 'conversions with a public key instead, if a program allows them',
    rate: visitors,
    usage: PUBLIC_CONVERSION,
    isCounted: true,
  },
  {
    // CloudFront asks the API about each, gets a 304, and sends the page.
    requests: '`/portal`, `/dashboard` or `OPTIONS` instead',
    rate: visitors,
    usage: { ...usageOf('`gr.js`, unchanged (304)'), bytesOut: PAGE_BYTES.dashboard + HEADERS },
    isFile: true,
  },
  {
    requests: 'requests without a token or signature, or with a malformed one',
    rate: rateOf('tokens'),
    usage: undefined,
  },
  { requests: 'tokens with a wrong checksum', rate: requests, usage: undefined },
  { requests: '`gr.js`', rate: requests, usage: undefined, isFile: true },
  {
    requests: 'made-up tokens with a valid checksum, on routes with a low limit',
    rate: management,
    usage: MADE_UP_TOKEN,
    silent: silencedBy(management),
  },
  {
    requests: 'made-up tokens with a valid checksum, on the other routes',
    rate: requests,
    usage: MADE_UP_TOKEN,
    silent: silencedBy(requests, BUSY_ROUTES),
  },
  {
    requests: 'events of Stripe with a made-up signature, for made-up programs',
    rate: events,
    usage: MADE_UP_PROGRAM,
    silent: silencedBy(events, [ROUTES.receiveStripeEvent]),
  },
];

/** Dollars that a day of a flood costs beyond a plan: what gets through. */
function passedDollars({ rate, usage, isCounted }: EdgeFlood): number {
  const sent = rate * DAY;
  const counted = isCounted ? statisticsDollars({ clicks: sent * DAYS, advocates: 1, sumUnits: 2 }) / DAYS : 0;
  return counted + (usage ? (sent / MILLION) * originCost(usage) : 0);
}

/** Bytes of a refusal of the function, or of the script. */
const bytesOf = ({ usage, isFile }: EdgeFlood) => usage?.bytesOut ?? (isFile ? SCRIPT.bytesOut : HEADERS);

/** What CloudFront and its firewall charge for these requests without a plan. */
const edgeDollars = (flood: EdgeFlood) =>
  flood.rate *
  DAY *
  (PRICES.edgeRequest +
    PRICES.webAclRequest +
    (flood.isFile ? 0 : PRICES.edgeFunctionCall) +
    (bytesOf(flood) / GIGABYTE) * PRICES.edgeGigabyteOut +
    (EDGE_LOG_LINE / GIGABYTE) * PRICES.logGigabyte);

/**
 * Seconds after which the firewall usually notices a rate
 * (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-caveats.html).
 */
const REACTION = 30;
/** The flood that the limits of the routes allow, as one address sends it before the firewall reacts. */
const UNNOTICED: readonly EdgeFlood[] = FLOODS_WITH_PAGES.map(({ requests, rate, usage, isCached }) => ({
  ...{ requests, rate, usage: isCached ? undefined : usage },
  ...(isCached && { isFile: true }),
}));
const unnoticed = (dollarsOf: (flood: EdgeFlood) => number, seconds: number) =>
  (seconds / DAY) * UNNOTICED.reduce((sum, flood) => sum + dollarsOf(flood), 0);
/** Seconds of a day in which such a flood gets through if it pauses for the firewall's window each time. */
const PULSES = DAY * (REACTION / (REACTION + WINDOW));
/** CloudFront does not charge for blocked requests, but AWS WAF does. */
const BLOCKED_DOLLARS = FLOOD_RATE * DAY * PRICES.webAclRequest;
/** Dollars that a day of a flood from one address costs with a plan, and without one. */
export const EDGE_FLOOD_DOLLARS = {
  plan: unnoticed(passedDollars, REACTION),
  payAsYouGo: unnoticed((flood) => passedDollars(flood) + edgeDollars(flood), REACTION) + BLOCKED_DOLLARS,
};

/** The table of floods of `docs/deploy.md`, in Markdown. */
export function edgeFloodTable(): string {
  const steady = FLOODS_OF_ONE.map((flood) => {
    const passed = passedDollars(flood);
    const sums = [passed, passed + edgeDollars(flood)].map((sum) => sum.toFixed(2));
    return [flood.requests, flood.rate.toFixed(1), String(flood.silent ?? 0), ...sums];
  });
  const reached = silencedBy(
    FLOOD_RATE,
    ALL_ROUTES.filter(({ path }) => !path.endsWith('.js')),
  );
  const pulses = unnoticed(passedDollars, PULSES);
  const { plan, payAsYouGo } = EDGE_FLOOD_DOLLARS;
  const all = `${reached}, for ${REACTION} seconds`;
  return table(
    [
      'a flood from one address',
      'requests a second',
      'silent routes',
      'dollars a day with a plan',
      'dollars a day without a plan',
    ],
    [
      ...steady,
      ['all of the table above, all day', whole(FLOOD_RATE), all, plan.toFixed(2), payAsYouGo.toFixed(2)],
      [
        `the same for ${REACTION} seconds, then a pause of five minutes, all day`,
        whole(FLOOD_RATE),
        `${all} of each ${REACTION + WINDOW}`,
        ...[pulses, pulses + unnoticed(edgeDollars, PULSES)].map((sum) => sum.toFixed(2)),
      ],
    ],
  );
}

/** The table of months of `docs/deploy.md`, in Markdown. */
export function edgeMonthTable(): string {
  const head = [
    'clicks a month',
    'requests without the flood',
    'without the edge',
    'with the edge',
    'with a plan',
    'plan',
  ];
  const rows = [1e6, 100e6, 10e9].flatMap((clicks) => {
    const { requests, dollars: month, planName } = monthOf(clicks);
    const row = (title: string, floods: number) => [
      title,
      whole(requests),
      dollars(month.without + floods * FLOOD_DOLLARS_WITH_PAGES),
      dollars(month.payAsYouGo + floods * EDGE_FLOOD_DOLLARS.payAsYouGo),
      month.plan === undefined ? '–' : dollars(month.plan + floods * EDGE_FLOOD_DOLLARS.plan),
      planName,
    ];
    return [row(whole(clicks), 0), row(`${whole(clicks)} and a day of flood`, 1)];
  });
  return table(head, rows);
}
