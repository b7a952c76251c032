import type { ResponseBody } from '../../kit/api.ts';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { tell } from '../../kit/toast.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { api } from '../service.ts';
import { changesOf, type Draft, type Field, type Row, rowsIn, textOrNull, typed } from './fields.ts';
import { SettingsForm } from './form.tsx';
import {
  type People,
  type ProgramSectionProps,
  type ProgramSettings,
  type SavePeople,
  useNewest,
  useProgram,
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
    kind: 'text',
    name: 'terms_url',
    label: SETTINGS.termsUrl,
    inputMode: 'url',
    example: 'https://',
    parse: textOrNull,
  },
  {
    kind: 'text',
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

const draftOf = (settings: ProgramSettings, people: People | undefined, resources: readonly Resource[]): Draft => ({
  affiliates_see_email: settings.affiliates_see_email,
  terms_url: typed(people?.terms_url ?? null),
  terms_version: typed(people?.terms_version ?? null),
  resources: resources.map(rowOf),
});

interface PortalSectionProps extends ProgramSectionProps {
  /** `undefined` without emails, or without the scope that shows them. */
  readonly people: People | undefined;
  readonly savePeople: SavePeople;
}

/** What advocates see: parts of three resources of the API, of which only changed ones are written. */
export function PortalSection({ settings, people, savePeople, isLocked }: PortalSectionProps) {
  const { saveProgram } = useProgram();
  const [list] = useLoaded(
    async (signal) => (await api.send('get', '/v2/program/resources', { signal })).body.data.attributes.resources,
    [],
  );
  const [resources, setResources] = useNewest(list);
  const fields = [...OF_PROGRAM, ...(people ? OF_PEOPLE : []), RESOURCES];
  async function saveResources(rows: readonly Row[]): Promise<readonly Resource[]> {
    const body = { resources: resourcesOf(rows) };
    const stored = (await api.send('put', '/v2/program/resources', { body })).body.data.attributes.resources;
    setResources(stored);
    return stored;
  }
  return (
    <WhenReady loaded={list} skeleton={<Skeleton lines={5} height={3} />}>
      {(read) => (
        <SettingsForm
          fields={fields}
          draft={draftOf(settings, people, resources ?? read)}
          isLocked={isLocked}
          onSave={async (changes, draft) => {
            const ofProgram = changesOf(OF_PROGRAM, changes);
            const ofPeople = changesOf(OF_PEOPLE, changes);
            const ofResources = changesOf([RESOURCES], changes);
            const next = draftOf(
              ofProgram ? await saveProgram(ofProgram) : settings,
              ofPeople ? await savePeople(ofPeople) : people,
              ofResources ? await saveResources(rowsIn(draft, 'resources')) : (resources ?? read),
            );
            tell(SETTINGS.saved);
            return next;
          }}
        />
      )}
    </WhenReady>
  );
}
