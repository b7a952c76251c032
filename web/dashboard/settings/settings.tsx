import { Card } from '../../kit/card.tsx';
import { useLoaded } from '../../kit/loaded.ts';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { optional } from '../optional.ts';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { ApplicationsSection } from './applications.tsx';
import { BrandSection } from './brand.tsx';
import { CommissionSection } from './commission.tsx';
import { EmailsSection } from './emails.tsx';
import type { Changes } from './fields.ts';
import { Groups } from './groups.tsx';
import { PayoutsSection } from './payouts.tsx';
import { Members } from './people.tsx';
import { PortalSection } from './portal.tsx';
import { ProgramSection } from './program.tsx';
import { Sections } from './sections.tsx';
import { type People, useNewest, useProgram } from './stored.ts';

const OF_PROGRAM = ['program', 'commission', 'payouts', 'portal', 'brand'] as const;
/** Only a deployment with emails has them, and only a token that may change settings reads them. */
const OF_EMAILS = ['applications', 'people', 'emails'] as const;
type Section = (typeof OF_PROGRAM | typeof OF_EMAILS)[number];

/** The settings of the program, of its form for applications and of its emails. */
export function Settings() {
  const { can, token } = useDashboard();
  const isAdmin = can('admin');
  const [loaded] = useLoaded<People | null | undefined>(
    async (signal) =>
      isAdmin
        ? ((await optional(api.send('get', '/v2/program/people', { signal })))?.body.data.attributes ?? null)
        : undefined,
    [isAdmin],
  );
  const [people, setPeople] = useNewest(loaded);
  const savePeople = async (body: Changes): Promise<People> => {
    const { attributes } = (await api.send('patch', '/v2/program/people', { body })).body.data;
    setPeople(attributes);
    return attributes;
  };
  const isLocked = token !== undefined && !isAdmin;
  return (
    <Sections<Section>
      view="settings"
      label={SETTINGS.title}
      names={SETTINGS.SECTIONS}
      sections={isLocked || people === null ? OF_PROGRAM : [...OF_PROGRAM, ...OF_EMAILS]}
      hint={people === null && SETTINGS.withoutEmails}
    >
      {(section) => (
        <>
          {isLocked && <p class="soft">{SETTINGS.needsScope('admin')}</p>}
          <CurrentSection section={section} people={people} savePeople={savePeople} />
        </>
      )}
    </Sections>
  );
}

interface CurrentSectionProps {
  readonly section: Section;
  /** `null` without emails, `undefined` until they are read, or if the token may not read them. */
  readonly people: People | null | undefined;
  readonly savePeople: (changes: Changes) => Promise<People>;
}

function CurrentSection(props: CurrentSectionProps) {
  const { section, people } = props;
  if (section === 'people' && people) return <Members />;
  return (
    <>
      <Card title={SETTINGS.SECTIONS[section]}>
        <Content {...props} />
      </Card>
      {section === 'commission' && <Groups />}
    </>
  );
}

function Content({ section, people, savePeople }: CurrentSectionProps) {
  const { can, token } = useDashboard();
  const { settings, saveProgram } = useProgram();
  const isLocked = !can('admin');
  const waiting = <Skeleton lines={6} height={3.5} />;
  if (!settings || !token) return waiting;
  const program = { stored: settings, save: saveProgram, isLocked };
  switch (section) {
    case 'program':
      return <ProgramSection {...program} />;
    case 'commission':
      return <CommissionSection {...program} />;
    case 'payouts':
      return <PayoutsSection {...program} />;
    case 'brand':
      return <BrandSection {...program} />;
    case 'portal':
      if (people === undefined && !isLocked) return waiting;
      return <PortalSection {...program} people={people ?? undefined} savePeople={savePeople} />;
  }
  if (!people) return waiting;
  const Emails = section === 'applications' ? ApplicationsSection : EmailsSection;
  return <Emails stored={people} save={savePeople} />;
}
