import { render } from 'preact';
import { ViewHeading } from '../kit/shell.tsx';
import { keepFresh, Offline, Waiting } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import { Frame } from './frame.tsx';
import { api, session } from './service.ts';
import { Expired, SignIn } from './sign-in.tsx';

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

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
