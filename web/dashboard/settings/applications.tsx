import * as WORDS from '../../words/dashboard/settings-people.ts';
import { CopyField } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { type Draft, type Field, type Row, rowsIn, slugOf, textOrNull, typed } from './fields.ts';
import { StoredForm } from './form.tsx';
import type { People, PeopleSectionProps } from './stored.ts';

const FIELDS: readonly Field[] = [
  { kind: 'choice', name: 'applications', label: WORDS.applications, options: WORDS.applicationModes },
  { kind: 'long', name: 'apply_text', label: WORDS.applyText, parse: textOrNull },
  {
    kind: 'list',
    name: 'application_fields',
    label: WORDS.fields,
    item: WORDS.field,
    add: WORDS.addField,
    max: 10,
    columns: [
      { name: 'label', label: WORDS.fieldLabel, isRequired: true },
      { name: 'kind', label: WORDS.fieldKind, kind: 'choice', options: WORDS.fieldKinds },
      {
        name: 'options',
        label: WORDS.fieldOptions,
        kind: 'long',
        isRequired: true,
        isShown: ({ kind }) => kind === 'choice',
      },
      { name: 'required', label: WORDS.fieldRequired, kind: 'check' },
    ],
    addTo: (draft) => [...rowsIn(draft, 'application_fields'), { kind: 'text' }],
    parse: questionsOf,
  },
];

/** Reads the questions. A stored one keeps the name of its answers, a new one gets it from its words. */
function questionsOf(rows: readonly Row[]) {
  const keys = new Set(rows.map(({ key = '' }) => key));
  return rows.map(({ key: stored = '', label = '', kind = 'text', required = '', options = '' }) => {
    const key = stored || unusedKey(label, keys);
    keys.add(key);
    return {
      key,
      label: label.trim(),
      kind,
      required: required !== '',
      options: kind === 'choice' ? linesOf(options) : [],
    };
  });
}

const linesOf = (text: string) => [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean);

function unusedKey(label: string, used: ReadonlySet<string>): string {
  const words =
    slugOf(label, '_')
      .replace(/^[\d_]+/, '')
      .slice(0, 30) || 'question';
  let key = words;
  for (let number = 2; used.has(key); number += 1) key = `${words}_${number}`;
  return key;
}

const draftOf = (people: People): Draft => ({
  applications: people.applications,
  apply_text: typed(people.apply_text),
  application_fields: people.application_fields.map(({ key, label, kind, required, options }) => ({
    ...{ key, label, kind, required: required ? 'yes' : '', options: options.join('\n') },
  })),
});

export function ApplicationsSection(people: PeopleSectionProps) {
  const { program } = useDashboard();
  const link = new URL(`account#program=${program?.attributes.public_key ?? ''}`, location.href).href;
  return (
    <>
      <CopyField label={WORDS.link} value={link} copy={WORDS.copyLink} />
      <StoredForm {...people} fields={FIELDS} draftOf={draftOf} />
    </>
  );
}
