import { readEdge } from '../../lib/edge-settings.ts';
import { PAGE_BYTES } from '../support/page-budgets.ts';
import { ALARM_METRICS, costsOf, HEADERS, table, type Usage } from './costs.ts';
import {
  FLOOD_DOLLARS_WITH_PAGES,
  FLOOD_RATE,
  MADE_UP_PROGRAM,
  MADE_UP_TOKEN,
  PUBLIC_CONVERSION,
  refusal,
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
const RULES = 5;
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
  /** Requests a second that get through. */
  readonly rate: number;
  /** `undefined` if CloudFront responds by itself. */
  readonly usage: Usage | undefined;
  /** Changes that are counted. */
  readonly isCounted?: true;
}

const LIMITS = readEdge(() => undefined, true, undefined)?.limits;
const WINDOW = 5 * 60;
const rateOf = (limit = 0) => limit / WINDOW;

const CLICKS: EdgeFlood = {
  requests: 'clicks with a public key',
  rate: rateOf(LIMITS?.visitors),
  usage: { ...CLICK, writeUnits: 3 },
  isCounted: true,
};
const CONVERSIONS: EdgeFlood = {
  requests: 'conversions with a public key instead, if a program allows them',
  rate: rateOf(LIMITS?.visitors),
  usage: PUBLIC_CONVERSION,
  isCounted: true,
};
const MALFORMED: EdgeFlood = {
  requests: 'requests without a token, or with a malformed one',
  rate: rateOf(LIMITS?.tokens),
  usage: refusal('malformed token', 0),
};
const FILES: EdgeFlood = { requests: '`gr.js`', rate: rateOf(LIMITS?.requests), usage: undefined };
/** CloudFront asks the API about each, gets a 304, and sends the page. */
const PAGES: EdgeFlood = {
  requests: '`/portal`, `/dashboard` or `OPTIONS` instead',
  rate: rateOf(LIMITS?.visitors),
  usage: { ...usageOf('`gr.js`, unchanged (304)'), bytesOut: PAGE_BYTES.dashboard + HEADERS },
};
const WELL_FORMED: EdgeFlood = {
  requests: 'made-up tokens of the right form',
  rate: rateOf(LIMITS?.requests),
  usage: MADE_UP_TOKEN,
};

const EVENTS: EdgeFlood = {
  requests: 'made-up events of Stripe for made-up programs',
  rate: rateOf(LIMITS?.requests),
  usage: MADE_UP_PROGRAM,
};

/** Dollars that a day of a flood costs beyond a plan: what gets through. */
function passedDollars({ rate, usage, isCounted }: EdgeFlood): number {
  const requests = rate * DAY;
  const counted = isCounted ? statisticsDollars({ clicks: requests * DAYS, advocates: 1, sumUnits: 2 }) / DAYS : 0;
  return counted + (usage ? (requests / MILLION) * originCost(usage) : 0);
}

/** What CloudFront and its firewall charge for these requests without a plan. */
const edgeDollars = ({ rate, usage }: EdgeFlood) =>
  rate *
  DAY *
  (PRICES.edgeRequest +
    PRICES.webAclRequest +
    ((usage ?? SCRIPT).bytesOut / GIGABYTE) * PRICES.edgeGigabyteOut +
    (EDGE_LOG_LINE / GIGABYTE) * PRICES.logGigabyte);

/** The flood of one address that knows the public key only, at all limits at the same time. */
const ANONYMOUS = [CONVERSIONS, MALFORMED, FILES];
/** CloudFront does not charge for blocked requests, but AWS WAF does. */
const BLOCKED_DOLLARS = FLOOD_RATE * DAY * PRICES.webAclRequest;
/** Dollars that a day of this flood costs with a plan, and without one. */
export const EDGE_FLOOD_DOLLARS = {
  plan: ANONYMOUS.reduce((sum, flood) => sum + passedDollars(flood), 0),
  payAsYouGo: ANONYMOUS.reduce((sum, flood) => sum + passedDollars(flood) + edgeDollars(flood), BLOCKED_DOLLARS),
};

/** The table of floods of `docs/deploy.md`, in Markdown. */
export function edgeFloodTable(): string {
  const rows = [CLICKS, CONVERSIONS, PAGES, MALFORMED, FILES, WELL_FORMED, EVENTS].map((flood) => {
    const passed = passedDollars(flood);
    return [flood.requests, flood.rate.toFixed(1), passed.toFixed(2), (passed + edgeDollars(flood)).toFixed(2)];
  });
  return table(
    ['a flood from one address', 'requests a second', 'dollars a day with a plan', 'dollars a day without a plan'],
    [...rows, ['what is over a limit, as in the table above', whole(FLOOD_RATE), '0.00', BLOCKED_DOLLARS.toFixed(2)]],
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
