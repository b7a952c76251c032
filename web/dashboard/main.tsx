import { Settings } from './settings/settings.tsx';
// The import above stands first because the order of modules decides how well gzip compresses the page: by 400 bytes.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../kit/button.tsx';
import { Disclosure } from '../kit/disclosure.tsx';
import { ARROWS, CHART, CODE, MONEY, PEOPLE, SLIDERS } from '../kit/icons.tsx';
import { readyOf, refresh, useLoaded } from '../kit/loaded.ts';
import { Offline, ViewProblem, Waiting } from '../kit/messages.tsx';
import { mount } from '../kit/mount.ts';
import { Navigation } from '../kit/navigation.tsx';
import { secondOf } from '../kit/responses.ts';
import { hasTerms } from '../kit/rules.ts';
import { ViewHeading } from '../kit/shell.tsx';
import { Continue } from '../kit/sign-in.tsx';
import { useStore } from '../kit/store.ts';
import { Toasts } from '../kit/toast.tsx';
import * as COMMON from '../words/common.ts';
import * as SHELL from '../words/dashboard/shell.ts';
import * as SIGN_IN from '../words/sign-in.ts';
import { Advocates } from './advocates/advocates.tsx';
import { Applications } from './applications/applications.tsx';
import { Developers } from './developers/developers.tsx';
import { Overview } from './overview/overview.tsx';
import { Payouts } from './payouts/payouts.tsx';
import { Referrals } from './referrals/referrals.tsx';
import { about, hrefOf, mayLeave, type Program, programChanges, type Token, useRoute, type View } from './router.ts';
import { api, exchangeToken, session, signInPage, signOut } from './service.ts';
import { Expired, LinkDialog, Refusal, SignIn } from './sign-in.tsx';

/** A page that opens leaves the focus alone. After signing in and out, the heading gets the focus. */
const epochAtStart = session.state.value.epoch;
const linkAtStart = signInPage.links.link.value;

function Page() {
  const { kind, epoch } = useStore(session.state);
  return (
    <div class="page">
      <Expired />
      {kind === 'none' ? (
        <Welcome />
      ) : (
        <>
          <Frame key={epoch} takesFocus={epoch !== epochAtStart} />
          <LinkDialog />
        </>
      )}
      <Offline />
      <Waiting api={api} />
      <Toasts />
    </div>
  );
}

function Welcome() {
  const link = useStore(signInPage.links.link);
  const program = useStore(signInPage.links.program);
  const isLink = link?.kind === 'code';
  return (
    <main class="card welcome">
      {!isLink && <p class="product">{SHELL.productName}</p>}
      <ViewHeading
        title={isLink ? SIGN_IN.linkTitle : SHELL.signInTitle}
        page={SHELL.title}
        takesFocus={session.state.value.epoch !== epochAtStart || link !== linkAtStart}
      />
      {!isLink && <p class="soft">{program === undefined ? SHELL.signInAdvice : SHELL.signInFor}</p>}
      {isLink ? <Continue page={signInPage} link={link} /> : <SignIn />}
    </main>
  );
}

interface FrameProps {
  /** True if the heading of the first view gets the focus, because the form for the token has disappeared. */
  readonly takesFocus: boolean;
}

function Frame({ takesFocus }: FrameProps) {
  const { kind, arrivals } = useStore(session.state);
  const changes = useStore(programChanges);
  const route = useRoute();
  // No view sees the program of an earlier session.
  useState(() => about.set(undefined));
  const [loaded] = useLoaded(
    async (signal) => {
      const { body, headers } = await api.send('get', '/v2/program', { signal });
      session.shows(body.data.id);
      void exchangeToken(body.meta.token, secondOf(headers.get('date')));
      return body;
    },
    [arrivals, changes],
    [],
  );
  const known = readyOf(loaded)?.value;
  useLayoutEffect(() => about.set(known), [known]);
  const Content = CONTENT[route.view];
  if (loaded.kind === 'failed' && loaded.error.status === 403 && !known) return <Refused error={loaded.error} />;
  // Nothing was read with the token that was refused: there is nothing to keep.
  if (kind === 'expired' && !known) return null;
  return (
    <>
      <Header program={known?.data} member={known?.meta.token.member ?? null} />
      <Navigation views={LINKS} current={route.view === 'applications' ? 'advocates' : route.view} atFoot={4} />
      <main>
        <Heading view={route.view} program={known?.data} takesFocus={takesFocus} />
        <ViewProblem />
        <Content />
      </main>
    </>
  );
}

/** Applications are reached from the advocates, and from the overview while any wait. */
const LINKS = (
  [
    ['overview', CHART],
    ['advocates', PEOPLE],
    ['referrals', ARROWS],
    ['payouts', MONEY],
    ['settings', SLIDERS],
    ['developers', CODE],
  ] as const
).map(([id, icon]) => ({ id, icon, label: SHELL.VIEWS[id], href: hrefOf(id) }));

function Refused({ error }: Parameters<typeof Refusal>[0]) {
  return (
    <main class="card welcome">
      <ViewHeading title={SHELL.title} page={SHELL.title} takesFocus={false} />
      <Refusal error={error} />
      <SignIn />
    </main>
  );
}

/**
 * Stands in every view, because payments earn nothing for ever, unless a group or an advocate has a commission. With more
 * advocates than one page, nobody knows. Its place moves nothing when it appears.
 */
function NoRate() {
  const { view } = useRoute();
  const [loaded] = useLoaded(
    async (signal) => {
      const [groups, advocates] = await Promise.all([
        api.send('get', '/v2/groups', { signal }),
        api.send('get', '/v2/advocates', { query: { per_page: 50 }, signal }),
      ]);
      if (groups.body.data.some(({ attributes }) => hasTerms(attributes))) return undefined;
      if (advocates.body.data.some(({ attributes }) => attributes.commission_percentage !== null)) return undefined;
      return advocates.next === undefined ? SHELL.noRate : SHELL.noProgramRate;
    },
    [view],
    [],
  );
  const sentence = readyOf(loaded)?.value;
  if (sentence === undefined) return null;
  return (
    <p class="bar">
      {sentence} <a href={hrefOf('settings', 'commission')}>{SHELL.setRate}</a>
    </p>
  );
}

/** Says which member signed in; a token is nobody. */
function Header({ program, member }: { readonly program: Program | undefined } & Pick<Token, 'member'>) {
  return (
    <header class="top">
      <p class="program">
        <bdi>{program?.attributes.name ?? '\u00a0'}</bdi>
        {program?.attributes.mode === 'test' && <span class="badge warn">{SHELL.test}</span>}
      </p>
      {program && !hasTerms(program.attributes) && <NoRate />}
      <Button label={COMMON.refresh} kind="quiet" onClick={refresh} />
      <div class="account">
        <Disclosure label={SHELL.account}>
          {member && <bdi class="soft">{COMMON.signedInAs(member.name ?? member.email)}</bdi>}
          <Button label={COMMON.signOut} onClick={() => mayLeave() && signOut()} />
        </Disclosure>
      </div>
    </header>
  );
}

interface HeadingProps extends FrameProps {
  readonly program: Program | undefined;
  readonly view: View;
}

/** The heading of the view. Views that are opened later get the focus. */
function Heading({ view, program, takesFocus }: HeadingProps) {
  const first = useRef(view);
  const hasMoved = useRef(false);
  if (view !== first.current) hasMoved.current = true;
  return (
    <ViewHeading
      key={view}
      title={SHELL.VIEWS[view]}
      page={program?.attributes.name ?? SHELL.title}
      takesFocus={takesFocus || hasMoved.current}
    />
  );
}

const CONTENT = {
  overview: Overview,
  advocates: Advocates,
  applications: Applications,
  referrals: Referrals,
  payouts: Payouts,
  settings: Settings,
  developers: Developers,
};

mount(<Page />);
