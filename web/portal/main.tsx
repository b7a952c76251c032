import { render } from 'preact';
import { useState } from 'preact/hooks';
import { Button, Card } from '../kit/controls.tsx';
import { formatPercentage, formatTime, type Range } from '../kit/format.ts';
import { SessionNotice, ViewHeading } from '../kit/shell.tsx';
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
import { COMMON } from '../words/common.ts';
import { PORTAL } from '../words/portal.ts';
import { DeepLinks, LinkCard } from './link-card.tsx';
import { Overview, SubIds } from './overview.tsx';
import { Referrals } from './referrals.tsx';
import { type Affiliate, api, frame, readRules, session } from './service.ts';
import { Statements, useStatements } from './statements.tsx';

function Page() {
  const { kind, epoch, offered, isRefused } = useStore(session.state);
  const hasFailed = useStore(frame?.hasFailed ?? NEVER);
  const wasRefused = useStore(frame?.wasRefused ?? NEVER);
  return (
    <div class="page">
      {hasFailed && kind !== 'expired' && <FrameFailed />}
      {/* In a frame, a token that ended in time is replaced without a notice. */}
      {(!frame || offered !== undefined || (kind === 'expired' && (hasFailed || isRefused || wasRefused))) && (
        <SessionNotice
          session={session}
          {...(!frame && { refusal: COMMON.refused })}
          advice={
            frame ? (
              <AskAgain reason={hasFailed ? PORTAL.frameFailed : PORTAL.frameRefused} />
            ) : (
              <p>{PORTAL.expiredAdvice}</p>
            )
          }
        />
      )}
      {kind !== 'none' && (
        <>
          <Offline api={api} />
          <Portal key={epoch} />
        </>
      )}
      {kind === 'none' && (frame ? !hasFailed && <PortalSkeleton /> : <NoToken />)}
      <Waiting api={api} />
    </div>
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
  const about = ready?.value;
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
        <Overview range={range} onRange={setRange} statements={statements} />
        <Referrals />
        <Statements statements={statements} />
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
          <ViewHeading title={PORTAL.heading(about.program.name)} page={PORTAL.title} takesFocus={false} />
        ) : (
          <h1>{PORTAL.title}</h1>
        )}
        <p class="soft who">
          {about?.program.mode === 'test' && <span class="badge warn">{COMMON.test}</span>}
          <span>{name === undefined ? '\u00a0' : PORTAL.hello(name)}</span>
        </p>
      </div>
      {!frame && <Button label={COMMON.signOut} kind="quiet" onClick={() => session.signOut()} />}
    </header>
  );
}

function NoToken() {
  return (
    <main class="card no-token">
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
  const terms = [
    ...(rulesId === null
      ? [
          [PORTAL.commission, rate === null ? PORTAL.noRate : PORTAL.commissionTerm(formatPercentage(rate))],
          [COMMON.duration, months === null ? PORTAL.noEnd : PORTAL.months(months)],
        ]
      : [[PORTAL.commission, readyOf(rules)?.value ?? COMMON.unknown]]),
    [PORTAL.attribution, PORTAL.attributionDays(about.attribution_days)],
    [PORTAL.payable, PORTAL.payableAfter(about.payable_after_days)],
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
