import { useState } from 'preact/hooks';
import type { ResponseBody } from '../../kit/api.ts';
import { Button, Card, CopyButton, SelectField, TextField } from '../../kit/controls.tsx';
import { Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { COMMON } from '../../words/common.ts';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { Confirm, CopyField, Form, useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { Settings } from './settings.tsx';
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

type Connection = ResponseBody<'/v2/integrations/stripe', 'get'>['data']['attributes'];

const REFUNDS = ['ignore', 'reject'] as const;

function Stripe() {
  const { api } = useDashboard();
  const [loaded, reload] = useLoaded(
    async (signal) => (await api.send('get', '/v2/integrations/stripe', { signal })).body.data.attributes,
    [],
  );
  return (
    <Card title={DEVELOPERS.stripe} advice={DEVELOPERS.stripeAdvice}>
      {loaded.kind === 'failed' && loaded.error.status === 404 ? (
        <p class="empty">{loaded.error.message}</p>
      ) : (
        <WhenReady loaded={loaded} onRetry={reload} skeleton={<Skeleton lines={3} height={2.25} />}>
          {(connection) => <Connect connection={connection} onChanged={reload} />}
        </WhenReady>
      )}
    </Card>
  );
}

interface ConnectProps {
  readonly connection: Connection;
  readonly onChanged: () => void;
}

function Connect({ connection: { url, secrets, on_refund }, onChanged }: ConnectProps) {
  const { api, can } = useDashboard();
  const [secret, setSecret] = useState('');
  const [refunds, setRefunds] = useState(on_refund);
  const [isSaved, setSaved] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const { finish, report } = useActions();
  async function connect(): Promise<void> {
    await api.send('put', '/v2/integrations/stripe', { body: { secret: secret.trim() } });
    setSecret('');
    onChanged();
  }
  async function saveRefunds(): Promise<void> {
    setSaved(false);
    await api.send('put', '/v2/integrations/stripe', { body: { on_refund: refunds } });
    setSaved(true);
    onChanged();
  }
  async function disconnect(): Promise<void> {
    await api.send('delete', '/v2/integrations/stripe');
    setAsked(false);
    onChanged();
    finish(DEVELOPERS.stripeDisconnected);
  }
  return (
    <div class="settings">
      <div class="form">
        <div class="status-line">
          <p role="status">{secrets > 0 ? DEVELOPERS.stripeConnected(secrets) : DEVELOPERS.stripeOpen}</p>
          {can('admin') && secrets > 0 && (
            <Button label={DEVELOPERS.disconnectStripe} kind="danger" onClick={() => setAsked(true)} />
          )}
        </div>
        <CopyField label={DEVELOPERS.stripeUrl} value={url} />
        <p class="hint">{can('admin') ? DEVELOPERS.stripeSteps : DEVELOPERS.needsAdmin}</p>
        {can('admin') && (
          <Form onSave={connect} save={DEVELOPERS.connectStripe}>
            <TextField label={DEVELOPERS.stripeSecret} isRequired value={secret} onInput={setSecret} />
          </Form>
        )}
        {report}
      </div>
      {can('admin') && (
        <Form onSave={saveRefunds} save={COMMON.save}>
          <SelectField
            label={DEVELOPERS.refunds}
            value={refunds}
            options={REFUNDS.map((each) => [each, DEVELOPERS.refundChoices[each]] as const)}
            onChange={setRefunds}
          />
          <p role="status" class="soft">
            {isSaved && DEVELOPERS.refundsSaved}
          </p>
        </Form>
      )}
      {isAsked && (
        <Confirm title={DEVELOPERS.disconnectStripe} onClose={() => setAsked(false)} onConfirm={disconnect}>
          <p>{DEVELOPERS.disconnectAdvice}</p>
        </Confirm>
      )}
    </div>
  );
}
