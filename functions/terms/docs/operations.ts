import { asReceived, example, type Operations } from '../../openapi/operation.ts';
import { CREATORS, CREATORS_BODY, RULES } from '../../openapi/records.ts';
import { parseGroup, toGroup, toRulesData } from '../http/mapping.ts';
import type { TERMS_ROUTES } from '../http/routes.ts';
import { GROUP_BODY, GROUP_DATA, GROUP_LIST, RULES_DATA } from '../http/schema.ts';

const ID = CREATORS.commissionRulesId ?? '';
const parse = (body: unknown) => parseGroup({ pathParameters: { name: CREATORS.name } }, body);
const GROUP = toGroup(CREATORS, RULES);

const FOUND = {
  description: 'The rules.',
  schema: RULES_DATA,
  examples: { rules: example('€20 for the first payment, then 10% for a year', asReceived(toRulesData(ID, RULES))) },
} as const;

/** Documents the operations on groups, and on rules. */
export const TERMS_OPERATIONS: Operations<typeof TERMS_ROUTES> = {
  putGroup: {
    summary: 'Create or replace a group',
    description: [
      'Creates a group of advocates with terms of its own, or replaces it: absent fields are empty afterwards. Without terms, the terms of the program apply. A program has at most 50 groups, and none is deleted.',
      '',
      'The change takes effect within 30 seconds, for clicks and referrals from then on. The request can safely be repeated.',
    ].join('\n'),
    body: {
      schema: GROUP_BODY,
      parse,
      examples: { creators: example('€20 for the first payment, then 10% for a year', CREATORS_BODY) },
    },
    successes: {
      200: {
        description: 'The group.',
        schema: GROUP_DATA,
        examples: { creators: example('€20 for the first payment, then 10% for a year', asReceived({ data: GROUP })) },
      },
    },
    errors: ['too_many_groups'],
  },
  listGroups: {
    summary: 'List groups',
    description: 'Lists all groups of the program by name, on one page.',
    successes: {
      200: {
        description: 'The groups.',
        schema: GROUP_LIST,
        examples: { one: example('One group', asReceived({ data: [GROUP] })), none: example('No group', { data: [] }) },
      },
    },
  },
  getCommissionRules: {
    summary: 'Get commission rules',
    description:
      'Returns rules that the program or a group has or had. Rules never change, so they can be cached forever.',
    successes: { 200: FOUND },
    errors: ['rules_not_found'],
  },
  getOwnCommissionRules: {
    summary: 'Get commission rules (affiliate)',
    description:
      'Returns rules of the program by the id that referrals and entries contain. Rules never change, so they can be cached forever.',
    successes: { 200: FOUND },
    errors: ['rules_not_found'],
  },
};
