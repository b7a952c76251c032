/** The words of the view "Developers", for translators. */

/** The sections of the view. */
export const SECTIONS = {
  script: 'Script',
  'server-code': 'Server code',
  stripe: 'Stripe',
  webhooks: 'Webhooks',
  tokens: 'Tokens',
  explain: 'Explain a customer',
  documentation: 'Documentation',
} as const;

export const navigation = 'Developers';
export const shownOnce = 'It is shown only now. Copy it to a safe place.';
export const needsAdmin = 'This needs the scope “admin”.';

export const scriptAdvice = 'Put it into every page of your site. The key in it is public.';
export const copyScript = 'Copy script';
export const copyCode = 'Copy code';
export const signUps = 'Sign-ups';
export const signUpsAdvice = 'Report each new customer, with the visitor’s cookie gr_id.';
export const payments = 'Payments';
export const paymentsAdvice = 'Report each payment, unless Stripe does. Amounts are in cents.';
export const language = 'Language';
export const withoutServer = 'Without a server';
export const withoutServerAdvice = 'Anybody can send this from a browser. A server is safer.';
export const allowOrigin = (origin: string) => `Allow ${origin}`;
export const originMissing = (origin: string) => `Pages of ${origin} may not report sign-ups yet.`;
export const originAllowed = (origin: string) => `Pages of ${origin} may report sign-ups within 30 seconds.`;
export const createServerToken = 'Create server token';
export const serverToken = 'Server';
export const serverTokenAdvice = 'The code needs a token that may only report.';
export const serverTokenReady = 'The code contains your new token. It is shown only now.';

export const createToken = 'Create token';
export const newToken = 'New token';
export const name = 'Name';
export const tokensAdvice = 'Give each server a token of its own.';
export const tokenPurpose = 'A shop’s server needs the first two.';
export const expires = 'Expires';
export const never = 'Never';
export const inDays = (days: number) => `In ${days} days`;
export const token = 'Token';
export const thisToken = 'this page';
export const revoke = 'Revoke';
export const revokeAdvice = (of: string | null) =>
  `The token ${of === null ? 'without a name' : `“${of}”`} stops working within 30 seconds. Requests that use it fail.`;
export const tokenLost = 'The token may exist, but nobody has seen it. The next try revokes it.';
export const revoked = 'The token is revoked.';

export const withoutEvents =
  'This deployment has no webhooks and no Stripe settings here. Deploy it with events=on, or use the command line.';
export const webhooksAdvice = 'Your server receives each change as a signed request.';
export const addWebhook = 'Add webhook';
export const newWebhook = 'New webhook';
export const noWebhooks = 'No webhooks yet.';
export const url = 'URL';
export const urlHint = 'An https address of your server.';
export const events = 'Events';
export const includeEmail = 'Include the email of the customer';
export const secret = 'Secret';
export const newSecret = 'New secret';
export const newSecretAdvice = 'The previous secret also signs for 24 hours.';
export const enabled = 'Enabled';
export const failingSince = (since: string) => `Failing since ${since}`;
export const disabled = (reason: string | null) => {
  if (reason === 'gone') return 'Disabled: the receiver answered that it is gone';
  return reason === 'failing' ? 'Disabled: it failed for too long' : 'Disabled';
};
export const sendTest = 'Send test';
export const testArrived = (status: number) => `The receiver answered the test with status ${status}.`;
export const testFailed = (reason: string) => `The test did not arrive: ${reason}.`;
export const rotate = 'Rotate';
export const rotateAdvice = (to: string) =>
  `The webhook to ${to} gets a new secret. The present one also signs for 24 hours.`;
export const rotationLost =
  'The secret may be rotated already. Then rotating again ends the secret that your receiver has.';
export const remove = 'Delete';
export const removeAdvice = (to: string) =>
  `This deletes the webhook to ${to} with its deliveries. Events that wait are not sent.`;
export const removed = 'The webhook is deleted.';
export const enable = 'Enable';
export const disable = 'Disable';
export const enabledNow = 'The webhook is enabled.';
export const disabledNow = 'The webhook is disabled.';
export const showDeliveries = 'Show deliveries';
export const deliveries = 'Deliveries';
export const deliveriesAdvice = 'The attempts of the last 7 days, newest first.';
export const noDeliveries = 'No deliveries in the last 7 days.';
export const event = 'Event';
export const attempt = 'Attempt';
export const time = 'Time';
export const resend = 'Resend';
export const resent = 'The event is queued again.';
/** Why a delivery failed, as the end of a sentence. */
export const REASONS = {
  timeout: 'the receiver did not answer in time',
  address_refused: 'its address is not allowed',
  name_not_found: 'its name was not found',
  connection_failed: 'the connection failed',
  tls_failed: 'its certificate is not valid',
  invalid_response: 'its response is not valid HTTP',
  unknown: 'the reason is not known',
} as const;

export const stripeAdvice = 'Stripe reports payments, refunds and the end of subscriptions by itself.';
export const stripeUrl = 'Endpoint URL';
export const stripeEvents = 'Events';
export const stripeSteps = 'Add a webhook at Stripe with this URL and these events. Paste its signing secret here.';
export const stripeReference = 'Pass the cookie gr_id to Stripe’s checkout, with “_” instead of its dot:';
export const stripeSecret = 'Stripe signing secret';
export const connectStripe = 'Connect Stripe';
export const replaceSecret = 'Replace secret';
export const disconnectStripe = 'Disconnect Stripe';
export const disconnectAdvice = 'Then payments, refunds and the end of subscriptions no longer arrive from Stripe.';
export const stripeDisconnected = 'Stripe is disconnected.';
export const stripeConnected = (secrets: number) =>
  secrets === 1 ? 'Connected with one signing secret.' : `Connected with ${secrets} signing secrets.`;
export const stripeOpen = 'Not connected yet.';
export const refunds = 'A full refund';
export const REFUNDS = [
  ['ignore', 'keeps the state of the referral'],
  ['reject', 'rejects the referral'],
] as const;
export const changeRefunds = 'Refunds';
export const saved = 'Saved.';

export const explainAdvice = 'Why was this customer credited, or not?';
export const explainBy = 'Find by';
/** What a customer, a code or a payment is found by. */
export const IDENTIFIERS = [
  ['email', 'Email'],
  ['uid', 'Your id'],
  ['id', 'Referral id'],
  ['gr_id', 'Cookie gr_id'],
  ['code', 'Code'],
  ['payment_id', 'Payment id'],
] as const;
export const explainValue = 'Value';
export const explain = 'Explain';

export const documentationAdvice = 'The documents are in the folder docs of the repository.';
export const DOCUMENTS = [
  ['script.md', 'The script, consent, and functions that report sign-ups'],
  ['payments.md', 'Stripe and other providers, refunds'],
  ['portal.md', 'The advocates’ page on your site'],
  ['webhooks.md', 'Events and their signatures'],
  ['api.md', 'All requests and their limits'],
  ['recipes.md', 'Tag managers and site builders'],
] as const;
export const reference = 'API reference';
