import { useState } from 'preact/hooks';
import { Button } from '../../kit/button.tsx';
import { Card } from '../../kit/card.tsx';
import { type Column, text } from '../../kit/columns.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { formatDate } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { Confirm, isUnanswered } from '../form-dialog.tsx';
import { optional } from '../optional.ts';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import { Deliveries, reasonOf, useDeliveries } from './deliveries.tsx';
import { NewWebhook, type Webhook } from './new-webhook.tsx';
import { Secret } from './secret.tsx';

const title = DEVELOPERS.SECTIONS.webhooks;

export function Webhooks() {
  const { can } = useDashboard();
  const [isAdding, setAdding] = useState(false);
  const [list, reload] = useLoaded(
    async (signal) => (await optional(api.send('get', '/v2/webhooks', { signal })))?.body.data,
    [],
  );
  const rows = readyOf(list)?.value;
  const add = can('admin') && rows && (
    <Button label={DEVELOPERS.addWebhook} kind="primary" onClick={() => setAdding(true)} />
  );
  return (
    <Card title={title} advice={DEVELOPERS.webhooksAdvice} beside={add}>
      <WhenReady loaded={list} skeleton={<Skeleton lines={3} height={2} />}>
        {(webhooks) =>
          webhooks && webhooks.length > 0 ? (
            <WebhookTable rows={webhooks} onChanged={reload} />
          ) : (
            <p class="empty">{webhooks ? DEVELOPERS.noWebhooks : DEVELOPERS.withoutEvents}</p>
          )
        }
      </WhenReady>
      {isAdding && rows && (
        <NewWebhook known={rows.map((row) => row.id)} onClose={() => setAdding(false)} onCreated={reload} />
      )}
    </Card>
  );
}

/** The question that is open. */
interface Asked {
  readonly title: string;
  readonly webhook: Webhook;
  /** True if the response to a rotation was lost: another one ends the oldest secret, which is then the receiver's. */
  readonly isLost?: boolean;
}

function WebhookTable({ rows, onChanged }: { readonly rows: readonly Webhook[]; readonly onChanged: () => void }) {
  const { can } = useDashboard();
  const [asked, setAsked] = useState<Asked>();
  const [chosen, setChosen] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const shown = rows.find(({ id }) => id === chosen) ?? rows[0];
  const pages = useDeliveries(shown?.id ?? '');
  const show = (id: string) => (id === shown?.id ? pages.reload() : setChosen(id));
  const test = (id: string) =>
    tried(async () => {
      const { data } = (await api.send('post', '/v2/webhooks/{id}/test', { params: { id } })).body;
      show(id);
      const { status, reason } = data.attributes;
      return status === null ? DEVELOPERS.testFailed(reasonOf(reason)) : DEVELOPERS.testArrived(status);
    });
  async function rotate(question: Asked): Promise<void> {
    try {
      const params = { id: question.webhook.id };
      const { data } = (await api.send('post', '/v2/webhooks/{id}/rotate', { params })).body;
      setAsked(undefined);
      setSecret(data.attributes.secret);
    } catch (error) {
      if (isUnanswered(error)) setAsked({ ...question, isLost: true });
      throw error;
    }
  }
  async function remove(id: string): Promise<void> {
    // An attempt whose response was lost has deleted it.
    await optional(api.send('delete', '/v2/webhooks/{id}', { params: { id } }));
    setAsked(undefined);
    onChanged();
    tell(DEVELOPERS.removed);
  }
  async function enable(id: string, enabled: boolean): Promise<void> {
    await api.send('patch', '/v2/webhooks/{id}', { params: { id }, body: { enabled } });
    onChanged();
  }
  const toggle = (id: string, enabled: boolean) =>
    tried(async () => {
      await enable(id, enabled);
      if (enabled) return DEVELOPERS.enabledNow;
      return tell(DEVELOPERS.disabledNow, { undo: () => enable(id, true) });
    });
  const buttons: Column<Webhook> = text(
    COMMON.actions,
    (webhook) => {
      const { id, attributes } = webhook;
      const asker = (title: string, kind?: string) => (
        <Button label={title} {...(kind && { kind })} onClick={() => setAsked({ title, webhook })} />
      );
      return (
        <div class="buttons row">
          <Button label={DEVELOPERS.showDeliveries} aria-pressed={id === shown?.id} onClick={() => show(id)} />
          {can('admin') && (
            <>
              <Button label={DEVELOPERS.sendTest} onClick={() => void test(id)} />
              {asker(DEVELOPERS.rotate)}
              <Button
                label={attributes.enabled ? DEVELOPERS.disable : DEVELOPERS.enable}
                kind="quiet"
                onClick={() => void toggle(id, !attributes.enabled)}
              />
              {asker(DEVELOPERS.remove, 'danger')}
            </>
          )}
        </div>
      );
    },
    'below',
  );
  const isRotation = asked?.title === DEVELOPERS.rotate;
  return (
    <>
      <Table name={title} columns={[...COLUMNS, buttons]} rows={rows} keyOf={({ id }) => id} />
      {shown && <Deliveries webhook={shown} pages={pages} />}
      {asked && (
        <Confirm
          title={asked.title}
          onClose={() => setAsked(undefined)}
          onConfirm={() => (isRotation ? rotate(asked) : remove(asked.webhook.id))}
        >
          <p>
            <bdi>{(isRotation ? DEVELOPERS.rotateAdvice : DEVELOPERS.removeAdvice)(asked.webhook.attributes.url)}</bdi>
          </p>
          {asked.isLost && <p>{DEVELOPERS.rotationLost}</p>}
        </Confirm>
      )}
      {secret !== undefined && (
        <Dialog title={DEVELOPERS.newSecret} onClose={() => setSecret(undefined)}>
          <Secret label={DEVELOPERS.secret} value={secret} />
          <p class="hint">{DEVELOPERS.newSecretAdvice}</p>
        </Dialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  text(
    DEVELOPERS.url,
    ({ attributes: { url, events } }) => (
      <>
        <bdi>{url}</bdi>
        <span class="person-line">{events.join(', ')}</span>
      </>
    ),
    'name',
  ),
  text(COMMON.state, ({ attributes }) => <State {...attributes} />, 'key'),
];

function State({ enabled, disabled_reason, failing_since }: Webhook['attributes']) {
  if (!enabled) {
    const isOwn = disabled_reason !== 'gone' && disabled_reason !== 'failing';
    return <span class={isOwn ? 'badge' : 'bad'}>{DEVELOPERS.disabled(disabled_reason)}</span>;
  }
  return (
    <span class={failing_since === null ? 'badge good' : 'badge warn'}>
      {failing_since === null ? DEVELOPERS.enabled : DEVELOPERS.failingSince(formatDate(failing_since))}
    </span>
  );
}
