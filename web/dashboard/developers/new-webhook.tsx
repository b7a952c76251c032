import { useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import * as PEOPLE from '../../words/dashboard/settings-people.ts';
import { isUnanswered } from '../form-dialog.tsx';
import { api } from '../service.ts';
import { type Field, fault, textIn } from '../settings/fields.ts';
import { SettingsDialog } from '../settings/form.tsx';
import { Secret } from './secret.tsx';

export type Webhook = Schemas['Webhook'];

type EventName = Webhook['attributes']['events'][number];

/** All events. True for the API's own default: clicks are many, and other receivers than before know the rest. */
const EVENTS: Readonly<Record<EventName, boolean>> = {
  'referral.clicked': false,
  'referral.converted': true,
  'referral.paid': true,
  'referral.churned': true,
  'referral.rejected': true,
  'referral.reassigned': true,
  'referral.erased': true,
  'payment.recorded': false,
  'payment.refunded': false,
  'application.pending': false,
  'application.approved': false,
  'application.rejected': false,
};
const NAMES = Object.keys(EVENTS).filter((name): name is EventName => name in EVENTS);

const FIELDS: readonly Field[] = [
  { name: 'url', label: DEVELOPERS.url, hint: DEVELOPERS.urlHint, isRequired: true },
  {
    kind: 'checks',
    name: 'events',
    label: DEVELOPERS.events,
    options: NAMES.map((name) => [name, name] as const),
    parse: (chosen, name) => {
      if (chosen === '') throw fault(name, PEOPLE.noChoice);
    },
  },
  { kind: 'check', name: 'include_email', label: DEVELOPERS.includeEmail },
];

interface NewWebhookProps {
  readonly known: readonly string[];
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

export function NewWebhook({ known: knownNow, onClose, onCreated }: NewWebhookProps) {
  const [secret, setSecret] = useState<string>();
  // A refresh must not make a webhook known whose response was lost.
  const [known] = useState(knownNow);
  const [isLost, setLost] = useState(false);
  /** An earlier attempt created it, but its response with the secret was lost. It gets another secret. */
  async function findLost(url: string): Promise<string | undefined> {
    const { data } = (await api.send('get', '/v2/webhooks')).body;
    return data.find(({ id, attributes }) => attributes.url === url && !known.includes(id))?.id;
  }
  return (
    <SettingsDialog
      title={DEVELOPERS.newWebhook}
      onClose={onClose}
      result={secret === undefined ? undefined : <Secret label={DEVELOPERS.secret} value={secret} />}
      fields={FIELDS}
      draft={{ url: '', events: NAMES.filter((name) => EVENTS[name]).join(' '), include_email: '' }}
      onSave={async (_, draft) => {
        const [url, chosen] = [textIn(draft, 'url').trim(), textIn(draft, 'events').split(' ')];
        const events = NAMES.filter((name) => chosen.includes(name));
        const body = { url, events, include_email: textIn(draft, 'include_email') !== '' };
        try {
          const lost = isLost ? await findLost(url) : undefined;
          const created = lost
            ? await api.send('post', '/v2/webhooks/{id}/rotate', { params: { id: lost } })
            : await api.send('post', '/v2/webhooks', { body });
          setSecret(created.body.data.attributes.secret);
        } catch (error) {
          setLost(isLost || isUnanswered(error));
          throw error;
        }
        onCreated();
        return undefined;
      }}
    />
  );
}
