import { type CommissionRules, parseRulesOrNull, shownRules } from '../../kernel/accounts/rules/commission-rules.ts';
import { GROUP_FIELDS, type Group, parseGroupName } from '../../kernel/accounts/rules/group.ts';
import { assertOneForm } from '../../kernel/accounts/rules/terms.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { attributesIn, emptyValues, parseInputs } from '../../kernel/fields/field-list.ts';
import type { HttpEvent } from '../../kernel/http/context.ts';
import { validBody } from '../../kernel/http/validation.ts';
import type { GroupRequest } from '../table/put-group.ts';
import { groupBody } from './validators.js';

type PathEvent = Pick<HttpEvent, 'pathParameters'>;

/** Parses the name in the path, and the body. Throws `InvalidField`. */
export function parseGroup({ pathParameters }: PathEvent, json: unknown): GroupRequest {
  const body = validBody(json, groupBody);
  const fields = { ...emptyValues(GROUP_FIELDS, 'input'), ...parseInputs(GROUP_FIELDS, body) };
  return toGroupRequest(pathParameters?.['name'] ?? '', fields, body.commission_rules);
}

/** Builds the request of a group from its checked fields and its unchecked rules. Throws `InvalidField`. */
export function toGroupRequest(
  name: string,
  fields: Omit<GroupRequest, 'name' | 'commissionRules'>,
  rules: unknown,
): GroupRequest {
  const commissionRules = parseRulesOrNull(rules);
  const { commissionPercentage, commissionMonths } = fields;
  assertOneForm(fields, commissionRules);
  if (commissionMonths !== null && commissionPercentage === null)
    throw new InvalidField('commission_percentage', 'is required with commission_months');
  return { ...fields, name: parseGroupName('name', name), commissionRules };
}

/** Builds the resource of a group with its rules. */
export function toGroup(group: Group, rules: CommissionRules | null) {
  const attributes = { ...attributesIn(GROUP_FIELDS, 'api', group), commission_rules: rules && shownRules(rules) };
  return { id: group.name, type: 'group', attributes } as const;
}

/** Builds the response with rules. */
export function toRulesData(id: string, rules: CommissionRules) {
  return { data: { id, type: 'commission_rules', attributes: { rules: shownRules(rules) } } } as const;
}
