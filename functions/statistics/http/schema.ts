import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { DAY_GROUPINGS, DAY_PATTERN, MAX_DAYS } from '../../kernel/days.ts';
import { NULLABLE_TEXT } from '../../kernel/fields/schemas.ts';
import { dataOf, exact, resource } from '../../kernel/http/schema.ts';

const day = (description: string) => ({ type: 'string', pattern: DAY_PATTERN, description }) as const;

const RANGE = {
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

/** The most advocates in a response. */
export const MAX_ADVOCATES = 50;

export const ADVOCATE_STATISTICS_QUERY = {
  type: 'object',
  properties: {
    ...RANGE,
    slugs: {
      type: 'string',
      description: `Only these advocates, in this order: at most ${MAX_ADVOCATES} slugs, separated by commas.`,
    },
  },
} as const satisfies JSONSchema;

const COUNT = { type: 'integer', minimum: 0 } as const;
const NUMBERS = {
  clicks: { ...COUNT, description: 'Stored clicks.' },
  conversions: { ...COUNT, description: 'Customers who converted.' },
  paying: { ...COUNT, description: 'Customers who paid for the first time.' },
  churned: COUNT,
  rejected: { ...COUNT, description: 'Referrals and clicks that were rejected.' },
} as const;

export const STATISTICS = /* @__PURE__ */ resource(
  'statistics',
  {
    total: /* @__PURE__ */ exact(NUMBERS),
    groups: {
      type: 'array',
      items: /* @__PURE__ */ exact({ key: { type: 'string', description: '`YYYY-MM-DD` or `YYYY-MM`.' }, ...NUMBERS }),
      description: 'Every day or month of the range, newest first.',
    },
  },
  { type: 'string', description: "The advocate's slug, or the id of the program." },
) satisfies JSONSchema;
export type StatisticsResource = FromSchema<typeof STATISTICS>;
export const STATISTICS_DATA = /* @__PURE__ */ dataOf(STATISTICS);

export const ADVOCATE_STATISTICS = /* @__PURE__ */ resource(
  'statistics',
  { first_name: NULLABLE_TEXT, last_name: NULLABLE_TEXT, active: { type: 'boolean' }, ...NUMBERS },
  { type: 'string', description: "The advocate's slug." },
) satisfies JSONSchema;
export type AdvocateStatisticsResource = FromSchema<typeof ADVOCATE_STATISTICS>;
export const ADVOCATE_STATISTICS_LIST = /* @__PURE__ */ exact({ data: { type: 'array', items: ADVOCATE_STATISTICS } });

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  statisticsQuery: STATISTICS_QUERY,
  ownStatisticsQuery: OWN_STATISTICS_QUERY,
  advocateStatisticsQuery: ADVOCATE_STATISTICS_QUERY,
};
