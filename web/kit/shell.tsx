import { useEffect, useRef } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import { Button } from './button.tsx';
import { Alert } from './messages.tsx';
import type { Session } from './session.ts';
import { useStore } from './store.ts';

interface SessionNoticeProps {
  readonly session: Session;
  readonly advice: preact.ComponentChildren;
  readonly refusal?: string;
}

/** Asks for a new token in place, or whether to use a token that belongs to something else. */
export function SessionNotice({ session, advice, refusal }: SessionNoticeProps) {
  const { kind, offered, isRefused } = useStore(session.state);
  if (offered !== undefined) {
    return (
      <Alert title={COMMON.otherToken} tone="notice">
        <p>{COMMON.otherTokenQuestion}</p>
        <div class="buttons">
          <Button label={COMMON.useOther} kind="primary" onClick={() => session.decide(true)} />
          <Button label={COMMON.keepThis} onClick={() => session.decide(false)} />
        </div>
      </Alert>
    );
  }
  if (kind === 'open' && isRefused) {
    return (
      <Alert title={COMMON.linkRefused}>
        <p>{COMMON.linkRefusedAdvice}</p>
        <Button label={COMMON.close} onClick={() => session.decide(false)} />
      </Alert>
    );
  }
  if (kind !== 'expired') return null;
  return (
    <Alert title={COMMON.expired}>
      {isRefused && refusal !== undefined && <p>{refusal}</p>}
      {advice}
    </Alert>
  );
}

/** The heading of a view. It sets the title of the page and gets the focus, unless the view is the first one. */
export function ViewHeading({ title, page, takesFocus = true }: ViewHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === page ? page : `${title} – ${page}`;
  }, [title, page]);
  useEffect(() => {
    if (takesFocus) heading.current?.focus({ preventScroll: true });
  }, [title, takesFocus]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
}

interface ViewHeadingProps {
  readonly title: string;
  readonly page: string;
  readonly takesFocus?: boolean;
}
