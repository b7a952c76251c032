import { render } from 'preact';
import { keepFresh } from '../kit/load.ts';
import { SessionNotice } from '../kit/shell.tsx';
import { Alert, Offline, Waiting } from '../kit/status.tsx';
import { Store, useStore } from '../kit/store.ts';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { NoToken, Portal, PortalSkeleton } from './portal.tsx';
import { api, frame, session } from './service.ts';

const NEVER = new Store(false);

function Page() {
  const { kind, epoch, offered, isRefused } = useStore(session.state);
  const hasFailed = useStore(frame?.hasFailed ?? NEVER);
  return (
    <div class="page">
      {hasFailed && kind !== 'expired' && <FrameFailed title={PORTAL.noToken} />}
      {/* In a frame, the notice waits until the page around it has failed to give another token that works. */}
      {(!frame || offered !== undefined || (kind === 'expired' && (hasFailed || isRefused))) && (
        <SessionNotice session={session} advice={frame ? <AskAgain /> : <p>{PORTAL.expiredAdvice}</p>} />
      )}
      {kind !== 'none' && (
        <>
          <Offline api={api} />
          <Portal key={epoch} />
        </>
      )}
      {kind === 'none' && (frame ? !hasFailed && <PortalSkeleton /> : <NoToken />)}
      <Waiting api={api} />
    </div>
  );
}

function FrameFailed({ title }: { readonly title: string }) {
  return (
    <Alert title={title}>
      <AskAgain />
    </Alert>
  );
}

function AskAgain() {
  const isAsking = useStore(frame?.isAsking ?? NEVER);
  return (
    <>
      <p>{PORTAL.frameFailed}</p>
      <button type="button" aria-disabled={isAsking} onClick={() => frame?.ask()}>
        {COMMON.retry}
      </button>
      <p role="status">{isAsking && PORTAL.frameAsks}</p>
    </>
  );
}

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
