import type { HttpResult } from '../../functions/http/context.ts';
import { POLICY } from './assets.ts';
import { adminCommands, type Command, curlCommands } from './commands.ts';
import type { Demo } from './demo.ts';
import { type Html, html, htmlPage } from './html.ts';
import { text } from './page.ts';
import { type Welcome, welcome } from './welcome.ts';

/** The overview of the running service: a page for browsers, the start-up text for curl and everything else. */
export function home(service: Welcome, accept = ''): HttpResult {
  const isBrowser = /\btext\/html\b/i.test(accept);
  const result = isBrowser
    ? text(POLICY, 'text/html', homePage(service))
    : text(POLICY, 'text/plain', `${welcome(service)}\n`);
  return { ...result, headers: { ...result.headers, vary: 'accept' } };
}

function homePage(service: Welcome): string {
  const { baseUrl, demo, dataDir } = service;
  const head = html`<script src="/local/copy.js" defer></script>`;
  const body = html`<div class="sheet">
<header>
  <p class="brand"><img src="/local/icon.svg" alt="" width="36" height="36"> Referral Tracking</p>
  <p class="running">Running on ${baseUrl}</p>
</header>
<main>
  <h1>Your referral service is running.</h1>
  <p class="lead">It tracks who brings you customers: clicks on an advocate’s link, sign-ups, payments. Everything here
    runs on this machine, with the same code as on AWS.</p>
  <ul class="doors">
    ${demo ? demoDoor(demo) : noDemoDoor()}
    <li><a href="/docs"><strong>API reference</strong> Every operation, explained${demo ? ', with the demo’s tokens filled in: press Execute' : ' and ready to try'}.</a></li>
    <li><a href="/openapi.json"><strong>OpenAPI document</strong> For client generators, Postman and other tools.</a></li>
  </ul>
  ${demo ? tokens(demo) : []}
  ${demo ? commands('curl', 'Call the API', curlCommands(baseUrl, demo)) : []}
  ${commands('admin', 'Operate it', adminCommands(dataDir, demo))}
</main>
<footer>Ctrl-C in its terminal stops the service; the next start finds everything again. <code>curl ${baseUrl}</code> prints
  this page as text.</footer>
</div>`;
  return htmlPage('Referral Tracking', ['/local/page.css', '/local/home.css'], head, body);
}

function demoDoor({ advocateSlug }: Demo): Html {
  return html`<li><a class="first" href="/demo?via=${advocateSlug}"><strong>Demo shop</strong> Follow an advocate’s link, sign up, pay, and watch what the
      advocate sees.</a></li>`;
}

function noDemoDoor(): Html {
  return html`<li><p><strong>No demo shop</strong> The demo is off, or the table holds other programs. It starts with an
      empty <code>DATA_DIR</code> and without <code>DEMO=off</code>.</p></li>`;
}

function tokens({ programToken, affiliateToken, advocateSlug, publicKey }: Demo): Html {
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Tokens of the demo</h2>
    <dl class="tokens">
      <div><dt>Program token</dt><dd><pre><code>${programToken}</code></pre> For the merchant’s server: tracks conversions, lists advocates</dd></div>
      <div><dt>Affiliate token</dt><dd><pre><code>${affiliateToken}</code></pre> For the advocate ${advocateSlug}: lists her own referrals</dd></div>
      <div><dt>Public key</dt><dd><pre><code>${publicKey}</code></pre> For web pages: records clicks, reads nothing</dd></div>
    </dl>
  </section>`;
}

function commands(id: string, title: string, list: readonly Command[]): Html {
  const items = list.map(
    (command) => html`<li><p>${command.title}</p><pre><code>${command.line}</code></pre></li>
    `,
  );
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}">${title}</h2>
    <ol class="commands">${items}</ol>
  </section>`;
}
