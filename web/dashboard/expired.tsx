import { useEffect, useRef } from 'preact/hooks';
import { SessionNotice } from '../kit/shell.tsx';
import { useStore } from '../kit/store.ts';
import { COMMON } from '../words/common.ts';
import { DASHBOARD } from '../words/dashboard.ts';
import { session } from './service.ts';
import { SignIn } from './sign-in.tsx';

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
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const [element, opener] = [dialog.current, document.activeElement];
    element?.showModal();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
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
      <p>{DASHBOARD.expiredAdvice}</p>
      <SignIn />
    </>
  );
}
