import type { HttpResult } from '../../../functions/http/context.ts';
import type { Demo } from '../demo/demo.ts';
import { adminCommands, type Command, curlCommands, type RunningService, welcome } from '../welcome.ts';
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
    tokens: demo ? tokens(demo) : '',
    api_commands: demo ? commands('curl', 'Call the API', curlCommands(baseUrl, demo)) : '',
    admin_commands: commands('admin', 'Operate the service', adminCommands(dataDir, demo)),
  });
}

function tokens({ programToken, affiliateToken, advocateSlug, publicKey }: Demo): Html {
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Tokens of the demo</h2>
    <dl class="tokens">
      <div><dt>Program token</dt><dd><pre><code>${programToken}</code></pre> For the merchant’s server: tracks conversions, manages advocates, reads everything</dd></div>
      <div><dt>Affiliate token</dt><dd><pre><code>${affiliateToken}</code></pre> For the advocate ${advocateSlug}: lists and counts this advocate’s referrals</dd></div>
      <div><dt>Public key</dt><dd><pre><code>${publicKey}</code></pre> For web pages: records clicks, reads nothing</dd></div>
    </dl>
  </section>`;
}

function commands(id: string, heading: string, list: readonly Command[]): Html {
  const items = list.map(
    ([title, line]) => html`<li><p>${title}</p><pre><code>${line}</code></pre></li>
    `,
  );
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${heading}</h2>
    <ol class="commands">${items}</ol>
  </section>`;
}
