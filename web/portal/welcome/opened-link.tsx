import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import type { EmailLink } from '../../kit/email-links.ts';
import { useWrite } from '../../kit/forms.tsx';
import { refresh } from '../../kit/loaded.ts';
import { Alert, Problem } from '../../kit/messages.tsx';
import { Continue, EmailForm, type SignInPage } from '../../kit/sign-in.tsx';
import { useStore } from '../../kit/store.ts';
import * as WORDS from '../../words/portal/account.ts';
import * as APPLY from '../../words/portal/apply.ts';
import * as SIGN_IN from '../../words/sign-in.ts';
import { api } from '../service.ts';
import { Confirm, type LinkProps } from './confirm.tsx';

/** The link of an email over an account that is open. */
export function LinkDialog({ page }: { readonly page: SignInPage }) {
  const link = useStore(page.links.link);
  if (!link) return null;
  const close = () => {
    page.links.close();
    // Undoing a change ends the session.
    if (link.kind === 'undone') refresh();
  };
  return (
    <Dialog title={titleOf(link)} onClose={close}>
      <OpenedLink page={page} link={link} />
    </Dialog>
  );
}

export const titleOf = ({ kind }: EmailLink) =>
  ({ code: SIGN_IN.linkTitle, undo: WORDS.undoTitle, undone: WORDS.undone, confirm: APPLY.yourApplication })[kind];

export function OpenedLink(props: LinkProps) {
  if (props.link.kind === 'confirm') return <Confirm key={props.link.opening} {...props} />;
  return props.link.kind === 'code' ? <Continue {...props} /> : <Undo {...props} />;
}

function Undo({ page, link }: LinkProps) {
  const { error, isSending, run } = useWrite(async () => {
    await api.send('post', '/v2/payout-account/undo', { body: { code: link.code }, token: '' });
    page.links.link.set({ ...link, kind: 'undone' });
  });
  const isDone = link.kind === 'undone';
  if (isDone || error?.code === 'invalid_link') {
    return (
      <div class="form">
        {isDone ? (
          <>
            <p role="status">{WORDS.undoneAdvice}</p>
            <h2>{WORDS.signInAgain}</h2>
          </>
        ) : (
          <Alert title={SIGN_IN.linkEnded}>
            <p>{WORDS.undoEndedAdvice}</p>
          </Alert>
        )}
        <EmailForm page={page} />
      </div>
    );
  }
  return (
    <div class="sign-in">
      <p class="soft">{WORDS.undoAdvice}</p>
      {error && <Problem error={error} />}
      <Button label={WORDS.undo} kind="primary" aria-disabled={isSending} onClick={() => void run()} />
    </div>
  );
}
