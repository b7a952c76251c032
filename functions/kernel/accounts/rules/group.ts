import { type FieldList, fromText, type Values } from '../../fields/field-list.ts';
import { MAX_NAME, parseSlug } from '../../fields/fields.ts';
import { number, text } from '../../fields/parsers.ts';
import { NULLABLE_TEXT, textInput } from '../../fields/schemas.ts';
import { MONTHS_INPUT, PERCENTAGE_INPUT } from './short-form.ts';

/** The most groups of a program: all of them are one item. */
export const MAX_GROUPS = 50;

/** Everything that the service knows of each field of a group of advocates, in the order of its resource. */
export const GROUP_FIELDS = {
  /** It never changes. */
  name: { attribute: 'name', stored: { parse: text }, forms: ['row'] },
  title: {
    attribute: 'title',
    stored: { parse: text, empty: null },
    schema: NULLABLE_TEXT,
    forms: ['api', 'row'],
    input: textInput(MAX_NAME, { description: 'What people call the group.', examples: ['Partners'] }),
  },
  commissionPercentage: {
    attribute: 'rate',
    stored: { parse: number, empty: null },
    name: 'commission_percentage',
    schema: { type: ['number', 'null'] },
    forms: ['api', 'row'],
    input: PERCENTAGE_INPUT,
  },
  commissionMonths: {
    attribute: 'months',
    stored: { parse: number, empty: null },
    name: 'commission_months',
    schema: { type: ['integer', 'null'] },
    forms: ['api', 'row'],
    input: MONTHS_INPUT,
  },
  commissionRulesId: {
    attribute: 'rules',
    stored: { parse: text, empty: null },
    name: 'commission_rules_id',
    schema: { ...NULLABLE_TEXT, description: 'The id of the rules.' },
    forms: ['api', 'row'],
  },
} as const satisfies FieldList;

/** A group of advocates with terms of its own; without terms, the program's apply. */
export type Group = Values<typeof GROUP_FIELDS>;

/** Checks the name of a group; returns it in lower case. Throws `InvalidField`. */
export const parseGroupName = fromText(parseSlug);
