import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Dialog, TextField } from '../../kit/controls.tsx';
import { CheckField } from '../../kit/forms.tsx';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { CopyField, Form, isUnanswered } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';

export type Webhook = Schemas['Webhook'];

type EventName = Webhook['attributes']['events'][number];

const EVENTS: readonly EventName[] = [
  'referral.clicked',
  'referral.converted',
  'referral.paid',
  'referral.churned',
  'referral.rejected',
  'referral.reassigned',
  'referral.erased',
  'payment.recorded',
  'payment.refunded',
];

/** The API's own default: clicks are many, and payments contain amounts. */
const DEFAULT_EVENTS = EVENTS.filter((event) => event !== 'referral.clicked' && !event.startsWith('payment.'));

interface NewWebhookProps {
  readonly known: readonly string[];
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function NewWebhook({ known, onClose, onCreated }: NewWebhookProps) {
  const [secret, setSecret] = useState<string>();
  const show = (created: string) => {
    setSecret(created);
    onCreated();
  };
  return (
    <Dialog title={DEVELOPERS.newWebhook} onClose={onClose}>
      {secret === undefined ? <WebhookForm known={known} onCreated={show} /> : <Secret secret={secret} />}
    </Dialog>
  );
}

export function Secret({ secret }: { readonly secret: string }) {
  return (
    <div class="form" role="status">
      <p>{DEVELOPERS.shownOnce}</p>
      <CopyField label={DEVELOPERS.secret} value={secret} />
    </div>
  );
}

interface WebhookFormProps {
  readonly known: readonly string[];
  readonly onCreated: (secret: string) => void;
}

function WebhookForm({ known: knownNow, onCreated }: WebhookFormProps) {
  const { api } = useDashboard();
  // A refresh must not make a webhook known whose response was lost.
  const [known] = useState(knownNow);
  const [isLost, setLost] = useState(false);
  const [typed, setTyped] = useState('');
  const [events, setEvents] = useState(DEFAULT_EVENTS);
  const [include_email, setIncludeEmail] = useState(false);
  async function save(): Promise<void> {
    if (events.length === 0) throw new ApiError(DEVELOPERS.noEvent, -1);
    const url = typed.trim();
    const lost = isLost ? await findLost(url) : undefined;
    try {
      const created = lost
        ? await api.send('post', '/v2/webhooks/{id}/rotate', { params: { id: lost } })
        : await api.send('post', '/v2/webhooks', { body: { url, events, include_email } });
      onCreated(created.body.data.attributes.secret);
    } catch (error) {
      setLost(isLost || isUnanswered(error));
      throw error;
    }
  }
  /** An earlier attempt created it, but its response with the secret was lost. It gets another secret. */
  async function findLost(url: string): Promise<string | undefined> {
    const { data } = (await api.send('get', '/v2/webhooks')).body;
    return data.find(({ id, attributes }) => attributes.url === url && !known.includes(id))?.id;
  }
  return (
    <Form onSave={save} isInDialog>
      <TextField label={DEVELOPERS.url} hint={DEVELOPERS.urlHint} isRequired value={typed} onInput={setTyped} />
      <fieldset class="scopes">
        <legend>{DEVELOPERS.events}</legend>
        {EVENTS.map((event) => (
          <CheckField
            key={event}
            label={event}
            isChecked={events.includes(event)}
            onChange={(isChecked) =>
              setEvents(EVENTS.filter((each) => (each === event ? isChecked : events.includes(each))))
            }
          />
        ))}
      </fieldset>
      <CheckField label={DEVELOPERS.includeEmail} isChecked={include_email} onChange={setIncludeEmail} />
    </Form>
  );
}
