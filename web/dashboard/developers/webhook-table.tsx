import { useState } from 'preact/hooks';

import { Dialog } from '../../kit/dialog.tsx';
import { formatDate } from '../../kit/format.ts';
import { type Column, Table } from '../../kit/table.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { useActions } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Deliveries, reasonOf } from './deliveries.tsx';
import { Secret } from './new-webhook.tsx';
import type { Webhook } from './webhook.ts';

interface WebhookTableProps {
  readonly rows: readonly Webhook[];
  readonly onChanged: () => void;
}

/** The webhooks, what the merchant can do about each, and the deliveries of one of them. */
export function WebhookTable({ rows, onChanged }: WebhookTableProps) {
  const { api, can } = useDashboard();
  const { run, report } = useActions();
  const [chosen, setChosen] = useState<string>();
  const [secret, setSecret] = useState<string>();
  const shown = rows.find(({ id }) => id === chosen) ?? rows[0];

  const test = (id: string) =>
    run(async () => {
      const { data } = (await api.send('post', '/v2/webhooks/{id}/test', { params: { id } })).body;
      const { status, reason } = data.attributes;
      return status === null ? DEVELOPERS.testFailed(reasonOf(reason)) : DEVELOPERS.testArrived(status);
    });
  const rotate = (id: string) =>
    run(async () => {
      const { data } = (await api.send('post', '/v2/webhooks/{id}/rotate', { params: { id } })).body;
      setSecret(data.attributes.secret);
      return '';
    });
  const enable = (id: string, enabled: boolean) =>
    run(async () => {
      await api.send('patch', '/v2/webhooks/{id}', { params: { id }, body: { enabled } });
      onChanged();
      return enabled ? DEVELOPERS.enabledNow : DEVELOPERS.disabledNow;
    });

  const buttons: Column<Webhook> = {
    name: DEVELOPERS.actions,
    cell: ({ id, attributes: { enabled } }) => (
      <div class="buttons row">
        <button type="button" aria-pressed={id === shown?.id} onClick={() => setChosen(id)}>
          {DEVELOPERS.showDeliveries}
        </button>
        {can('admin') && (
          <>
            <button type="button" onClick={() => void test(id)}>
              {DEVELOPERS.sendTest}
            </button>
            <button type="button" onClick={() => void rotate(id)}>
              {DEVELOPERS.rotate}
            </button>
            <button type="button" class="quiet" onClick={() => void enable(id, !enabled)}>
              {enabled ? DEVELOPERS.disable : DEVELOPERS.enable}
            </button>
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
      {secret !== undefined && (
        <Dialog title={DEVELOPERS.newSecret} onClose={() => setSecret(undefined)}>
          <Secret secret={secret} />
          <p class="hint">{DEVELOPERS.newSecretAdvice}</p>
        </Dialog>
      )}
    </>
  );
}

const COLUMNS: readonly Column<Webhook>[] = [
  { name: DEVELOPERS.url, cell: ({ attributes: { url } }) => <bdi>{url}</bdi> },
  { name: DEVELOPERS.events, cell: ({ attributes: { events } }) => events.join(', ') },
  { name: DEVELOPERS.state, cell: ({ attributes }) => <State {...attributes} /> },
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
