import type { HttpResult } from '../../../functions/http/context.ts';
import type { Demo } from '../demo/demo.ts';
import { type RunningService, welcome } from '../welcome.ts';
import { apiCommands, type Command, snippet, terminalCommands } from './commands.ts';
import { page, text, withHeaders } from './files.ts';
import { type Html, html } from './html.ts';

/** Explains why a service has no demo site, and how to start one with it. */
export const NO_DEMO = html`This service was started with <code>DEMO=off</code>, or its table contains other programs. For
      the demo site, start the service without <code>DEMO</code> and with an empty <code>DATA_DIR</code>.`;

/** Returns the overview of the running service: a page for browsers, the text of the start-up for other clients. */
export async function homePage(service: RunningService, accept = ''): Promise<HttpResult> {
  const isBrowser = /\btext\/html\b/i.test(accept);
  const result = isBrowser ? await overview(service) : text('text/plain', `${welcome(service)}\n`);
  return withHeaders(result, { vary: 'accept' });
}

function overview({ baseUrl, demo, dataDir }: RunningService): Promise<HttpResult> {
  return page('web/local/home.html', {
    base_url: baseUrl,
    demo_site: demo
      ? html`<a class="first" href="/demo?via=${demo.advocateSlug}"><strong>Demo site</strong> Follow an advocate’s link to
      the demo shop, sign up and pay, or become an advocate. Beside the shop, you see what the advocate and the merchant see.</a>`
      : html`<p><strong>No demo site</strong> ${NO_DEMO}</p>`,
    try_out: demo
      ? ', with the demo’s tokens filled in: press Execute'
      : '. With a token, you can try all but Stripe’s',
    snippet: copyable([['HTML snippet', snippet(baseUrl, demo?.publicKey ?? '$PUBLIC_KEY')]]),
    public_key: demo
      ? html`The public key belongs to the demo. It records clicks and reads nothing, so it may be in a web page.`
      : html`Replace <code>$PUBLIC_KEY</code> with the public key that <code>program create</code> prints.`,
    slug: demo?.advocateSlug ?? 'jane-doe',
    api: demo
      ? html`${tokens(demo)}${copyable(apiCommands(baseUrl, demo))}`
      : html`<p>Without the demo, this page knows no token. Create a program, an advocate and a token in the terminal.</p>`,
    terminal: copyable(terminalCommands(dataDir, demo)),
  });
}

function tokens({ programToken, affiliateToken, advocateSlug }: Demo): Html {
  return html`<dl class="copyable">
      <div><dt>Program token</dt><dd><pre><code>${programToken}</code></pre> For the merchant’s server: tracks conversions, manages advocates, reads everything</dd></div>
      <div><dt>Affiliate token</dt><dd><pre><code>${affiliateToken}</code></pre> For the advocate ${advocateSlug}: lists and counts this advocate’s referrals</dd></div>
    </dl>
    `;
}

function copyable(list: readonly Command[]): Html {
  const items = list.map(
    ([title, line]) => html`<li><p>${title}</p><pre><code>${line}</code></pre></li>
    `,
  );
  return html`<ul class="copyable">${items}</ul>`;
}
