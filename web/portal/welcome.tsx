import { Button, Dialog } from '../kit/controls.tsx';
import type { EmailLink } from '../kit/email-links.ts';
import { useWrite } from '../kit/forms.tsx';
import { ViewHeading } from '../kit/shell.tsx';
import { Continue, EmailForm, type SignInPage } from '../kit/sign-in.tsx';
import { Alert, Problem, refresh } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { ACCOUNT } from '../words/account.ts';
import { PORTAL } from '../words/portal.ts';
import { SIGN_IN } from '../words/sign-in.ts';
import { api, session, signInPage } from './service.ts';

interface WelcomeProps {
  readonly page: SignInPage;
}

/** A page that opens leaves the focus alone. Later, a heading that replaces another one gets the focus. */
const epochAtStart = session.state.value.epoch;
const linkAtStart = signInPage?.links.link.value;

/** What an account shows before somebody has signed in. */
export function Welcome({ page }: WelcomeProps) {
  const link = useStore(page.links.link);
  const program = useStore(page.links.program);
  const takesFocus = session.state.value.epoch !== epochAtStart || link !== linkAtStart;
  return (
    <main class="card welcome">
      <ViewHeading title={link ? titleOf(link) : ACCOUNT.signInTitle} page={PORTAL.title} takesFocus={takesFocus} />
      {link ? (
        <OpenedLink page={page} link={link} />
      ) : (
        <>
          {program !== undefined && (
            <p class="soft">
              {ACCOUNT.signInFor} {SIGN_IN.advice}
            </p>
          )}
          <EmailForm page={page} />
        </>
      )}
    </main>
  );
}

/** The link of an email over an account that is open. */
export function LinkDialog({ page }: WelcomeProps) {
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

const titleOf = ({ kind }: EmailLink) =>
  ({ code: SIGN_IN.linkTitle, undo: ACCOUNT.undoTitle, undone: ACCOUNT.undone })[kind];

interface LinkProps extends WelcomeProps {
  readonly link: EmailLink;
}

function OpenedLink(props: LinkProps) {
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
            <p role="status">{ACCOUNT.undoneAdvice}</p>
            <h2>{ACCOUNT.signInAgain}</h2>
          </>
        ) : (
          <Alert title={SIGN_IN.linkEnded}>
            <p>{ACCOUNT.undoEndedAdvice}</p>
          </Alert>
        )}
        <EmailForm page={page} />
      </div>
    );
  }
  return (
    <div class="sign-in">
      <p class="soft">{ACCOUNT.undoAdvice}</p>
      {error && <Problem error={error} />}
      <Button label={ACCOUNT.undo} kind="primary" aria-disabled={isSending} onClick={() => void run()} />
    </div>
  );
}
