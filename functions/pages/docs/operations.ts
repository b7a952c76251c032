import type { Operation, Operations } from '../../openapi/operation.ts';
import type { PAGE_ROUTES } from '../http/routes.ts';

/** Documents a file that clients revalidate by its ETag. */
const file =
  (name: string, type: 'text/html' | 'text/javascript' | 'text/plain', caching: 'Revalidated' | 'CachedForADay') =>
  (summary: string, description: string): Operation => ({
    summary,
    description: `${description} \`HEAD\` returns the same headers.`,
    requestHeaders: ['IfNoneMatch'],
    successes: {
      200: {
        description: `The ${name}, compressed if the client accepts Brotli or gzip.`,
        headers: [caching, 'ETag'],
        type,
        schema: { type: 'string' },
      },
      304: { description: `The client already has this ${name}.`, headers: [caching, 'ETag'] },
    },
  });
const script = file('script', 'text/javascript', 'CachedForADay');
const html = file('page', 'text/html', 'Revalidated');
const page = (summary: string, description: string) =>
  html(
    summary,
    `${description} The page contains its script and styles, loads nothing else, and calls only this API. Its Content-Security-Policy names both by their hashes.`,
  );

/** Documents the operations that return files. */
export const PAGE_OPERATIONS: Operations<typeof PAGE_ROUTES> = {
  getScript: script(
    'Get the tracking script',
    "Marketing sites embed it with their public key in `data-pk`. When a visitor follows an advocate's link, it stores the slug and a new click id in the cookie `gr_id` and reports the click.",
  ),
  getPortal: page(
    "Get the advocate's page",
    "Shows an advocate its link, numbers, referrals and statements. Open it with an affiliate token in the fragment, `#token=…`, or embed it with `/portal.js`. A fragment is not part of a request, so no server's log contains the token.",
  ),
  getAccount: page(
    "Get the advocate's page with sign-in",
    'The same page under a path that no site may frame: advocates sign in there with a link from an email, and change their payout account and their emails. Only with `emails=on`.',
  ),
  getPortalScript: script(
    "Get the script that embeds the advocate's page",
    'Defines the element `<referral-portal token-url="…">`, which shows `/portal` in a frame and hands it tokens from your own server.',
  ),
  getDashboard: page(
    "Get the merchant's page",
    'Shows a merchant the whole program. Sign in with a program token, or open the link that `dashboard` prints at the command line.',
  ),
  getLlmsText: file(
    'text',
    'text/plain',
    'Revalidated',
  )(
    'Get the text for assistants',
    'Says in the form of https://llmstxt.org what the service is, how a program calls it, and which document answers what.',
  ),
};
