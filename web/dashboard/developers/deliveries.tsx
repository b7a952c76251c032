import { useId } from 'preact/hooks';
import type { Schemas } from '../../kit/api.ts';
import { Button } from '../../kit/button.tsx';
import { type Column, number, text } from '../../kit/columns.ts';
import { formatDateAndTime, formatNumber } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { type Pages, pageOf, usePages } from '../../kit/pages.ts';
import { tried } from '../../kit/toast.tsx';
import * as COMMON from '../../words/common.ts';
import * as DEVELOPERS from '../../words/dashboard/developers.ts';
import { useDashboard } from '../router.ts';
import { api } from '../service.ts';
import type { Webhook } from './new-webhook.tsx';

type Delivery = Schemas['Delivery'];

/** Why a delivery failed, as the end of a sentence. */
export function reasonOf(reason: Delivery['attributes']['reason']): string {
  return reason === null ? DEVELOPERS.REASONS.unknown : DEVELOPERS.REASONS[reason];
}

export function useDeliveries(id: string) {
  return usePages(
    (cursor, signal) => {
      const query = { per_page: 10, cursor };
      return pageOf(api.send('get', '/v2/webhooks/{id}/deliveries', { params: { id }, query, signal }));
    },
    [id],
  );
}

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly pages: Pages<Delivery>;
}

export function Deliveries({ webhook: { id, attributes }, pages }: DeliveriesProps) {
  const heading = useId();
  const { can } = useDashboard();
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
      <List
        name={DEVELOPERS.deliveries}
        pages={pages}
        lines={4}
        height={1.75}
        columns={can('admin') ? [...COLUMNS, buttonOf(resend)] : COLUMNS}
        empty={DEVELOPERS.noDeliveries}
      />
    </section>
  );
}

const COLUMNS: readonly Column<Delivery>[] = [
  text(DEVELOPERS.event, ({ attributes: { event } }) => event, 'name'),
  text(COMMON.result, ({ attributes }) => <Result {...attributes} />, 'key'),
  number(DEVELOPERS.attempt, ({ attributes: { attempt } }) => formatNumber(attempt)),
  number(COMMON.duration, ({ attributes: { duration_ms } }) => `${formatNumber(duration_ms)} ms`),
  text(DEVELOPERS.time, ({ attributes: { created_at } }) => formatDateAndTime(created_at), 'below'),
];

function Result({ status, reason }: Delivery['attributes']) {
  if (status === null) return <span class="bad">{reasonOf(reason)}</span>;
  return <span class={status >= 200 && status < 300 ? 'badge good' : 'badge bad'}>{status}</span>;
}

const buttonOf = (onResend: (eventId: string) => void): Column<Delivery> =>
  text(
    COMMON.actions,
    ({ attributes: { event_id } }) => (
      <div class="buttons row">
        <Button label={DEVELOPERS.resend} onClick={() => onResend(event_id)} />
      </div>
    ),
    'below',
  );
