import { Settings } from './settings.tsx';
import { Snippet } from './snippet.tsx';
import { Stripe } from './stripe.tsx';
import { Tokens } from './tokens.tsx';
import { Webhooks } from './webhooks.tsx';

/** What connects the merchant's site, servers and Stripe to the program, and the program's settings. */
export function Developers() {
  return (
    <>
      <Snippet />
      <Webhooks />
      <Stripe />
      <Tokens />
      <Settings />
    </>
  );
}
