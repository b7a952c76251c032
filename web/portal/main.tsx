import { render } from 'preact';
import { Button } from '../kit/controls.tsx';
import { SessionNotice } from '../kit/shell.tsx';
import { Alert, keepFresh, Offline, Waiting } from '../kit/status.tsx';
import { NEVER, useStore } from '../kit/store.ts';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { NoToken, Portal, PortalSkeleton } from './portal.tsx';
import { api, frame, session } from './service.ts';

function Page() {
  const { kind, epoch, offered, isRefused } = useStore(session.state);
  const hasFailed = useStore(frame?.hasFailed ?? NEVER);
  const wasRefused = useStore(frame?.wasRefused ?? NEVER);
  return (
    <div class="page">
      {hasFailed && kind !== 'expired' && <FrameFailed />}
      {/* In a frame, a token that ended in time is replaced without a notice. */}
      {(!frame || offered !== undefined || (kind === 'expired' && (hasFailed || isRefused || wasRefused))) && (
        <SessionNotice
          session={session}
          {...(!frame && { refusal: COMMON.refused })}
          advice={
            frame ? (
              <AskAgain reason={hasFailed ? PORTAL.frameFailed : PORTAL.frameRefused} />
            ) : (
              <p>{PORTAL.expiredAdvice}</p>
            )
          }
        />
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

function FrameFailed() {
  return (
    <Alert title={PORTAL.noToken}>
      <AskAgain reason={PORTAL.frameFailed} />
    </Alert>
  );
}

function AskAgain({ reason }: { readonly reason: string }) {
  const isAsking = useStore(frame?.isAsking ?? NEVER);
  return (
    <>
      <p>{reason}</p>
      <Button label={COMMON.retry} aria-disabled={isAsking} onClick={() => frame?.ask()} />
      <p role="status">{isAsking && PORTAL.frameAsks}</p>
    </>
  );
}

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
