/** The address of the service without a slash at its end. It is the folder of this page: the base URL may have a path. */
export const baseUrl = () => new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The lines that load the script. */
export const scriptCode = (publicKey: string) =>
  `<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>
<script async src="${baseUrl()}/gr.js" data-pk="${publicKey}"></script>`;

/** A page that reports a sign-up by itself. */
export const pageCode = (publicKey: string) =>
  `${scriptCode(publicKey)}
<script>
  // On the page after the sign-up, with the values of your new customer
  gr('track', 'conversion', { email: '${CUSTOMER.email}', uid: '${CUSTOMER.uid}' });
</script>`;

/** Passes the visitor's cookie to a checkout of Stripe. */
export const CHECKOUT_CODE = `await stripe.checkout.sessions.create({
  client_reference_id: cookies.gr_id?.replace('.', '_'),
  metadata: { uid: customer.id },
  // … your own parameters
});`;

/** The customer of all samples, so that the sample of a payment continues the sample of a sign-up. */
export const CUSTOMER = { uid: 'customer-1', email: 'customer-1@example.com' };

/** The element that shows advocates their page on the merchant's site. */
export const portalCode = () => `<script src="${baseUrl()}/portal.js"></script>
<referral-portal token-url="/my/referral-token"></referral-portal>`;

/** The route of the merchant's server that the element asks for a token. The token of the program stays on the server. */
export const portalRoute = () => `app.get('/my/referral-token', async (request, response) => {
  const { referralSlug } = request.user; // from your sign-in
  const answer = await fetch(\`${baseUrl()}/v2/advocates/\${referralSlug}/tokens\`, {
    method: 'POST',
    headers: { authorization: \`Bearer \${process.env.PROGRAM_TOKEN}\` },
  });
  response.writeHead(answer.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(await answer.text());
});`;
