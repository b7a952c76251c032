import type { JSONSchema } from 'json-schema-to-ts';
import { GROUP_FIELDS } from '../../kernel/accounts/rules/group.ts';
import { inputSchemas, schemasIn } from '../../kernel/fields/field-list.ts';
import { COMMISSION_RULES_INPUT, SHOWN_RULES, SHOWN_RULES_OR_NULL } from '../../kernel/http/commission-rules.ts';
import { dataOf, exact, resource } from '../../kernel/http/schema.ts';

export const GROUP_BODY = /* @__PURE__ */ (() =>
  ({
    type: 'object',
    properties: { ...inputSchemas(GROUP_FIELDS), commission_rules: COMMISSION_RULES_INPUT },
  }) as const satisfies JSONSchema)();

export const GROUP = /* @__PURE__ */ (() =>
  resource(
    'group',
    { ...schemasIn(GROUP_FIELDS, 'api'), commission_rules: SHOWN_RULES_OR_NULL },
    { type: 'string', description: 'The name of the group.' },
  ))();
export const GROUP_DATA = /* @__PURE__ */ dataOf(GROUP);
export const GROUP_LIST = /* @__PURE__ */ exact({ data: { type: 'array', items: GROUP } });

export const RULES = /* @__PURE__ */ (() =>
  resource(
    'commission_rules',
    { rules: SHOWN_RULES },
    { type: 'string', description: 'The id: equal rules have the same.', examples: ['3f1c0a9b7e5d2846'] },
  ))();
export const RULES_DATA = /* @__PURE__ */ dataOf(RULES);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = { groupBody: GROUP_BODY };
