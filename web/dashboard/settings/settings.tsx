import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Card } from '../../kit/controls.tsx';
import { Skeleton, useLoaded } from '../../kit/status.tsx';
import * as SETTINGS from '../../words/dashboard/settings.ts';
import { hrefOf, useDashboard } from '../router.ts';
import { ApplicationsSection } from './applications.tsx';
import { BrandSection } from './brand.tsx';
import { CommissionSection } from './commission.tsx';
import { EmailsSection } from './emails.tsx';
import { Groups } from './groups.tsx';
import { PayoutsSection } from './payouts.tsx';
import { Members } from './people.tsx';
import { PortalSection } from './portal.tsx';
import { ProgramSection } from './program.tsx';
import { type People, type ProgramSectionProps, type SavePeople, useNewest, useProgram } from './stored.ts';

const OF_PROGRAM = ['program', 'commission', 'payouts', 'portal', 'brand'] as const;
/** The sections that only a deployment with emails has. */
const OF_EMAILS = ['applications', 'people', 'emails'] as const;
const SECTIONS = [...OF_PROGRAM, ...OF_EMAILS] as const;
type Section = (typeof SECTIONS)[number];

/** The settings of the program, of its form for applications and of its emails. */
export function Settings() {
  const { api, can, token, route } = useDashboard();
  const isAdmin = can('admin');
  const [loaded] = useLoaded<People | null | undefined>(
    async (signal) => {
      if (!isAdmin) return undefined;
      try {
        return (await api.send('get', '/v2/program/people', { signal })).body.data.attributes;
      } catch (error) {
        // A deployment without emails does not have the route.
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    [isAdmin],
  );
  const [people, setPeople] = useNewest(loaded);
  const savePeople: SavePeople = async (body) => {
    const { attributes } = (await api.send('patch', '/v2/program/people', { body })).body.data;
    setPeople(attributes);
    return attributes;
  };
  const sections = people === null ? OF_PROGRAM : SECTIONS;
  const section = sections.find((each) => each === route.item) ?? 'program';
  const nav = useRef<HTMLElement>(null);
  // On a phone, the sections stand in one line, which is wider than the screen.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (current) nav.current?.scrollTo({ left: current.offsetLeft - nav.current.offsetLeft - current.offsetWidth });
  }, [section]);
  return (
    <div class="settings-view">
      <div>
        <nav ref={nav} class="sections" aria-label={SETTINGS.title}>
          {sections.map((each) => (
            <a key={each} href={hrefOf('settings', each)} aria-current={each === section ? 'page' : undefined}>
              {SETTINGS.SECTIONS[each]}
            </a>
          ))}
        </nav>
        {people === null && <p class="hint">{SETTINGS.withoutEmails}</p>}
      </div>
      <div class="settings-section" key={section}>
        {token && !isAdmin && <p class="soft">{SETTINGS.needsScope('admin')}</p>}
        <CurrentSection section={section} people={people} savePeople={savePeople} />
      </div>
    </div>
  );
}

interface CurrentSectionProps {
  readonly section: Section;
  /** `null` without emails, `undefined` until they are read, or if the token may not read them. */
  readonly people: People | null | undefined;
  readonly savePeople: SavePeople;
}

function CurrentSection({ section, ...others }: CurrentSectionProps) {
  const { can, token } = useDashboard();
  const { settings } = useProgram();
  const isLocked = !can('admin');
  const isOfEmails = OF_EMAILS.some((each) => each === section);
  if (token && isLocked && isOfEmails) return null;
  const title = SETTINGS.SECTIONS[section];
  const isWaiting = !isLocked && others.people === undefined && (isOfEmails || section === 'portal');
  if (!settings || !token || isWaiting) {
    return (
      <Card title={title}>
        <Skeleton lines={6} height={3.5} />
      </Card>
    );
  }
  if (section === 'people') return <Members />;
  return (
    <>
      <Card title={title}>
        <Content {...others} section={section} settings={settings} isLocked={isLocked} />
      </Card>
      {section === 'commission' && <Groups isLocked={isLocked} />}
    </>
  );
}

interface ContentProps extends CurrentSectionProps, ProgramSectionProps {
  readonly section: Exclude<Section, 'people'>;
}

function Content({ section, people, savePeople, ...program }: ContentProps) {
  switch (section) {
    case 'program':
      return <ProgramSection {...program} />;
    case 'commission':
      return <CommissionSection {...program} />;
    case 'payouts':
      return <PayoutsSection {...program} />;
    case 'portal':
      return <PortalSection {...program} people={people ?? undefined} savePeople={savePeople} />;
    case 'brand':
      return <BrandSection {...program} />;
    case 'applications':
      return people ? <ApplicationsSection people={people} savePeople={savePeople} /> : null;
    case 'emails':
      return people ? <EmailsSection people={people} savePeople={savePeople} /> : null;
  }
}
