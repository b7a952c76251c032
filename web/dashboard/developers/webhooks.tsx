import { useId, useState } from 'preact/hooks';
import { readyOf, useLoaded } from '../../kit/load.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { DEVELOPERS } from '../../words/dashboard-developers.ts';
import { useDashboard } from '../context.ts';
import { NewWebhook } from './new-webhook.tsx';
import { WebhookTable } from './webhook-table.tsx';

/** The webhooks of the program with their deliveries. */
export function Webhooks() {
  const id = useId();
  const { api, can } = useDashboard();
  const [isAdding, setAdding] = useState(false);
  const [list, reload] = useLoaded(async (signal) => (await api.send('get', '/v2/webhooks', { signal })).body.data, []);
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <div>
          <h2 id={id}>{DEVELOPERS.webhooks}</h2>
          <p class="soft">{DEVELOPERS.webhooksAdvice}</p>
        </div>
        {can('admin') && readyOf(list) && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            {DEVELOPERS.addWebhook}
          </button>
        )}
      </div>
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
    </section>
  );
}
