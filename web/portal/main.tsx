import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Card } from '../kit/controls.tsx';
import { formatMoment, formatPercentage, formatTime, type Range } from '../kit/format.ts';
import { SessionNotice, ViewHeading } from '../kit/shell.tsx';
import { EmailForm } from '../kit/sign-in.tsx';
import {
  Alert,
  keepFresh,
  Offline,
  Problem,
  reading,
  readyOf,
  refresh,
  Skeleton,
  useLoaded,
  Waiting,
} from '../kit/status.tsx';
import { NEVER, useStore } from '../kit/store.ts';
import { ACCOUNT } from '../words/account.ts';
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { AccountCard, goToAccount, payoutAccountOf, pendingUntil } from './account.tsx';
import { FramedForm } from './apply.tsx';
import { DeepLinks, LinkCard } from './link-card.tsx';
import { Overview, SubIds } from './overview.tsx';
import { Referrals } from './referrals.tsx';
import { type Affiliate, api, appliesTo, frame, readRules, session, signInPage, signOut } from './service.ts';
import { Statements, useStatements } from './statements.tsx';
import { LinkDialog, Welcome } from './welcome.tsx';

function Page() {
  const { kind, epoch } = useStore(session.state);
  const hasFailed = useStore(frame?.hasFailed ?? NEVER);
  if (appliesTo !== undefined) return <FramedForm pk={appliesTo} />;
  return (
    <div class="page">
      {hasFailed && kind !== 'expired' && <FrameFailed />}
      <Notice hasFailed={hasFailed} />
      {kind !== 'none' && (
        <>
          <Offline api={api} />
          <Portal key={epoch} />
          {signInPage && <LinkDialog page={signInPage} />}
        </>
      )}
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
  const advice = <AskAgain reason={hasFailed ? PORTAL.frameFailed : PORTAL.frameRefused} />;
  return isShown ? <SessionNotice session={session} advice={advice} /> : null;
}

function ExpiredAdvice() {
  if (!signInPage) return <p>{PORTAL.expiredAdvice}</p>;
  // Without anything to keep, the form is the page.
  if (!session.hasShown) return null;
  return (
    <>
      <p>{ACCOUNT.expiredAdvice}</p>
      <EmailForm page={signInPage} />
    </>
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

/** Milliseconds for which the service may remember an advocate. */
const STALE = 30_000;

/** A page that opens without a token leaves the focus alone. After "Sign out", its heading gets the focus. */
const epochAtStart = session.state.value.epoch;

/** The whole page. Everything is requested in parallel: no number needs the answer of another request. */
function Portal() {
  const [range, setRange] = useState<Range>('30d');
  const [affiliate] = useLoaded(async (signal) => {
    const { body } = await api.send('get', '/v2/affiliate', { signal });
    session.shows(body.data.id);
    return body.data.attributes;
  }, []);
  const statements = useStatements();
  const ready = readyOf(affiliate);
  const [own, setOwn] = useState<{ readonly about: Affiliate; readonly at: number }>();
  // What was just saved may be read a little later.
  const about = own && ready && ready.at < own.at + STALE ? own.about : ready?.value;
  const onChanged = (changed: Affiliate) => setOwn({ about: changed, at: Date.now() });
  const { kind } = useStore(session.state);
  const wasRefused = useStore(frame?.wasRefused ?? NEVER);
  // Nothing was read with the token that was refused. A frame asks the page around it for another one.
  if (kind === 'expired' && !ready && !frame) return <NoToken />;
  if (kind === 'expired' && !ready && wasRefused) return null;
  // Nothing else can be read with a token of the wrong kind.
  if (affiliate.kind === 'failed' && affiliate.error.status !== 0 && !affiliate.last) {
    return (
      <>
        <Header about={about} />
        <main>
          <Problem error={affiliate.error} onRetry={refresh} />
        </main>
      </>
    );
  }
  return (
    <>
      <Header about={about} />
      <main>
        {about && !about.active && (
          <Alert title={PORTAL.paused} tone="notice">
            <p>{PORTAL.pausedAdvice}</p>
          </Alert>
        )}
        <LinkCard about={about} />
        <Overview range={range} onRange={setRange} statements={statements} pending={about && pendingUntil(about)} />
        <Referrals />
        <Statements statements={statements} />
        {about && signInPage && session.isSignIn && (
          <AccountCard about={about} page={signInPage} onChanged={onChanged} />
        )}
        <div class="columns">
          <DeepLinks about={about} />
          <Terms about={about} />
        </div>
        <SubIds range={range} />
        <Foot readAt={ready?.at} />
      </main>
    </>
  );
}

/** The button that reads everything again, with the answer beside it: the numbers may be out of sight. */
function Foot({ readAt }: { readonly readAt: number | undefined }) {
  const { isReading, error } = useStore(reading);
  const failed = error && COMMON.notAllRead(error.message);
  return (
    <footer class="foot soft">
      <p role="status">{isReading ? COMMON.reading : (failed ?? (readAt && COMMON.readAt(formatTime(readAt))))}</p>
      <Button label={COMMON.refresh} onClick={refresh} />
    </footer>
  );
}

function Header({ about }: { readonly about: Affiliate | undefined }) {
  const name = [about?.first_name, about?.last_name].filter(Boolean).join(' ') || about?.slug;
  return (
    <header class="top">
      <div>
        {about ? (
          <ViewHeading
            title={PORTAL.heading(about.program.name)}
            page={PORTAL.title}
            takesFocus={session.isSignIn && session.state.value.epoch !== epochAtStart}
          />
        ) : (
          <h1>{PORTAL.title}</h1>
        )}
        <p class="soft who">
          {about?.program.mode === 'test' && <span class="badge warn">{COMMON.test}</span>}
          {name !== undefined && session.isSignIn ? (
            <Button label={COMMON.signedInAs(name)} kind="link" onClick={goToAccount} />
          ) : (
            <span>{name === undefined ? '\u00a0' : COMMON.signedInAs(name)}</span>
          )}
        </p>
      </div>
      {!frame && <Button label={COMMON.signOut} kind="quiet" onClick={signOut} />}
    </header>
  );
}

function NoToken() {
  if (signInPage) return <Welcome page={signInPage} />;
  return (
    <main class="card welcome">
      <ViewHeading title={PORTAL.noToken} page={PORTAL.title} takesFocus={epochAtStart !== session.state.value.epoch} />
      <p class="soft">{PORTAL.noTokenAdvice}</p>
    </main>
  );
}

/** Shown in a frame until the page around it gives a token. */
function PortalSkeleton() {
  return (
    <main aria-busy="true">
      <h1 class="hidden">{PORTAL.title}</h1>
      <div class="card">
        <Skeleton lines={2} height={2} />
      </div>
      <div class="card">
        <Skeleton lines={3} height={4} />
      </div>
    </main>
  );
}

function Terms({ about }: { readonly about: Affiliate | undefined }) {
  return <Card title={PORTAL.terms}>{about ? <List about={about} /> : <Skeleton lines={4} height={2.25} />}</Card>;
}

function List({ about }: { readonly about: Affiliate }) {
  const { commission_percentage: rate, commission_months: months, commission_rules_id: rulesId } = about;
  const [rules] = useLoaded((signal) => readRules(rulesId, signal), [rulesId]);
  const [account, pending] = [payoutAccountOf(about), pendingUntil(about)];
  const terms = [
    ...(rulesId === null
      ? [
          [PORTAL.commission, rate === null ? PORTAL.noRate : PORTAL.commissionTerm(formatPercentage(rate))],
          [COMMON.duration, months === null ? PORTAL.noEnd : PORTAL.months(months)],
        ]
      : [[PORTAL.commission, readyOf(rules)?.value ?? COMMON.unknown]]),
    [PORTAL.attribution, PORTAL.attributionDays(about.attribution_days)],
    [PORTAL.payable, PORTAL.payableAfter(about.payable_after_days)],
    ...(account === undefined || session.isSignIn ? [] : [[ACCOUNT.payoutAccount, account]]),
    ...(pending === undefined || session.isSignIn
      ? []
      : [[ACCOUNT.payouts, ACCOUNT.pendingTerm(formatMoment(pending))]]),
  ];
  return (
    <dl class="terms">
      {terms.map(([term, text]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

keepFresh();
const root = document.getElementById('page');
if (root) render(<Page />, root);
