import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import type { Outbox, SentEmail } from '../../service/outbox.ts';
import type { Demo } from '../demo/demo.ts';
import { type Html, html, page, textResult } from './html.ts';

/** What the HTML of an email may do: open a link that somebody presses, in place of the outbox. */
const SANDBOX = 'allow-top-navigation-by-user-activation';
/** Only the styles of an email apply, and only the outbox shows it. */
const EMAIL_POLICY = {
  'script-src': "'none'",
  'style-src': "'unsafe-inline'",
  'img-src': "'none'",
  'connect-src': "'none'",
  'frame-ancestors': "'self'",
  sandbox: SANDBOX,
};
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

const NO_DEMO = html`Open <code>/account#program=</code> with the public key of your program at its end, and enter the
      email of an advocate.`;

/** Returns the outbox, or the HTML of one of its emails; `undefined` without an outbox, and for any other path. */
export async function outboxPage(
  path: string,
  { outbox, demo }: { readonly outbox?: Outbox | undefined; readonly demo?: Demo | undefined },
): Promise<HttpResult | undefined> {
  if (outbox && path === '/outbox') return listPage(outbox, demo);
  const [, id] = /^\/outbox\/(\d{1,15})$/.exec(path) ?? [];
  const email = id && outbox?.htmlOf(id);
  // The page of the service replaces the whole outbox, not the email in its frame.
  return email ? textResult('text/html', email.replace('<head>', '$&<base target="_top">'), EMAIL_POLICY) : undefined;
}

function listPage(outbox: Outbox, demo: Demo | undefined): Promise<HttpResult> {
  const emails = outbox.list().map(listItem);
  const values = { emails: emails.length > 0 ? emails : '', advice: demo ? signInLinks(demo) : NO_DEMO };
  return page('web/local/outbox.html', values, { 'frame-src': "'self'" });
}

/** Returns a sentence with the pages on which an email signs in. */
export function signInLinks({ publicKey, advocateEmail, memberEmail }: Demo): Html {
  return html`Sign in with an email: as the advocate <a href="/account#program=${publicKey}">${advocateEmail}</a>, or as the
      member <a href="/dashboard#program=${publicKey}">${memberEmail}</a>.`;
}

/** The newest email is open. The browser loads the HTML of the others when they are opened. */
function listItem({ id, sentAt, to, fromName, replyTo, subject, text, headers }: SentEmail, index: number): Html {
  const lines = [`From: ${fromName}`, `To: ${to}`, ...(replyTo === null ? [] : [`Reply-To: ${replyTo}`])];
  const source = [...lines, `Subject: ${subject}`, ...headers, '', text].join('\n');
  return html`<li><details${index === 0 ? ' open' : ''}>
      <summary><strong>${subject}</strong> <span>${fromName} to ${to}</span>
        <time datetime="${new Date(sentAt).toISOString()}">${TIME.format(sentAt)}</time></summary>
      <iframe src="/outbox/${id}" title="${subject}" loading="lazy" sandbox="${SANDBOX}"></iframe>
      <details class="source"><summary>Headers and plain text</summary><pre>${source}</pre></details>
    </details></li>`;
}
