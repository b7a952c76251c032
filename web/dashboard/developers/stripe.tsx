import { useState } from 'preact/hooks';
import { STRIPE_EVENTS } from '../../../functions/stripe/rules/event-types.ts';
import type { ResponseBody } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { SelectField, TextField } from '../../kit/fields.tsx';
import { useLoaded } from '../../kit/loaded.ts';
import { tell } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { Confirm, CopyField, Form } from '../form-dialog.tsx';
import { optional } from '../optional.ts';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { CHECKOUT_CODE } from './script-code.ts';
import { Code } from './server-code.tsx';

export type Connection = ResponseBody<'/v2/integrations/stripe', 'get'>['data']['attributes'];

interface StripeProps {
  /** Called with each new state of the connection. */
  readonly onChanged?: () => void;
}

/** The connection to Stripe: one line when it is there, else what it needs. */
export function Stripe({ onChanged }: StripeProps) {
  const [loaded, reload] = useLoaded(
    async (signal) => (await optional(api.send('get', '/v2/integrations/stripe', { signal })))?.body.data.attributes,
    [],
  );
  const changed = () => {
    reload();
    onChanged?.();
  };
  return (
    <WhenReady loaded={loaded} skeleton={<Skeleton lines={3} height={2.25} />}>
      {(connection) =>
        connection ? (
          <Connect connection={connection} onChanged={changed} />
        ) : (
          <p class="empty">{DEVELOPERS.withoutEvents}</p>
        )
      }
    </WhenReady>
  );
}

interface ConnectProps {
  readonly connection: Connection;
  readonly onChanged: () => void;
}

function Connect({ connection, onChanged }: ConnectProps) {
  const { can } = useDashboard();
  const [opened, setOpened] = useState('');
  const [isAsked, setAsked] = useState(false);
  const { secrets } = connection;
  async function disconnect(): Promise<void> {
    await api.send('delete', '/v2/integrations/stripe');
    setAsked(false);
    onChanged();
    tell(DEVELOPERS.stripeDisconnected);
  }
  const close = () => {
    setOpened('');
    onChanged();
  };
  const opener = (label: string) => (
    <Button label={label} aria-expanded={opened === label} onClick={() => setOpened(opened === label ? '' : label)} />
  );
  return (
    <div class="form">
      <div class="status-line">
        <p role="status">{secrets > 0 ? DEVELOPERS.stripeConnected(secrets) : DEVELOPERS.stripeOpen}</p>
        {can('admin') && secrets > 0 && (
          <div class="buttons">
            {opener(DEVELOPERS.replaceSecret)}
            {opener(DEVELOPERS.changeRefunds)}
            <Button label={DEVELOPERS.disconnectStripe} kind="danger" onClick={() => setAsked(true)} />
          </div>
        )}
      </div>
      {(secrets === 0 || opened === DEVELOPERS.replaceSecret) && <SecretForm connection={connection} onSaved={close} />}
      {secrets > 0 && opened === DEVELOPERS.changeRefunds && <Refunds connection={connection} onSaved={close} />}
      {isAsked && (
        <Confirm title={DEVELOPERS.disconnectStripe} onClose={() => setAsked(false)} onConfirm={disconnect}>
          <p>{DEVELOPERS.disconnectAdvice}</p>
        </Confirm>
      )}
    </div>
  );
}

interface SecretFormProps {
  readonly connection: Connection;
  readonly onSaved: () => void;
}

/** What Stripe needs from here, and what it gives in return. */
function SecretForm({ connection: { url }, onSaved }: SecretFormProps) {
  const { can } = useDashboard();
  const [secret, setSecret] = useState('');
  async function connect(): Promise<void> {
    await api.send('put', '/v2/integrations/stripe', { body: { secret: secret.trim() } });
    setSecret('');
    onSaved();
  }
  return (
    <>
      <p>{can('admin') ? DEVELOPERS.stripeSteps : DEVELOPERS.needsAdmin}</p>
      <CopyField label={DEVELOPERS.stripeUrl} value={url} />
      <details>
        <summary>{DEVELOPERS.stripeEvents}</summary>
        <Code text={STRIPE_EVENTS.join('\n')} />
      </details>
      {can('admin') && (
        <Form onSave={connect} save={DEVELOPERS.connectStripe}>
          <TextField label={DEVELOPERS.stripeSecret} isRequired value={secret} onInput={setSecret} />
        </Form>
      )}
      <p>{DEVELOPERS.stripeReference}</p>
      <Code text={CHECKOUT_CODE} />
    </>
  );
}

/** What a refund in full does. */
function Refunds({ connection: { on_refund }, onSaved }: SecretFormProps) {
  const [refunds, setRefunds] = useState(on_refund);
  async function save(): Promise<void> {
    await api.send('put', '/v2/integrations/stripe', { body: { on_refund: refunds } });
    tell(DEVELOPERS.saved);
    onSaved();
  }
  return (
    <Form onSave={save}>
      <SelectField label={DEVELOPERS.refunds} value={refunds} options={DEVELOPERS.REFUNDS} onChange={setRefunds} />
    </Form>
  );
}
