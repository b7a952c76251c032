import { createHash } from 'node:crypto';
import { publicKeyOf } from '../../kernel/accounts/rules/program.ts';
import type { HttpResult } from '../../kernel/http/context.ts';
import type { Unsubscription } from '../rules/unsubscribe.ts';

const STYLE =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:28rem;margin:15vh auto;padding:0 1rem}h1{font-size:1.5rem}' +
  'button{font:inherit;padding:.6rem 1.2rem;border:0;border-radius:.5rem;background:#1f5eff;color:#fff;cursor:pointer}';

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const pageOf = (title: string, body: string): HttpResult => ({
  statusCode: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': POLICY,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-robots-tag': 'noindex',
  },
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style><main><h1>${title}</h1>${body}</main></html>`,
});

/** The page of a link that switches emails off. It changes nothing, because scanners follow links. */
export const ASK_PAGE = pageOf(
  'Stop emails about your referrals?',
  '<p>You will hear no more about new customers and payouts by email.</p><form method="post"><button>Stop these emails</button></form>',
);

/** The response to its button, and to one click in a mail program (RFC 8058). */
export const donePage = (link: Unsubscription | undefined): HttpResult =>
  pageOf(
    'You get no more of these emails',
    `<p>You can switch them on again in <a href="../../account${link ? `#program=${publicKeyOf(link.program)}` : ''}">your account</a>.</p>`,
  );
