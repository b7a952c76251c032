import { useId, useState } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Dialog, TextField } from '../../kit/controls.tsx';
import { formatDateAndTime, formatNumber } from '../../kit/format.ts';
import { CheckField } from '../../kit/forms.tsx';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, numberColumn, Pager, Table, usePages } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { CopyField, Form, isUnanswered, useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';

type Delivery = Schemas['Delivery'];
type Reason = Delivery['attributes']['reason'];

/** Why a delivery failed, as the end of a sentence. */
export function reasonOf(reason: Reason): string {
  return reason === null ? DEVELOPERS.reasons.unknown : DEVELOPERS.reasons[reason];
}

export function Deliveries({ webhook: { id, attributes } }: { readonly webhook: Webhook }) {
  const heading = useId();
  const { api, can } = useDashboard();
  const { run, report } = useActions();
  const pages = usePages(
    async (cursor, signal) => {
      const query = { per_page: 10, cursor };
      const { body, next } = await api.send('get', '/v2/webhooks/{id}/deliveries', { params: { id }, query, signal });
      return { rows: body.data, next };
    },
    [id],
  );
  const resend = (event_id: string) =>
    void run(async () => {
      await api.send('post', '/v2/webhooks/{id}/resend', { params: { id }, body: { event_id } });
      pages.reload();
      return DEVELOPERS.resent;
    });
  return (
    <section class="deliveries" aria-labelledby={heading}>
      <div class="card-head">
        <h3 id={heading}>
          {DEVELOPERS.deliveries} <bdi class="person-line">{attributes.url}</bdi>
        </h3>
        <p class="soft">{DEVELOPERS.deliveriesAdvice}</p>
      </div>
      <WhenReady loaded={pages.list} onRetry={pages.reload} skeleton={<Skeleton lines={4} height={1.75} />}>
        {({ rows, next }) => (
          <>
            <Table
              name={DEVELOPERS.deliveries}
              columns={can('admin') ? [...COLUMNS, buttonOf(resend)] : COLUMNS}
              rows={rows}
              keyOf={({ id: delivery }) => delivery}
              empty={<p class="empty">{DEVELOPERS.noDeliveries}</p>}
            />
            <Pager pages={pages} next={next} />
          </>
        )}
      </WhenReady>
      {report}
    </section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { name: DEVELOPERS.event, cell: ({ attributes: { event } }) => event },
  { name: COMMON.result, cell: ({ attributes }) => <Result {...attributes} /> },
  numberColumn(DEVELOPERS.attempt, ({ attributes: { attempt } }) => formatNumber(attempt)),
  numberColumn(COMMON.duration, ({ attributes: { duration_ms } }) => `${formatNumber(duration_ms)} ms`),
  { name: DEVELOPERS.time, cell: ({ attributes: { created_at } }) => formatDateAndTime(created_at) },
];

function Result({ status, reason }: Delivery['attributes']) {
  if (status === null) return <span class="bad">{reasonOf(reason)}</span>;
  return <span class={status >= 200 && status < 300 ? 'badge good' : 'badge bad'}>{status}</span>;
}

const buttonOf = (onResend: (eventId: string) => void): Column<Delivery> => ({
  name: COMMON.actions,
  cell: ({ attributes: { event_id } }) => (
    <div class="buttons row">
      <Button label={DEVELOPERS.resend} onClick={() => onResend(event_id)} />
    </div>
  ),
});

export type Webhook = Schemas['Webhook'];

type EventName = Schemas['Webhook']['attributes']['events'][number];

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
    <Form onSave={save}>
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
