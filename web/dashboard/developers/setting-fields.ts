import { ApiError } from '../../kit/api-error.ts';
import type { RequestBody } from '../../kit/api-types.ts';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import type { Program } from '../context.ts';

type Attributes = Program['attributes'];
type Changes = RequestBody<'/v2/program', 'patch'>;

/** The settings that are typed, in the order of the form. */
export const TEXTS = [
  'name',
  'site_url',
  'link_parameter',
  'commission_percentage',
  'commission_months',
  'payable_after_days',
  'attribution_days',
  'allowed_origins',
] as const;
type Text = (typeof TEXTS)[number];

export type TypedSettings = Readonly<Record<Text, string>> & Pick<Attributes, 'affiliates_see_email' | 'slugs'>;

const textOf = (value: string | number | null) => (value === null ? '' : String(value));

export function typedOf(attributes: Attributes): TypedSettings {
  return {
    name: attributes.name,
    site_url: attributes.site_url,
    link_parameter: attributes.link_parameter,
    commission_percentage: textOf(attributes.commission_percentage),
    commission_months: textOf(attributes.commission_months),
    payable_after_days: textOf(attributes.payable_after_days),
    attribution_days: textOf(attributes.attribution_days),
    allowed_origins: attributes.allowed_origins.join(' '),
    affiliates_see_email: attributes.affiliates_see_email,
    slugs: attributes.slugs,
  };
}

/** Returns only the settings that were changed, so that nobody else's change is undone. */
export function changedSettings(before: TypedSettings, typed: TypedSettings): Changes {
  const isChanged = (field: keyof TypedSettings) => typed[field].trim() !== before[field];
  const origins = typed.allowed_origins.split(/[\s,]+/).filter(Boolean);
  return {
    ...(isChanged('name') && { name: typed.name.trim() }),
    ...(isChanged('site_url') && { site_url: typed.site_url.trim() }),
    ...(isChanged('link_parameter') && { link_parameter: typed.link_parameter.trim() }),
    ...(isChanged('commission_percentage') && { commission_percentage: optional(typed, 'commission_percentage') }),
    ...(isChanged('commission_months') && { commission_months: optional(typed, 'commission_months') }),
    ...(isChanged('payable_after_days') && { payable_after_days: numberOf(typed, 'payable_after_days') }),
    ...(isChanged('attribution_days') && { attribution_days: numberOf(typed, 'attribution_days') }),
    ...(isChanged('allowed_origins') && { allowed_origins: origins }),
    ...(isChanged('affiliates_see_email') && { affiliates_see_email: typed.affiliates_see_email }),
    ...(isChanged('slugs') && { slugs: typed.slugs }),
  };
}

const optional = (typed: TypedSettings, field: Text) => (typed[field].trim() === '' ? null : numberOf(typed, field));

/** Reads a number. The API checks its range. */
function numberOf(typed: TypedSettings, field: Text): number {
  const text = typed[field].trim();
  const [label] = DEVELOPERS.fields[field];
  if (!/^\d+(?:\.\d+)?$/.test(text)) throw new ApiError(DEVELOPERS.notNumber(label), -1);
  return Number(text);
}
