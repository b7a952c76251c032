import { useState } from 'preact/hooks';
import { ViewHeading } from '../../kit/shell.tsx';
import { EmailForm, type SignInPage } from '../../kit/sign-in.tsx';
import { readyOf, useLoaded } from '../../kit/status.tsx';
import { useStore } from '../../kit/store.ts';
import { Tabs } from '../../kit/tabs.tsx';
import * as WORDS from '../../words/portal/account.ts';
import * as APPLY from '../../words/portal/apply.ts';
import * as SHELL from '../../words/portal/shell.ts';
import * as SIGN_IN from '../../words/sign-in.ts';
import { ApplicationForm } from '../apply/application-form.tsx';
import { type Form, readForm } from '../apply/form.ts';
import { session } from '../service.ts';
import { OpenedLink, titleOf } from './opened-link.tsx';

interface WelcomeProps {
  readonly page: SignInPage;
}

/** A page that opens leaves the focus alone. Later, a heading that replaces another one gets the focus. */
const epochAtStart = session.state.value.epoch;

/** What an account shows before somebody has signed in: the link of an email, or the ways to get one. */
export function Welcome({ page }: WelcomeProps) {
  const [link, pk] = [useStore(page.links.link), useStore(page.links.program)];
  const [linkAtStart] = useState(link);
  const [tab, setTab] = useState('sign-in');
  // A link of an email is only shown: programs that check emails open it.
  const asked = link ? undefined : pk;
  const [loaded] = useLoaded(
    async (signal) => (asked === undefined ? undefined : readForm(asked, { signal })),
    [asked],
  );
  const form = readyOf(loaded)?.value;
  const apply = () => {
    page.links.close();
    setTab('apply');
  };
  // The gateway of a deployment without emails knows no such route.
  const hasEmails = !(loaded.kind === 'failed' && loaded.error.status === 404);
  const isApplying = !link && form !== undefined && tab === 'apply';
  const title = isApplying ? APPLY.heading(form.program_name) : WORDS.signInTitle;
  return (
    <main class="card welcome">
      <ViewHeading
        title={link ? titleOf(link) : hasEmails ? title : SHELL.noToken}
        page={SHELL.title}
        takesFocus={!isApplying && (session.state.value.epoch !== epochAtStart || link !== linkAtStart)}
      />
      {link && <OpenedLink page={page} link={link} onApply={apply} />}
      {!link && !hasEmails && <p class="soft">{SHELL.noTokenAdvice}</p>}
      {!link && hasEmails && pk === undefined && <SignIn page={page} isKnown={false} />}
      {/* The same element before and after the form is known, so that nothing that was typed is lost. */}
      {!link && hasEmails && pk !== undefined && (
        <Tabs
          label={APPLY.tabs}
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'sign-in', label: WORDS.signIn, content: () => <SignIn page={page} isKnown /> },
            ...(form === undefined ? [] : [applyTab(pk, form)]),
          ]}
        />
      )}
    </main>
  );
}

const applyTab = (pk: string, form: Form) => ({
  id: 'apply',
  label: APPLY.tab,
  content: () => <ApplicationForm key={pk} pk={pk} form={form} />,
});

function SignIn({ page, isKnown }: WelcomeProps & { readonly isKnown: boolean }) {
  return (
    <div class="form">
      {isKnown && (
        <p class="soft">
          {WORDS.signInFor} {SIGN_IN.advice}
        </p>
      )}
      <EmailForm page={page} />
    </div>
  );
}
