import * as SETTINGS from '../../words/dashboard/settings.ts';
import { type Draft, type Field, plainText, typed, whole } from './fields.ts';
import { SettingsForm } from './form.tsx';
import { type ProgramSectionProps, type ProgramSettings, useProgramSave } from './stored.ts';

const FIELDS: readonly Field[] = [
  { kind: 'text', name: 'name', label: SETTINGS.name, isRequired: true, parse: plainText },
  { kind: 'text', name: 'site_url', label: SETTINGS.siteUrl, inputMode: 'url', isRequired: true, parse: plainText },
  {
    kind: 'text',
    name: 'link_parameter',
    label: SETTINGS.linkParameter,
    hint: SETTINGS.linkParameterHint,
    isRequired: true,
    parse: plainText,
  },
  {
    kind: 'text',
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
];

const draftOf = (settings: ProgramSettings): Draft => ({
  name: settings.name,
  site_url: settings.site_url,
  link_parameter: settings.link_parameter,
  attribution_days: typed(settings.attribution_days),
  slugs: settings.slugs,
  allowed_origins: settings.allowed_origins.join('\n'),
});

export function ProgramSection({ settings, isLocked }: ProgramSectionProps) {
  const onSave = useProgramSave(draftOf);
  return <SettingsForm fields={FIELDS} draft={draftOf(settings)} isLocked={isLocked} onSave={onSave} />;
}
