import { useState } from 'preact/hooks';
import { Button, Dialog } from '../kit/controls.tsx';
import type { EmailLink } from '../kit/email-links.ts';
import { useWrite } from '../kit/forms.tsx';
import { ViewHeading } from '../kit/shell.tsx';
import { Continue, EmailForm, type SignInPage } from '../kit/sign-in.tsx';
import { Alert, Problem, refresh } from '../kit/status.tsx';
import { useStore } from '../kit/store.ts';
import { ACCOUNT } from '../words/account.ts';
import { APPLY } from '../words/apply.ts';
import { PORTAL } from '../words/portal.ts';
import { SIGN_IN } from '../words/sign-in.ts';
import { ApplicationForm, type Form, Offer } from './apply.tsx';
import { Confirm } from './confirm.tsx';
import { api, session, signInPage } from './service.ts';

interface WelcomeProps {
  readonly page: SignInPage;
}

/** A page that opens leaves the focus alone. Later, a heading that replaces another one gets the focus. */
const epochAtStart = session.state.value.epoch;
const linkAtStart = signInPage?.links.link.value;

/** What an account shows before somebody has signed in. */
export function Welcome({ page }: WelcomeProps) {
  const { link, program, form, apply, hasChanged } = useOpened(page);
  const takesFocus = session.state.value.epoch !== epochAtStart || link !== linkAtStart || hasChanged;
  const title = link ? titleOf(link) : ACCOUNT.signInTitle;
  return (
    <main class="card welcome">
      <ViewHeading
        title={form ? APPLY.heading(form.program_name) : title}
        page={PORTAL.title}
        takesFocus={takesFocus}
      />
      {form && program !== undefined && (
        <>
          <ApplicationForm pk={program} form={form} />
          <Button label={APPLY.toSignIn} kind="quiet" onClick={() => apply(undefined)} />
        </>
      )}
      {!form && link && <OpenedLink page={page} link={link} onApply={apply} />}
      {!form && !link && (
        <>
          {program !== undefined && (
            <p class="soft">
              {ACCOUNT.signInFor} {SIGN_IN.advice}
            </p>
          )}
          <EmailForm page={page} />
          <Offer page={page} onApply={apply} />
        </>
      )}
    </main>
  );
}

/** What the address says, and the form that somebody fills in. A link that is opened later takes the place of the form. */
function useOpened({ links }: SignInPage) {
  const [link, program] = [useStore(links.link), useStore(links.program)];
  const [applying, setApplying] = useState<{ form: Form | undefined; link: typeof link; program: typeof program }>();
  const isHere = applying?.link === link && applying?.program === program;
  return {
    ...{ link, program, form: isHere ? applying?.form : undefined },
    apply: (form: Form | undefined) => setApplying({ form, link, program }),
    hasChanged: applying !== undefined,
  };
}

/** The link of an email over an account that is open. */
export function LinkDialog({ page }: WelcomeProps) {
  const { link, program, form, apply } = useOpened(page);
  if (!link) return null;
  const close = () => {
    page.links.close();
    // Undoing a change ends the session.
    if (link.kind === 'undone') refresh();
  };
  return (
    <Dialog title={form ? APPLY.heading(form.program_name) : titleOf(link)} onClose={close}>
      {form && program !== undefined ? (
        <ApplicationForm pk={program} form={form} />
      ) : (
        <OpenedLink page={page} link={link} onApply={apply} />
      )}
    </Dialog>
  );
}

const titleOf = ({ kind }: EmailLink) =>
  ({ code: SIGN_IN.linkTitle, undo: ACCOUNT.undoTitle, undone: ACCOUNT.undone, confirm: APPLY.yourApplication })[kind];

interface LinkProps extends WelcomeProps {
  readonly link: EmailLink;
}

function OpenedLink({ onApply, ...props }: LinkProps & { readonly onApply: (form: Form) => void }) {
  if (props.link.kind === 'confirm') return <Confirm key={props.link.opening} {...props} onApply={onApply} />;
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
