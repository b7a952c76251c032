import { useEffect, useState } from 'preact/hooks';
import { applicantName } from '../kit/applicant.ts';
import { Button } from '../kit/button.tsx';
import { formatTime } from '../kit/format.ts';
import * as ICONS from '../kit/icons.tsx';
import { readyOf, refresh, useLoaded } from '../kit/loaded.ts';
import { logoOf } from '../kit/logo.ts';
import { Alert, ViewProblem } from '../kit/messages.tsx';
import { Navigation } from '../kit/navigation.tsx';
import { pageReadings } from '../kit/readings.ts';
import { ViewHeading } from '../kit/shell.tsx';
import { NEVER, useStore } from '../kit/store.ts';
import { Skeleton } from '../kit/when-ready.tsx';
import * as COMMON from '../words/common.ts';
import * as WORDS from '../words/portal/shell.ts';
import { Account } from './account/account.tsx';
import { Earnings } from './earnings/earnings.tsx';
import { Home } from './home/home.tsx';
import { Links } from './links/links.tsx';
import { paintAccent } from './paint.ts';
import { Referrals } from './referrals/referrals.tsx';
import { hrefOf, useRoute, VIEWS } from './router.ts';
import { type Affiliate, api, frame, session, signInPage, signOut } from './service.ts';
import type { ViewProps } from './view.ts';
import { LinkDialog } from './welcome/opened-link.tsx';
import { Welcome } from './welcome/welcome.tsx';

/** Milliseconds for which the service may remember an advocate. */
const STALE = 30_000;

/** A page that opens leaves the focus alone. Later, the heading of another view gets the focus. */
const epochAtStart = session.state.value.epoch;

/** The views of an advocate. Each reads what it shows in parallel: no number needs the answer of another request. */
export function Shell() {
  const { view } = useRoute();
  const [viewAtStart] = useState(view);
  const [hasMoved, setMoved] = useState(false);
  useEffect(() => setMoved(hasMoved || view !== viewAtStart), [view]);
  const { about, readAt, isUseless, onChanged } = useAbout();
  const { kind } = useStore(session.state);
  const wasRefused = useStore(frame?.wasRefused ?? NEVER);
  const hasRead = readAt !== undefined;
  // Nothing was read with the token that was refused. A frame asks the page around it for another one.
  if (kind === 'expired' && !hasRead && !frame) return <NoToken />;
  if (kind === 'expired' && !hasRead && wasRefused) return null;
  const { label, Content } = VIEW[view];
  return (
    <>
      <Header about={about} readAt={readAt} />
      <Navigation views={NAVIGATION} current={view} atFoot={VIEWS.length} />
      <main>
        <ViewHeading
          title={label}
          page={about?.program.name ?? WORDS.title}
          takesFocus={hasMoved || view !== viewAtStart || session.state.value.epoch !== epochAtStart}
        />
        <ViewProblem />
        {about && !about.active && (
          <Alert title={WORDS.paused} tone="notice">
            <p>{WORDS.pausedAdvice}</p>
          </Alert>
        )}
        {!isUseless && <Content key={view} about={about} onChanged={onChanged} />}
      </main>
      {signInPage && <LinkDialog page={signInPage} />}
    </>
  );
}

const VIEW = {
  home: { label: WORDS.home, icon: ICONS.HOME, Content: Home },
  links: { label: WORDS.links, icon: ICONS.LINK, Content: Links },
  referrals: { label: WORDS.referrals, icon: ICONS.PEOPLE, Content: Referrals },
  earnings: { label: WORDS.earnings, icon: ICONS.MONEY, Content: Earnings },
  account: { label: WORDS.account, icon: ICONS.PERSON, Content: Account },
};

const NAVIGATION = VIEWS.map((view) => ({ id: view, href: hrefOf(view), ...VIEW[view] }));

function useAbout(): ViewProps & { readonly readAt: number | undefined; readonly isUseless: boolean } {
  const [affiliate] = useLoaded(async (signal) => {
    const { body } = await api.send('get', '/v2/affiliate', { signal });
    session.shows(body.data.id);
    return body.data.attributes;
  }, []);
  const ready = readyOf(affiliate);
  const [own, setOwn] = useState<{ readonly about: Affiliate; readonly at: number }>();
  // What was just saved may be read a little later.
  const about = own && ready && ready.at < own.at + STALE ? own.about : ready?.value;
  const accent = about?.program.accent;
  useEffect(() => {
    // In a frame, the page around it chooses the color.
    if (!frame) paintAccent(accent ?? null);
  }, [accent]);
  return {
    about,
    readAt: ready?.at,
    // Nothing else can be read with a token of the wrong kind. After another error, what loaded stays.
    isUseless: affiliate.kind === 'failed' && affiliate.error.isRefusal && !affiliate.last,
    onChanged: (changed) => setOwn({ about: changed, at: Date.now() }),
  };
}

function Header({ about, readAt }: { readonly about: Affiliate | undefined; readonly readAt: number | undefined }) {
  const name = about && (applicantName(about) || about.slug);
  const logo = about && !frame ? logoOf(about.program.public_key, about.program.logo_version) : undefined;
  const { isReading, error } = useStore(pageReadings);
  const failed = error && COMMON.notAllRead(error.message);
  return (
    <header class="top">
      {logo !== undefined && <img class="logo" src={logo} alt="" />}
      <div class="names">
        {!frame && <strong>{about?.program.name ?? WORDS.title}</strong>}
        <p class="soft who">
          {about?.program.mode === 'test' && (
            <span class="badge warn" title={WORDS.testHint}>
              {COMMON.test}
            </span>
          )}{' '}
          <span>{name === undefined ? '\u00a0' : COMMON.signedInAs(name)}</span>
        </p>
      </div>
      <p class="hidden" role="status">
        {isReading ? COMMON.reading : (failed ?? (readAt && COMMON.readAt(formatTime(readAt))))}
      </p>
      <Button label={COMMON.refresh} kind="quiet" onClick={refresh} />
      {!frame && <Button label={COMMON.signOut} kind="quiet" onClick={signOut} />}
    </header>
  );
}

export function NoToken() {
  if (signInPage) return <Welcome page={signInPage} />;
  return (
    <main class="card welcome">
      <ViewHeading title={WORDS.noToken} page={WORDS.title} takesFocus={epochAtStart !== session.state.value.epoch} />
      <p class="soft">{WORDS.noTokenAdvice}</p>
    </main>
  );
}

/** Shown in a frame until the page around it gives a token. */
export function PortalSkeleton() {
  return (
    <main aria-busy="true">
      <h1 class="hidden">{WORDS.title}</h1>
      <div class="card">
        <Skeleton lines={5} height={2.5} />
      </div>
    </main>
  );
}
