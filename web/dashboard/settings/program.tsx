import * as SETTINGS from '../../words/dashboard/settings.ts';
import { type Draft, type Field, typed, whole } from './fields.ts';
import { StoredForm } from './form.tsx';
import type { ProgramSectionProps, ProgramSettings } from './stored.ts';

const FIELDS: readonly Field[] = [
  { name: 'name', label: SETTINGS.name, isRequired: true },
  { name: 'site_url', label: SETTINGS.siteUrl, inputMode: 'url', isRequired: true },
  {
    name: 'link_parameter',
    label: SETTINGS.linkParameter,
    hint: SETTINGS.linkParameterHint,
    isRequired: true,
  },
  {
    name: 'attribution_days',
    label: SETTINGS.attributionDays,
    hint: SETTINGS.attributionDaysHint,
    inputMode: 'numeric',
    parse: whole,
  },
  {
    kind: 'choice',
    name: 'slugs',
    label: SETTINGS.slugs,
    options: [
      ['names', SETTINGS.fromNames],
      ['random', SETTINGS.random],
    ],
  },
  {
    kind: 'long',
    name: 'allowed_origins',
    label: SETTINGS.allowedOrigins,
    hint: SETTINGS.allowedOriginsHint,
    parse: (text) => text.split(/[\s,]+/).filter(Boolean),
  },
  {
    kind: 'choice',
    name: 'assistants_see_email',
    label: SETTINGS.assistantEmails,
    options: SETTINGS.assistantEmailViews,
  },
];

const draftOf = (settings: ProgramSettings): Draft => ({
  name: settings.name,
  site_url: settings.site_url,
  link_parameter: settings.link_parameter,
  attribution_days: typed(settings.attribution_days),
  slugs: settings.slugs,
  allowed_origins: settings.allowed_origins.join('\n'),
  assistants_see_email: settings.assistants_see_email,
});

export function ProgramSection(program: ProgramSectionProps) {
  return <StoredForm {...program} fields={FIELDS} draftOf={draftOf} />;
}
