import { useState } from 'preact/hooks';
import { ApiError } from '../kit/api-error.ts';
import { Dialog, useModal } from '../kit/dialog.tsx';
import { useWrite } from '../kit/forms.tsx';
import { readyOf, useLoaded } from '../kit/loaded.ts';
import { Alert, Problem } from '../kit/messages.tsx';
import { SessionNotice } from '../kit/shell.tsx';
import { Continue, EmailForm } from '../kit/sign-in.tsx';
import { useStore } from '../kit/store.ts';
import { Skeleton } from '../kit/when-ready.tsx';
import * as COMMON from '../words/common.ts';
import * as SHELL from '../words/dashboard/shell.ts';
import * as SIGN_IN from '../words/sign-in.ts';
import { api, programIdOf, session, signInPage } from './service.ts';

/** Where members sign in by email if the program is known and the deployment has emails, and anybody with a program token. */
export function SignIn() {
  const pk = useStore(signInPage.links.program);
  const [hasEmails] = useLoaded(async (signal) => pk !== undefined && sendsEmails(pk, signal), [pk]);
  // Nothing moves below a press.
  if (hasEmails.kind === 'loading') return <Skeleton lines={3} height={2.5} />;
  if (!readyOf(hasEmails)?.value) return <TokenForm />;
  return (
    <>
      <EmailForm page={signInPage} />
      <details>
        <summary>{SHELL.useToken}</summary>
        <TokenForm />
      </details>
    </>
  );
}

/** False if the gateway of the deployment knows no such route. Any other failure says nothing about emails. */
const sendsEmails = (pk: string, signal: AbortSignal) =>
  api.send('get', '/v2/apply/{pk}', { params: { pk }, token: '', signal }).then(
    () => true,
    (error: unknown) => !(error instanceof ApiError && error.status === 404),
  );

/** The link of an email over a program that is open. */
export function LinkDialog() {
  const link = useStore(signInPage.links.link);
  return link?.kind === 'code' ? (
    <Dialog title={SIGN_IN.linkTitle} onClose={() => signInPage.links.close()}>
      <Continue page={signInPage} link={link} />
    </Dialog>
  ) : null;
}

/** Takes a program token. What is typed stays after an error. */
function TokenForm() {
  const [token, setToken] = useState('');
  const { error, isSending, submit } = useWrite(async () => {
    const typed = token.trim();
    // Other characters fit into no header: the request would fail as if there were no connection.
    if (!/^[\w-]+$/.test(typed)) throw new ApiError(SHELL.wrongToken, 401);
    await programIdOf(typed);
    await session.accept(typed);
  });
  return (
    <form class="sign-in" onSubmit={submit}>
      <label class="field">
        <span>{SHELL.token}</span>
        <input
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary" aria-disabled={isSending}>
        {SHELL.signIn}
      </button>
      {error && <Refusal error={error} />}
    </form>
  );
}

export function Refusal({ error }: { readonly error: ApiError }) {
  if (error.status !== 401 && error.status !== 403) return <Problem error={error} />;
  return (
    <Alert title={SHELL.cannotSignIn}>
      <p>{error.status === 401 ? SHELL.wrongToken : error.message}</p>
      {error.status === 403 && <p>{SHELL.cannotSignInAdvice}</p>}
    </Alert>
  );
}

/**
 * Asks for a new token, or whether to use a token of another program. It is a dialog, because nothing else can be used
 * while another dialog is open. That dialog stays as it is below this one.
 */
export function Expired() {
  const { kind, offered, isRefused } = useStore(session.state);
  if (offered !== undefined) return <Modal title={COMMON.otherToken} />;
  if (kind === 'expired') return <Modal title={COMMON.expired} />;
  return isRefused ? <Modal title={COMMON.linkRefused} /> : null;
}

function Modal({ title }: { readonly title: string }) {
  const dialog = useModal();
  return (
    // Without a token there is nothing to return to. Browsers close a dialog at the second Escape in any case.
    <dialog
      ref={dialog}
      aria-label={title}
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <SessionNotice session={session} advice={<Advice />} refusal={COMMON.refused} />
    </dialog>
  );
}

function Advice() {
  return (
    <>
      <p>{SHELL.expiredAdvice}</p>
      <SignIn />
    </>
  );
}
