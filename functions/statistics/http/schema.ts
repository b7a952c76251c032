import type { JSONSchema } from 'json-schema-to-ts';
import { DAY_GROUPINGS, DAY_PATTERN, MAX_DAYS } from '../../kernel/days.ts';
import { NULLABLE_TEXT } from '../../kernel/fields/schemas.ts';
import { dataOf, exact, LIST_PARAMETERS, listOf, resource } from '../../kernel/http/schema.ts';
import { MONEY, SUMS } from '../../kernel/http/totals.ts';
import { MONEY_SORTS, NUMBER_SORTS } from '../rules/sorts.ts';

const day = (description: string) =>
  ({ type: 'string', pattern: DAY_PATTERN, description, examples: ['2026-01-31'] }) as const;

const RANGE = {
  range: {
    type: 'string',
    enum: ['lifetime'],
    description: 'Everything since the program began, instead of `from` and `to`: `total` only, and no groups.',
  },
  from: day(
    `The first day, UTC, at most ${MAX_DAYS} days before the end of the range. By default 29 days before the last day.`,
  ),
  to: day('The last day, UTC. Today by default.'),
} as const;

/** Unlike other operations, statistics treat a malformed slug as an unknown one: the pattern is not checked here. */
const SLUG = { type: 'string', description: "The advocate's slug. A malformed slug is unknown." } as const;

export const OWN_STATISTICS_QUERY = {
  type: 'object',
  properties: {
    ...RANGE,
    group_by: { type: 'string', enum: DAY_GROUPINGS, default: 'day', description: 'Groups by day or month, UTC.' },
  },
} as const satisfies JSONSchema;

export const STATISTICS_QUERY = {
  type: 'object',
  properties: {
    ...OWN_STATISTICS_QUERY.properties,
    affiliate_slug: { ...SLUG, description: `Only this advocate. ${SLUG.description}` },
  },
} as const satisfies JSONSchema;

/** The advocates on a page. */
export const MAX_ADVOCATES = 50;

export const ADVOCATE_STATISTICS_QUERY = {
  type: 'object',
  properties: {
    ...RANGE,
    slugs: {
      type: 'string',
      description: `Only these advocates, in this order: at most ${MAX_ADVOCATES} slugs, separated by commas.`,
    },
    sort: {
      type: 'string',
      enum: [...NUMBER_SORTS, ...MONEY_SORTS],
      default: 'paying',
      description:
        'The largest first, equal ones by slug; `paying` compares equal ones by `conversions`, then by `clicks`. `balance` is `commissions` + `adjustments` − `settled` of the range.',
    },
    currency: {
      type: 'string',
      description:
        'The currency of a sort by money, in lower case; by default the currency with the largest revenue of the program.',
      examples: ['usd'],
    },
    per_page: { ...LIST_PARAMETERS.per_page, default: MAX_ADVOCATES },
    cursor: LIST_PARAMETERS.cursor,
  },
} as const satisfies JSONSchema;

export const STATISTICS = /* @__PURE__ */ resource(
  'statistics',
  {
    total: /* @__PURE__ */ exact(SUMS),
    groups: {
      type: 'array',
      items: /* @__PURE__ */ exact({ key: { type: 'string', description: '`YYYY-MM-DD` or `YYYY-MM`.' }, ...SUMS }),
      description: 'Every day or month of the range, newest first.',
    },
  },
  { type: 'string', description: "The advocate's slug, or the id of the program." },
) satisfies JSONSchema;
export const STATISTICS_DATA = /* @__PURE__ */ dataOf(STATISTICS);

export const ADVOCATE_STATISTICS = /* @__PURE__ */ resource(
  'statistics',
  {
    first_name: NULLABLE_TEXT,
    last_name: NULLABLE_TEXT,
    active: { type: 'boolean' },
    ...SUMS,
    money: {
      ...MONEY,
      description: `${MONEY.description} With \`range=lifetime\` of all currencies; with a sort by money in its currency; otherwise empty.`,
    },
  },
  { type: 'string', description: "The advocate's slug." },
) satisfies JSONSchema;
export const ADVOCATE_STATISTICS_LIST = /* @__PURE__ */ listOf(ADVOCATE_STATISTICS);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  statisticsQuery: STATISTICS_QUERY,
  ownStatisticsQuery: OWN_STATISTICS_QUERY,
  advocateStatisticsQuery: ADVOCATE_STATISTICS_QUERY,
};
