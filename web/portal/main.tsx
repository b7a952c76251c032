import { Button } from '../kit/button.tsx';
import { Alert, Offline, Waiting } from '../kit/messages.tsx';
import { mount } from '../kit/mount.ts';
import { SessionNotice } from '../kit/shell.tsx';
import { EmailForm } from '../kit/sign-in.tsx';
import { NEVER, useStore } from '../kit/store.ts';
import * as COMMON from '../words/common.ts';
import * as WORDS from '../words/portal/shell.ts';
import { FramedForm } from './apply/framed-form.tsx';
import { api, appliesTo, frame, session, signInPage } from './service.ts';
import { NoToken, PortalSkeleton, Shell } from './shell.tsx';

function Page() {
  const { kind, epoch } = useStore(session.state);
  const hasFailed = useStore(frame?.hasFailed ?? NEVER);
  if (appliesTo !== undefined) return <FramedForm pk={appliesTo} />;
  return (
    <div class="page">
      {hasFailed && kind !== 'expired' && <FrameFailed />}
      <Notice hasFailed={hasFailed} />
      <Offline />
      {kind !== 'none' && <Shell key={epoch} />}
      {kind === 'none' && (frame ? !hasFailed && <PortalSkeleton /> : <NoToken />)}
      <Waiting api={api} />
    </div>
  );
}

/** In a frame, a token that ended in time is replaced without a notice. */
function Notice({ hasFailed }: { readonly hasFailed: boolean }) {
  const { kind, offered, isRefused } = useStore(session.state);
  const wasRefused = useStore(frame?.wasRefused ?? NEVER);
  if (!frame) return <SessionNotice session={session} refusal={COMMON.refused} advice={<ExpiredAdvice />} />;
  const isShown = offered !== undefined || (kind === 'expired' && (hasFailed || isRefused || wasRefused));
  const advice = <AskAgain reason={hasFailed ? WORDS.frameFailed : WORDS.frameRefused} />;
  return isShown ? <SessionNotice session={session} advice={advice} /> : null;
}

function ExpiredAdvice() {
  if (!signInPage) return <p>{WORDS.expiredAdvice}</p>;
  // Without anything to keep, the form is the page.
  if (!session.hasShown) return null;
  return (
    <>
      <p>{WORDS.expiredSignIn}</p>
      <EmailForm page={signInPage} />
    </>
  );
}

function FrameFailed() {
  return (
    <Alert title={WORDS.noToken}>
      <AskAgain reason={WORDS.frameFailed} />
    </Alert>
  );
}

function AskAgain({ reason }: { readonly reason: string }) {
  const isAsking = useStore(frame?.isAsking ?? NEVER);
  return (
    <>
      <p>{reason}</p>
      <Button label={COMMON.retry} aria-disabled={isAsking} onClick={() => frame?.ask()} />
      <p role="status">{isAsking && WORDS.frameAsks}</p>
    </>
  );
}

mount(<Page />);
