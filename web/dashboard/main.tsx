import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../kit/controls.tsx';
import { hasTerms } from '../kit/rules.ts';
import { ViewHeading } from '../kit/shell.tsx';
import { Continue } from '../kit/sign-in.tsx';
import { Alert, keepFresh, Offline, Problem, readyOf, refresh, useLoaded, Waiting } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { COMMON } from '../words/common.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import { SIGN_IN } from '../words/sign-in.ts';
import { Advocates } from './advocates/advocates.tsx';
import { Applications } from './applications/applications.tsx';
import { Developers } from './developers/developers.tsx';
import { Money } from './money/money.tsx';
import { Overview } from './overview/overview.tsx';
import { Referrals } from './referrals/referrals.tsx';
import {
  type Dashboard,
  DashboardProvider,
  hrefOf,
  navigate,
  type Program,
  SETTINGS,
  type Token,
  useDashboard,
  useRoute,
  VIEWS,
  type View,
} from './router.ts';
import { api, exchangeToken, session, signInPage, signOut } from './service.ts';
import { Expired, LinkDialog, Refusal, SignIn } from './sign-in.tsx';

/** A page that opens leaves the focus alone. After signing in and out, the heading gets the focus. */
const epochAtStart = session.state.value.epoch;
const linkAtStart = signInPage.links.link.value;

function Page() {
  const { kind, epoch } = useStore(session.state);
  return (
    <div class="page">
      <Expired />
      {kind === 'none' ? (
        <Welcome />
      ) : (
        <>
          <Offline api={api} />
          <Frame key={epoch} takesFocus={epoch !== epochAtStart} />
          <LinkDialog />
        </>
      )}
      <Waiting api={api} />
    </div>
  );
}

function Welcome() {
  const link = useStore(signInPage.links.link);
  const program = useStore(signInPage.links.program);
  const isLink = link?.kind === 'code';
  return (
    <main class="card welcome">
      <ViewHeading
        title={isLink ? SIGN_IN.linkTitle : program === undefined ? DASHBOARD.title : DASHBOARD.signInTitle}
        page={DASHBOARD.title}
        takesFocus={session.state.value.epoch !== epochAtStart || link !== linkAtStart}
      />
      {!isLink && (
        <p class="soft">
          {program === undefined ? DASHBOARD.signInAdvice : `${DASHBOARD.signInFor} ${SIGN_IN.advice}`}
        </p>
      )}
      {isLink ? <Continue page={signInPage} link={link} /> : <SignIn />}
    </main>
  );
}

interface FrameProps {
  /** True if the heading of the first view gets the focus, because the form for the token has disappeared. */
  readonly takesFocus: boolean;
}

function Frame({ takesFocus }: FrameProps) {
  const { kind, arrivals } = useStore(session.state);
  const { view, filters } = useRoute();
  const [about, reloadProgram] = useLoaded(
    async (signal) => {
      const { body, now } = await api.send('get', '/v2/program', { signal });
      session.shows(body.data.id);
      void exchangeToken(body.meta.token, now);
      return body;
    },
    [arrivals],
    [],
  );
  const known = readyOf(about)?.value;
  if (about.kind === 'failed' && about.error.status === 403) return <Refused error={about.error} />;
  // Nothing was read with the token that was refused: there is nothing to keep.
  if (kind === 'expired' && !known) return null;
  const dashboard: Dashboard = {
    api,
    program: known?.data,
    token: known?.meta.token,
    can: (scope) => known?.meta.token.scopes.includes(scope) ?? false,
    filters,
    navigate,
    reloadProgram,
  };
  return (
    <DashboardProvider value={dashboard}>
      <Header program={known?.data} member={known?.meta.token.member ?? null} view={view} />
      <main>
        {known && !hasTerms(known.data.attributes) && <NoRate />}
        <Heading view={view} program={known?.data} takesFocus={takesFocus} />
        {/* Without the program, no view is whole. `Offline` says that there is no connection. */}
        {about.kind === 'failed' && !known && about.error.status !== 0 ? (
          <Problem error={about.error} onRetry={reloadProgram} />
        ) : (
          <CurrentView view={view} />
        )}
      </main>
    </DashboardProvider>
  );
}

function Refused({ error }: Parameters<typeof Refusal>[0]) {
  return (
    <main class="card welcome">
      <ViewHeading title={DASHBOARD.title} page={DASHBOARD.title} takesFocus={false} />
      <Refusal error={error} />
      <SignIn />
    </main>
  );
}

/** Stands in every view, because payments earn nothing for ever. */
function NoRate() {
  return (
    <Alert title={DASHBOARD.noRate} tone="notice">
      <p>
        {DASHBOARD.noRateAdvice} <a href={SETTINGS}>{DASHBOARD.setRate}</a>
      </p>
    </Alert>
  );
}

interface HeaderProps {
  readonly program: Program | undefined;
  readonly view: View;
}

/** Says which member signed in; a token is nobody. */
function Header({ program, member, view }: HeaderProps & Pick<Token, 'member'>) {
  const { can } = useDashboard();
  const views = VIEWS.filter((each) => each !== 'applications' || can('advocates'));
  return (
    <header class="top">
      <p class="program">
        <bdi>{program?.attributes.name ?? '\u00a0'}</bdi>
        {program?.attributes.mode === 'test' && <span class="badge warn">{DASHBOARD.test}</span>}
      </p>
      {member && <bdi class="soft member">{COMMON.signedInAs(member.name ?? member.email)}</bdi>}
      <div class="buttons">
        <Button label={COMMON.refresh} onClick={refresh} />
        <Button label={COMMON.signOut} kind="quiet" onClick={signOut} />
      </div>
      <nav aria-label={DASHBOARD.navigation}>
        {views.map((each) => (
          <a key={each} href={hrefOf(each)} aria-current={each === view ? 'page' : undefined}>
            {DASHBOARD.views[each]}
          </a>
        ))}
      </nav>
    </header>
  );
}

/** The heading of the view. Views that are opened later get the focus. */
function Heading({ view, program, takesFocus }: HeaderProps & FrameProps) {
  const first = useRef(view);
  const hasMoved = useRef(false);
  if (view !== first.current) hasMoved.current = true;
  return (
    <ViewHeading
      key={view}
      title={DASHBOARD.views[view]}
      page={program?.attributes.name ?? DASHBOARD.title}
      takesFocus={takesFocus || hasMoved.current}
    />
  );
}

function CurrentView({ view }: { readonly view: View }) {
  switch (view) {
    case 'overview':
      return <Overview />;
    case 'referrals':
      return <Referrals />;
    case 'advocates':
      return <Advocates />;
    case 'applications':
      return <Applications />;
    case 'money':
      return <Money />;
    case 'developers':
      return <Developers />;
  }
}

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
