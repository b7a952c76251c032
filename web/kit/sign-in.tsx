import { useEffect, useState } from 'preact/hooks';
import * as COMMON from '../words/common.ts';
import * as SIGN_IN from '../words/sign-in.ts';
import type { Api } from './api.ts';
import type { EmailLink, EmailLinks } from './email-links.ts';
import { TextField } from './fields.tsx';
import { CheckField, faultOf, useWrite } from './forms.tsx';
import { Alert, Problem } from './messages.tsx';
import type { Session } from './session.ts';
import { useStore } from './store.ts';

/** A page on which people sign in by email. */
export interface SignInPage {
  readonly api: Api;
  readonly session: Session;
  readonly links: EmailLinks;
  /** The page in the API. */
  readonly name: 'portal' | 'dashboard';
  /** How long a sign-in lasts that the device keeps. */
  readonly days: number;
}

/** Milliseconds after which another link can be sent to an address. */
const PAUSE = 60_000;

interface PageProps {
  readonly page: SignInPage;
}

/** Asks for a link. The answer is the same for every address. Without a known program, it says where to find one. */
export function EmailForm({ page: { api, links, name }, known = '' }: PageProps & { readonly known?: string }) {
  const pk = useStore(links.program);
  const [typed, setTyped] = useState(known);
  const [sent, setSent] = useState({ to: '', nextAt: 0 });
  const email = typed.trim();
  const isSent = sent.to !== '' && sent.to === email;
  const seconds = useSecondsUntil(isSent ? sent.nextAt : 0);
  const { error, isSending, submit } = useWrite(async () => {
    if (pk === undefined || seconds > 0) return;
    await api.send('post', '/v2/sign-in', { body: { pk, email, page: name }, token: '', isRepeatable: true });
    setSent({ to: email, nextAt: Date.now() + PAUSE });
  });
  const fault = faultOf(error, 'email', COMMON.email);
  if (pk === undefined) return <p class="soft">{SIGN_IN.unknownProgram}</p>;
  return (
    <form class="sign-in" onSubmit={submit}>
      <TextField
        label={COMMON.email}
        inputMode="email"
        autocomplete="email"
        maxLength={254}
        isRequired
        value={typed}
        fault={fault}
        onInput={setTyped}
      />
      <p class="sent" role="status">
        {isSent && SIGN_IN.sent}
      </p>
      {error && fault === undefined && <Problem error={error} />}
      {/* The same button, so that it keeps the focus. */}
      <button type="submit" class={isSent ? '' : 'primary'} aria-disabled={isSending || seconds > 0}>
        {isSent ? SIGN_IN.sendAgain : SIGN_IN.send}
        {seconds > 0 && <span aria-hidden="true">{SIGN_IN.after(seconds)}</span>}
      </button>
    </form>
  );
}

/** Counts down the seconds until a time in Unix milliseconds. */
function useSecondsUntil(end: number): number {
  const [, setNow] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return Math.max(0, Math.ceil((end - Date.now()) / 1000));
}

/** Signs in the person of a link, after a press of the button. */
export function Continue({ page, link }: PageProps & { readonly link: EmailLink }) {
  const { api, session, links, days } = page;
  const [isKept, setKept] = useState(false);
  const { error, isSending, submit } = useWrite(async () => {
    const body = { code: link.code, keep: isKept };
    const { data } = (await api.send('post', '/v2/session', { body, token: '' })).body;
    links.remember();
    links.close();
    await session.signIn(data.attributes.token, isKept);
  });
  if (error?.code === 'invalid_link') {
    return (
      <div class="form">
        <Alert title={SIGN_IN.linkEnded}>
          <p>{SIGN_IN.linkEndedAdvice}</p>
        </Alert>
        <EmailForm page={page} />
      </div>
    );
  }
  return (
    <form class="sign-in" onSubmit={submit}>
      <p class="soft">{SIGN_IN.linkAdvice}</p>
      <CheckField label={SIGN_IN.keep} hint={SIGN_IN.keepHint(days)} isChecked={isKept} onChange={setKept} />
      {error && <Problem error={error} />}
      <button type="submit" class="primary" aria-disabled={isSending}>
        <span>
          {link.name === '' ? SIGN_IN.continueAlone : `${SIGN_IN.continueAs} `}
          <bdi>{link.name}</bdi>
        </span>
      </button>
    </form>
  );
}

/** Ends the session of a sign-in. Without a connection it ends by itself: the page has forgotten its token. */
export async function endSession(api: Api, token: string): Promise<void> {
  await api.send('delete', '/v2/session', { token }).catch(() => undefined);
}
