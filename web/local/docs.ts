/** Starts Swagger UI with the OpenAPI document: first the operations, then its prose in folded sections. */

const { programToken = '', affiliateToken = '' } = document.getElementById('docs')?.dataset ?? {};
const night = matchMedia('(prefers-color-scheme: dark)');
const wide = matchMedia('(min-width: 60rem)');

followScreen();
night.addEventListener('change', followScreen);
wide.addEventListener('change', followScreen);

const ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  layout: 'Reference',
  plugins: [reference],
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Tokens are forgotten when the page closes.
  persistAuthorization: false,
  // The validator would send the document to another host.
  validatorUrl: null,
  requestInterceptor: signed,
  onComplete: () => {
    if (programToken) ui.preauthorizeApiKey('programToken', programToken);
    if (affiliateToken) ui.preauthorizeApiKey('affiliateToken', affiliateToken);
    followHash();
  },
});
window.addEventListener('hashchange', () => {
  ui.layoutActions.parseDeepLinkHash(location.hash);
  followHash();
});

/**
 * Swagger UI's own layout with the prose at the end, after operations and webhooks. It omits the list of servers, because requests go to this service,
 * and the list of schemas, because each operation shows its own.
 */
function reference({ React, getComponent, specSelectors }: SwaggerSystem) {
  const element = React.createElement;
  return {
    components: {
      Reference: () =>
        element(
          'div',
          { className: 'swagger-ui' },
          element(getComponent('SvgAssets'), null),
          element(getComponent('errors', true), null),
          element(getComponent('AuthorizeBtnContainer', true), null),
          element('h2', { className: 'unseen' }, 'Operations'),
          element(getComponent('operations', true), null),
          element(getComponent('Webhooks', true), null),
          element(
            'section',
            { id: 'about', tabIndex: -1, className: 'about' },
            element('h2', null, 'About this API'),
            element(getComponent('Markdown', true), {
              source: folded(specSelectors.info().get('description') ?? ''),
            }),
          ),
        ),
    },
  };
}

/** Adds the signature to an event of Stripe, which the demo's account makes. Other requests stay as they are. */
async function signed(request: SwaggerRequest): Promise<SwaggerRequest> {
  const { url, body, headers } = request;
  if (!programToken || !url.includes('/v2/integrations/stripe/')) return request;
  const response = await fetch('/demo/signature', { method: 'POST', body });
  const { signature, error }: { readonly signature?: string; readonly error?: string } = await response.json();
  if (signature === undefined) throw new Error(error);
  headers['stripe-signature'] = signature;
  return request;
}

/** Folds each section of a Markdown text under its title. */
function folded(markdown: string): string {
  const [introduction = '', ...sections] = markdown.split(/^## /m);
  const parts = sections.map((section) => {
    const [title = '', ...lines] = section.split('\n');
    return `<details>\n<summary>${title}</summary>\n\n${lines.join('\n').trim()}\n\n</details>`;
  });
  return [introduction, ...parts].join('\n\n');
}

/** Sets Swagger UI's dark mode, which it does not set itself, and folds the menu on a narrow screen. */
function followScreen(): void {
  document.documentElement.classList.toggle('dark-mode', night.matches);
  document.getElementById('menu')?.toggleAttribute('open', wide.matches);
}

/** Marks the operation in the address and scrolls to it: Swagger UI does so only when it starts. */
function followHash(): void {
  for (const link of document.querySelectorAll('.operations a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  if (location.hash === '') return;
  document.getElementById('menu')?.toggleAttribute('open', wide.matches);
  const [, tag = '', operation = ''] = location.hash.split('/');
  const block = document.getElementById(`operations-${tag}-${operation}`);
  block?.scrollIntoView();
  block?.querySelector('button')?.focus({ preventScroll: true });
}
