/** Starts Swagger UI with the OpenAPI document, and keeps menu and colors in step with it. */
import { reference } from './viewer.ts';

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
  // The default theme has too little contrast.
  syntaxHighlight: { theme: 'obsidian' },
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
