import { render } from 'preact';
import { useRef } from 'preact/hooks';
import { Button } from '../kit/controls.tsx';
import { hasTerms } from '../kit/rules.ts';
import { ViewHeading } from '../kit/shell.tsx';
import { Alert, keepFresh, Offline, Problem, readyOf, refresh, useLoaded, Waiting } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { COMMON } from '../words/common.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import { Advocates } from './advocates/advocates.tsx';
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
  useRoute,
  VIEWS,
  type View,
} from './router.ts';
import { api, exchangeToken, session, signOut } from './service.ts';
import { Expired, Refusal, SignIn } from './sign-in.tsx';

/** A page that opens leaves the focus alone. After signing in and out, the heading gets the focus. */
const epochAtStart = session.state.value.epoch;

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
        </>
      )}
      <Waiting api={api} />
    </div>
  );
}

function Welcome() {
  return (
    <main class="card welcome">
      <ViewHeading
        title={DASHBOARD.title}
        page={DASHBOARD.title}
        takesFocus={session.state.value.epoch !== epochAtStart}
      />
      <p class="soft">{DASHBOARD.signInAdvice}</p>
      <SignIn />
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
      <Header program={known?.data} view={view} />
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

function Header({ program, view }: HeaderProps) {
  return (
    <header class="top">
      <p class="program">
        <bdi>{program?.attributes.name ?? '\u00a0'}</bdi>
        {program?.attributes.mode === 'test' && <span class="badge warn">{DASHBOARD.test}</span>}
      </p>
      <div class="buttons">
        <Button label={COMMON.refresh} onClick={refresh} />
        <Button label={COMMON.signOut} kind="quiet" onClick={signOut} />
      </div>
      <nav aria-label={DASHBOARD.navigation}>
        {VIEWS.map((each) => (
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
    case 'money':
      return <Money />;
    case 'developers':
      return <Developers />;
  }
}

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
