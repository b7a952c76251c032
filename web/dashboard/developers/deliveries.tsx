import { useId } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/controls.tsx';
import { formatDateAndTime, formatNumber } from '../../kit/format.ts';
import { Skeleton, WhenReady } from '../../kit/status.tsx';
import { type Column, Pager, Table, usePages } from '../../kit/table.tsx';
import { tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { useDashboard } from '../router.ts';
import type { Webhook } from './new-webhook.tsx';

type Delivery = Schemas['Delivery'];

/** Why a delivery failed, as the end of a sentence. */
export function reasonOf(reason: Delivery['attributes']['reason']): string {
  return reason === null ? DEVELOPERS.REASONS.unknown : DEVELOPERS.REASONS[reason];
}

export function useDeliveries(id: string) {
  const { api } = useDashboard();
  return usePages(
    async (cursor, signal) => {
      const query = { per_page: 10, cursor };
      const { body, next } = await api.send('get', '/v2/webhooks/{id}/deliveries', { params: { id }, query, signal });
      return { rows: body.data, next };
    },
    [id],
  );
}

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly pages: ReturnType<typeof useDeliveries>;
}

export function Deliveries({ webhook: { id, attributes }, pages }: DeliveriesProps) {
  const heading = useId();
  const { api, can } = useDashboard();
  const resend = (event_id: string) =>
    void tried(async () => {
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
      <WhenReady loaded={pages.list} skeleton={<Skeleton lines={4} height={1.75} />}>
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
    </section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  { id: 'event', name: DEVELOPERS.event, onPhone: 'name', cell: ({ attributes: { event } }) => event },
  { id: 'result', name: COMMON.result, onPhone: 'key', cell: ({ attributes }) => <Result {...attributes} /> },
  {
    id: 'attempt',
    name: DEVELOPERS.attempt,
    isNumber: true,
    cell: ({ attributes: { attempt } }) => formatNumber(attempt),
  },
  {
    id: 'duration',
    name: COMMON.duration,
    isNumber: true,
    cell: ({ attributes: { duration_ms } }) => `${formatNumber(duration_ms)} ms`,
  },
  {
    id: 'time',
    name: DEVELOPERS.time,
    onPhone: 'below',
    cell: ({ attributes: { created_at } }) => formatDateAndTime(created_at),
  },
];

function Result({ status, reason }: Delivery['attributes']) {
  if (status === null) return <span class="bad">{reasonOf(reason)}</span>;
  return <span class={status >= 200 && status < 300 ? 'badge good' : 'badge bad'}>{status}</span>;
}

const buttonOf = (onResend: (eventId: string) => void): Column<Delivery> => ({
  id: 'actions',
  name: COMMON.actions,
  onPhone: 'below',
  cell: ({ attributes: { event_id } }) => (
    <div class="buttons row">
      <Button label={DEVELOPERS.resend} onClick={() => onResend(event_id)} />
    </div>
  ),
});
