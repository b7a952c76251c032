import { Card, CopyButton } from '../../kit/controls.tsx';
import { Skeleton } from '../../kit/status.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { useDashboard } from '../router.ts';
import { Settings } from './settings.tsx';
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

/** The script for the merchant's pages, with the key of the program. */
function Snippet() {
  const { program } = useDashboard();
  return (
    <Card title={DEVELOPERS.snippet} advice={DEVELOPERS.snippetAdvice}>
      {program ? <Code text={snippetOf(program.attributes.public_key)} /> : <Skeleton lines={1} height={8} />}
    </Card>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <>
      <pre class="snippet">{text}</pre>
      <CopyButton text={text} label={DEVELOPERS.copySnippet} class="primary" />
    </>
  );
}

/** The address of the script is next to this page, because the base URL may have a path. */
const snippetOf = (publicKey: string) =>
  `<script>window.gr=window.gr||function(){(gr.q=gr.q||[]).push(arguments)}</script>
<script async src="${new URL('gr.js', document.baseURI)}" data-pk="${publicKey}"></script>`;
