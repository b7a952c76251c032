import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiError } from '../../kit/api-error.ts';
import { type Loaded, readyOf, refresh, useLoaded } from '../../kit/loaded.ts';
import { logoOf } from '../../kit/logo.ts';
import { Problem } from '../../kit/messages.tsx';
import { ViewHeading } from '../../kit/shell.tsx';
import { EmailForm, type SignInPage } from '../../kit/sign-in.tsx';
import { useStore } from '../../kit/store.ts';
import { Tabs } from '../../kit/tabs.tsx';
import { Skeleton } from '../../kit/when-ready.tsx';
import * as WORDS from '../../words/portal/account.ts';
import * as APPLY from '../../words/portal/apply.ts';
import * as SHELL from '../../words/portal/shell.ts';
import { ApplicationForm } from '../apply/application-form.tsx';
import { type Form, readForm } from '../apply/form.ts';
import { paintAccent } from '../paint.ts';
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
  const [loaded] = useLoaded(async (signal) => (asked === undefined ? undefined : readForm(asked, signal)), [asked]);
  const form = readyOf(loaded)?.value;
  const isAnswered = useAnswered(asked, loaded);
  const apply = () => {
    page.links.close();
    setTab('apply');
  };
  const error = errorOf(loaded);
  // The gateway of a deployment without emails knows no such route.
  const hasEmails = error?.status !== 404;
  const isApplying = !link && form !== undefined && tab === 'apply';
  const program = form?.program_name;
  const heading = isApplying ? APPLY.heading : WORDS.signInTo;
  return (
    <main class="card welcome">
      <ViewHeading
        title={link ? titleOf(link) : hasEmails ? heading(program) : SHELL.noToken}
        page={SHELL.title}
        // A name that arrives later takes the focus from no field.
        takesFocus={!form && (session.state.value.epoch !== epochAtStart || link !== linkAtStart)}
      />
      {form && <Brand pk={pk} form={form} />}
      {link && <OpenedLink page={page} link={link} onApply={apply} />}
      <Unread error={error} />
      {!link && !hasEmails && <p class="soft">{SHELL.noTokenAdvice}</p>}
      {!link && hasEmails && pk === undefined && <SignIn page={page} isKnown={false} />}
      {!isAnswered && <Skeleton lines={3} height={2.5} />}
      {asked !== undefined && isAnswered && hasEmails && (
        <Tabs
          label={APPLY.tabs}
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'sign-in', label: WORDS.signIn, content: () => <SignIn page={page} isKnown program={program} /> },
            ...(form === undefined ? [] : [applyTab(asked, form)]),
          ]}
        />
      )}
    </main>
  );
}

/**
 * True once it is known whether people may apply, also while it is read again: tabs that appear would move a button that is
 * being pressed, and a form that disappears would lose what was typed.
 */
function useAnswered(asked: string | undefined, { kind }: Loaded<unknown>): boolean {
  const answered = useRef<string>(undefined);
  if (kind !== 'loading') answered.current = asked;
  return answered.current === asked;
}

/** Without a connection, the bar of the page says so. A program that takes no applications only refuses. */
function Unread({ error }: { readonly error: ApiError | undefined }) {
  return error && !error.isRefusal && error.status !== 0 ? <Problem error={error} onRetry={refresh} /> : null;
}

const errorOf = (loaded: Loaded<unknown>) => (loaded.kind === 'failed' ? loaded.error : undefined);

/** The logo and the color of a program, if it has them. */
function Brand({
  pk,
  form: { accent, logo_version: version },
}: {
  readonly pk: string | undefined;
  readonly form: Form;
}) {
  useLayoutEffect(() => paintAccent(accent), [accent]);
  const logo = logoOf(pk, version);
  return logo && <img class="logo" src={logo} alt="" />;
}

const applyTab = (pk: string, form: Form) => ({
  id: 'apply',
  label: APPLY.tab,
  content: () => <ApplicationForm key={pk} pk={pk} form={form} />,
});

interface SignInProps extends WelcomeProps {
  readonly isKnown: boolean;
  /** Its name, if it is known. */
  readonly program?: string | undefined;
}

function SignIn({ page, isKnown, program }: SignInProps) {
  return (
    <div class="form">
      {isKnown && <p class="soft">{WORDS.advice(program)}</p>}
      <EmailForm page={page} />
    </div>
  );
}
