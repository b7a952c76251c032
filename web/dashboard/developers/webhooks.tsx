import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Card, Dialog } from '../../kit/controls.tsx';
import { formatDate } from '../../kit/format.ts';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { tell, tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { Confirm, isUnanswered } from '../form-dialog.tsx';
import { optional } from '../optional.ts';
import { useDashboard } from '../router.ts';
import { Deliveries, reasonOf } from './deliveries.tsx';
import { NewWebhook, Secret, type Webhook } from './new-webhook.tsx';

export function Webhooks() {
  const { api, can } = useDashboard();
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
    <Card title={DEVELOPERS.SECTIONS.webhooks} advice={DEVELOPERS.webhooksAdvice} beside={add}>
      <WhenReady loaded={list} skeleton={<Skeleton lines={3} height={2} />}>
        {(webhooks) =>
          webhooks && webhooks.length > 0 ? (
            <WebhookTable rows={webhooks} onChanged={reload} />
          ) : (
            <p class="empty">{webhooks ? DEVELOPERS.noWebhooks : COMMON.withoutSentence(404, '/v2/webhooks')}</p>
          )
        }
      </WhenReady>
      {isAdding && rows && (
        <NewWebhook known={rows.map((row) => row.id)} onClose={() => setAdding(false)} onCreated={reload} />
      )}
    </Card>
  );
}

interface Asked {
  readonly kind: 'rotate' | 'delete';
  readonly id: string;
  readonly url: string;
}

function WebhookTable({ rows, onChanged }: { readonly rows: readonly Webhook[]; readonly onChanged: () => void }) {
  const { api, can } = useDashboard();
  const [asked, setAsked] = useState<Asked>();
  const [chosen, setChosen] = useState<string>();
  /** Counts what may have added deliveries. */
  const [version, setVersion] = useState(0);
  const [secret, setSecret] = useState<string>();
  const shown = rows.find(({ id }) => id === chosen) ?? rows[0];
  const show = (id: string) => {
    setChosen(id);
    setVersion((last) => last + 1);
  };

  const test = (id: string) =>
    tried(async () => {
      const { data } = (await api.send('post', '/v2/webhooks/{id}/test', { params: { id } })).body;
      show(id);
      const { status, reason } = data.attributes;
      return status === null ? DEVELOPERS.testFailed(reasonOf(reason)) : DEVELOPERS.testArrived(status);
    });
  async function rotate(id: string): Promise<void> {
    const { data } = (await api.send('post', '/v2/webhooks/{id}/rotate', { params: { id } })).body;
    setAsked(undefined);
    setSecret(data.attributes.secret);
  }
  async function remove(id: string): Promise<void> {
    try {
      await api.send('delete', '/v2/webhooks/{id}', { params: { id } });
    } catch (error) {
      // An attempt whose response was lost has deleted it.
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
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
  const close = () => setAsked(undefined);
  const buttons: Column<Webhook> = {
    id: 'actions',
    name: COMMON.actions,
    onPhone: 'below',
    cell: ({ id, attributes: { url, enabled } }) => (
      <div class="buttons row">
        <Button label={DEVELOPERS.showDeliveries} aria-pressed={id === shown?.id} onClick={() => show(id)} />
        {can('admin') && (
          <>
            <Button label={DEVELOPERS.sendTest} onClick={() => void test(id)} />
            <Button label={DEVELOPERS.rotate} onClick={() => setAsked({ kind: 'rotate', id, url })} />
            <Button
              label={enabled ? DEVELOPERS.disable : DEVELOPERS.enable}
              kind="quiet"
              onClick={() => void toggle(id, !enabled)}
            />
            <Button label={DEVELOPERS.remove} kind="danger" onClick={() => setAsked({ kind: 'delete', id, url })} />
          </>
        )}
      </div>
    ),
  };
  return (
    <>
      <Table name={DEVELOPERS.SECTIONS.webhooks} columns={[...COLUMNS, buttons]} rows={rows} keyOf={({ id }) => id} />
      {shown && <Deliveries key={shown.id} webhook={shown} version={version} />}
      {asked?.kind === 'rotate' && <Rotate asked={asked} onClose={close} onConfirm={rotate} />}
      {asked?.kind === 'delete' && (
        <Confirm title={DEVELOPERS.remove} onClose={close} onConfirm={() => remove(asked.id)}>
          <p>
            <bdi>{DEVELOPERS.removeAdvice(asked.url)}</bdi>
          </p>
        </Confirm>
      )}
      {secret !== undefined && (
        <Dialog title={DEVELOPERS.newSecret} onClose={() => setSecret(undefined)}>
          <Secret secret={secret} />
          <p class="hint">{DEVELOPERS.newSecretAdvice}</p>
        </Dialog>
      )}
    </>
  );
}

interface RotateProps {
  readonly asked: Asked;
  readonly onClose: () => void;
  readonly onConfirm: (id: string) => Promise<void>;
}

/** A second rotation ends the oldest secret, which is the receiver's if the response to the first one was lost. */
function Rotate({ asked: { id, url }, onClose, onConfirm }: RotateProps) {
  const [isLost, setLost] = useState(false);
  async function rotate(): Promise<void> {
    try {
      await onConfirm(id);
    } catch (error) {
      setLost(isLost || isUnanswered(error));
      throw error;
    }
  }
  return (
    <Confirm title={DEVELOPERS.rotate} onClose={onClose} onConfirm={rotate}>
      <p>
        <bdi>{DEVELOPERS.rotateAdvice(url)}</bdi>
      </p>
      {isLost && <p>{DEVELOPERS.rotationLost}</p>}
    </Confirm>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  {
    id: 'url',
    name: DEVELOPERS.url,
    onPhone: 'name',
    cell: ({ attributes: { url, events } }) => (
      <>
        <bdi>{url}</bdi>
        <span class="person-line">{events.join(', ')}</span>
      </>
    ),
  },
  { id: 'state', name: COMMON.state, onPhone: 'key', cell: ({ attributes }) => <State {...attributes} /> },
];

function State({ enabled, disabled_reason, failing_since }: Webhook['attributes']) {
  if (enabled) {
    return failing_since === null ? (
      <span class="badge good">{DEVELOPERS.enabled}</span>
    ) : (
      <span class="badge warn">{DEVELOPERS.failingSince(formatDate(failing_since))}</span>
    );
  }
  switch (disabled_reason) {
    case 'gone':
      return <span class="bad">{DEVELOPERS.gone}</span>;
    case 'failing':
      return <span class="bad">{DEVELOPERS.failedTooLong}</span>;
    default:
      return <span class="badge">{DEVELOPERS.disabled}</span>;
  }
}
