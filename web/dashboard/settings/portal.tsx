import type { ResponseBody } from '../../kit/api.ts';
import { useLoaded } from '../../kit/loaded.ts';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { api } from '../service.ts';
import { changesOf, type Draft, type Field, type Row, rowsIn, textOrNull, typed } from './fields.ts';
import { StoredForm } from './form.tsx';
import {
  type People,
  type PeopleSectionProps,
  type ProgramSectionProps,
  type ProgramSettings,
  useNewest,
} from './stored.ts';

type Resource = ResponseBody<'/v2/program/resources', 'get'>['data']['attributes']['resources'][number];

const OF_PROGRAM: readonly Field[] = [
  {
    kind: 'choice',
    name: 'affiliates_see_email',
    label: SETTINGS.customerEmails,
    options: SETTINGS.emailViews,
  },
];

const OF_PEOPLE: readonly Field[] = [
  {
    name: 'terms_url',
    label: SETTINGS.termsUrl,
    inputMode: 'url',
    example: 'https://',
    parse: textOrNull,
  },
  {
    name: 'terms_version',
    label: SETTINGS.termsVersion,
    hint: SETTINGS.termsVersionHint,
    parse: textOrNull,
  },
];

const RESOURCES: Field = {
  kind: 'list',
  name: 'resources',
  label: SETTINGS.resources,
  item: SETTINGS.resource,
  add: SETTINGS.addResource,
  max: 20,
  columns: [
    { name: 'title', label: SETTINGS.resourceTitle, isRequired: true },
    { name: 'url', label: SETTINGS.resourceUrl, example: 'https://' },
    { name: 'text', label: SETTINGS.resourceText, kind: 'long' },
  ],
  parse: resourcesOf,
};

function resourcesOf(rows: readonly Row[]): Resource[] {
  return rows.map(({ title = '', url = '', text = '' }) => ({
    title: title.trim(),
    url: textOrNull(url.trim()),
    text: textOrNull(text.trim()),
  }));
}

const rowOf = ({ title, url, text }: Resource): Row => ({ title, url: typed(url), text: typed(text) });

/** Parts of three resources of the API. Without emails, or without the scope that shows it, one is `undefined`. */
type Parts = readonly [program: ProgramSettings, people: People | undefined, resources: readonly Resource[]];

const draftOf = ([program, people, resources]: Parts): Draft => ({
  affiliates_see_email: program.affiliates_see_email,
  terms_url: typed(people?.terms_url ?? null),
  terms_version: typed(people?.terms_version ?? null),
  resources: resources.map(rowOf),
});

interface PortalSectionProps extends ProgramSectionProps {
  readonly people: People | undefined;
  readonly savePeople: PeopleSectionProps['save'];
}

/** What advocates see. Only parts that were changed are written. */
export function PortalSection({ stored, save, people, savePeople, isLocked }: PortalSectionProps) {
  const [list] = useLoaded(
    async (signal) => (await api.send('get', '/v2/program/resources', { signal })).body.data.attributes.resources,
    [],
  );
  const [resources, setResources] = useNewest(list);
  async function saveResources(rows: readonly Row[]): Promise<readonly Resource[]> {
    const body = { resources: resourcesOf(rows) };
    const next = (await api.send('put', '/v2/program/resources', { body })).body.data.attributes.resources;
    setResources(next);
    return next;
  }
  return (
    <WhenReady loaded={list} skeleton={<Skeleton lines={5} height={3} />}>
      {(read) => (
        <StoredForm<Parts>
          fields={[...OF_PROGRAM, ...(people ? OF_PEOPLE : []), RESOURCES]}
          stored={[stored, people, resources ?? read]}
          draftOf={draftOf}
          isLocked={isLocked}
          save={async (changes, draft) => {
            const [ofProgram, ofPeople] = [changesOf(OF_PROGRAM, changes), changesOf(OF_PEOPLE, changes)];
            return [
              ofProgram ? await save(ofProgram) : stored,
              ofPeople ? await savePeople(ofPeople) : people,
              'resources' in changes ? await saveResources(rowsIn(draft, 'resources')) : (resources ?? read),
            ];
          }}
        />
      )}
    </WhenReady>
  );
}
