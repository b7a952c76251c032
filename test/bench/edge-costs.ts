import type { Route } from '../../functions/kernel/http/route.ts';
import { ROUTES } from '../../functions/routes.ts';
import { readEdge } from '../../lib/settings.ts';
import { ALARM_METRICS, costsOf, table, type Usage } from './costs.ts';
import {
  FLOOD_DOLLARS_WITH_PAGES,
  FLOOD_RATE,
  FLOODS_WITH_PAGES,
  type Flood,
  MADE_UP_TOKEN,
  usageOf,
} from './flood.ts';
import { PLANS, PRICES } from './prices.ts';
import { statisticsDollars } from './statistics-costs.ts';

// What CloudFront in front of the API costs and saves: `edge=on`.

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;
const DAY = 24 * 60 * 60;
/** Rules of `lib/operations/web-acl.ts`. */
const RULES = 7;
/** Loads of the script for each click, of which CloudFront serves all but a few. */
const LOADS = 9;
const ADVOCATES = 100;
/** Bytes of a line of CloudFront's access log with the fields of `lib/operations/edge-logs.ts`, and the 26 that CloudWatch adds. */
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

const LIMITS = readEdge(() => undefined, true, undefined)?.limits;
const WINDOW = 5 * 60;
/** Requests a second with tokens on routes with a low limit that the firewall lets through from one address. */
const MANAGEMENT = (LIMITS?.management ?? 0) / WINDOW;

/** What a request costs beyond a plan if CloudFront passes it on. */
const passedDollars = (rate: number, usage: Usage) => ((rate * DAY) / MILLION) * originCost(usage);

/** Made-up tokens with a valid checksum, which one address sends all day below the limits of the firewall. */
export const STEADY_FLOOD = {
  /** Routes that are silent for all other callers. */
  silent: Object.values<Route>(ROUTES).filter(({ throttle }) => throttle.rate <= MANAGEMENT).length,
  /** Dollars of a day with a plan. */
  dollars: passedDollars(MANAGEMENT, MADE_UP_TOKEN),
};

const bytesOf = ({ usage, isCached }: Flood) => (isCached ? SCRIPT.bytesOut : usage.bytesOut);

/** What CloudFront and its firewall charge for these requests without a plan. It runs no function for files. */
const edgeDollars = (flood: Flood) =>
  flood.rate *
  DAY *
  (PRICES.edgeRequest +
    PRICES.webAclRequest +
    (flood.isCached ? 0 : PRICES.edgeFunctionCall) +
    (bytesOf(flood) / GIGABYTE) * PRICES.edgeGigabyteOut +
    (EDGE_LOG_LINE / GIGABYTE) * PRICES.logGigabyte);

/**
 * Seconds after which the firewall usually notices a rate
 * (https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-caveats.html).
 */
const REACTION = 30;
/** The flood that the limits of the routes allow, as one address sends it before the firewall reacts. */
const unnoticed = (dollarsOf: (flood: Flood) => number) =>
  (REACTION / DAY) * FLOODS_WITH_PAGES.reduce((sum, flood) => sum + dollarsOf(flood), 0);
const passed = ({ rate, usage, isCached, later = 0 }: Flood) =>
  isCached ? 0 : passedDollars(rate, usage) + rate * DAY * later;
/** CloudFront does not charge for blocked requests, but AWS WAF does. */
const BLOCKED_DOLLARS = FLOOD_RATE * DAY * PRICES.webAclRequest;
/** Dollars that a day of a flood from one address costs with a plan, and without one. */
export const EDGE_FLOOD_DOLLARS = {
  plan: unnoticed(passed),
  payAsYouGo: unnoticed((flood) => passed(flood) + edgeDollars(flood)) + BLOCKED_DOLLARS,
};

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
