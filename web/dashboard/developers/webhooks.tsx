import { useState } from 'preact/hooks';
import { ApiError } from '../../kit/api-error.ts';
import { Button, Card, Dialog } from '../../kit/controls.tsx';
import { formatDate } from '../../kit/format.ts';
import { readyOf, Skeleton, useLoaded, WhenReady } from '../../kit/status.tsx';
import { type Column, Table } from '../../kit/table.tsx';
import { COMMON } from '../../words/common.ts';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { Confirm, isUnanswered, useActions } from '../form-dialog.tsx';
import { useDashboard } from '../router.ts';
import { Deliveries, NewWebhook, reasonOf, Secret, type Webhook } from './deliveries.tsx';

export function Webhooks() {
  const { api, can } = useDashboard();
  const [isAdding, setAdding] = useState(false);
  const [list, reload] = useLoaded(async (signal) => (await api.send('get', '/v2/webhooks', { signal })).body.data, []);
  const add = can('admin') && readyOf(list) && (
    <Button label={DEVELOPERS.addWebhook} kind="primary" onClick={() => setAdding(true)} />
  );
  return (
    <Card title={DEVELOPERS.webhooks} advice={DEVELOPERS.webhooksAdvice} beside={add}>
      {list.kind === 'failed' && list.error.status === 404 ? (
        <p class="empty">{list.error.message}</p>
      ) : (
        <WhenReady loaded={list} onRetry={reload} skeleton={<Skeleton lines={3} height={2} />}>
          {(rows) => (
            <>
              {rows.length > 0 ? (
                <WebhookTable rows={rows} onChanged={reload} />
              ) : (
                <p class="empty">{DEVELOPERS.noWebhooks}</p>
              )}
              {isAdding && (
                <NewWebhook known={rows.map((row) => row.id)} onClose={() => setAdding(false)} onCreated={reload} />
              )}
            </>
          )}
        </WhenReady>
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
  const { run, finish, report } = useActions();
  const [asked, setAsked] = useState<Asked>();
  const [chosen, setChosen] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const shown = rows.find(({ id }) => id === chosen) ?? rows[0];

  const test = (id: string) =>
    run(async () => {
      const { data } = (await api.send('post', '/v2/webhooks/{id}/test', { params: { id } })).body;
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
    finish(DEVELOPERS.deleted);
  }
  const enable = (id: string, enabled: boolean) =>
    run(async () => {
      await api.send('patch', '/v2/webhooks/{id}', { params: { id }, body: { enabled } });
      onChanged();
      return enabled ? DEVELOPERS.enabledNow : DEVELOPERS.disabledNow;
    });

  const close = () => setAsked(undefined);

  const buttons: Column<Webhook> = {
    name: COMMON.actions,
    cell: ({ id, attributes: { url, enabled } }) => (
      <div class="buttons row">
        <Button label={DEVELOPERS.showDeliveries} aria-pressed={id === shown?.id} onClick={() => setChosen(id)} />
        {can('admin') && (
          <>
            <Button label={DEVELOPERS.sendTest} onClick={() => void test(id)} />
            <Button label={DEVELOPERS.rotate} onClick={() => setAsked({ kind: 'rotate', id, url })} />
            <Button
              label={enabled ? DEVELOPERS.disable : DEVELOPERS.enable}
              kind="quiet"
              onClick={() => void enable(id, !enabled)}
            />
            <Button label={DEVELOPERS.delete} kind="danger" onClick={() => setAsked({ kind: 'delete', id, url })} />
          </>
        )}
      </div>
    ),
  };
  return (
    <>
      <Table name={DEVELOPERS.webhooks} columns={[...COLUMNS, buttons]} rows={rows} keyOf={({ id }) => id} />
      {report}
      {shown && <Deliveries key={shown.id} webhook={shown} />}
      {asked?.kind === 'rotate' && <Rotate asked={asked} onClose={close} onConfirm={rotate} />}
      {asked?.kind === 'delete' && (
        <Confirm title={DEVELOPERS.delete} onClose={close} onConfirm={() => remove(asked.id)}>
          <p>
            <bdi>{DEVELOPERS.deleteAdvice(asked.url)}</bdi>
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
  { name: DEVELOPERS.url, cell: ({ attributes: { url } }) => <bdi>{url}</bdi> },
  { name: DEVELOPERS.events, cell: ({ attributes: { events } }) => events.join(', ') },
  { name: COMMON.state, cell: ({ attributes }) => <State {...attributes} /> },
];

function State({ enabled, disabled_reason, failing_since }: Webhook['attributes']) {
  const { states } = DEVELOPERS;
  if (enabled) {
    return failing_since === null ? (
      <span class="badge good">{states.enabled}</span>
    ) : (
      <span class="badge warn">{states.failing(formatDate(failing_since))}</span>
    );
  }
  switch (disabled_reason) {
    case 'gone':
      return <span class="bad">{states.gone}</span>;
    case 'failing':
      return <span class="bad">{states.failedTooLong}</span>;
    default:
      return <span class="badge">{states.merchant}</span>;
  }
}
