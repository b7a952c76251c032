import type { Schemas } from '../../kit/api.ts';
import { type Column, number, text } from '../../kit/columns.ts';
import { amountOf, commissionOf, noteOf } from '../../kit/entries.ts';
import { formatDate } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { pageOf, usePages } from '../../kit/pages.ts';
import * as COMMON from '../../words/common.ts';
import * as ADVOCATES from '../../words/dashboard/advocates.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { hrefOf } from '../router.ts';
import { fourApi } from './four-api.ts';

/** What an advocate earned and was paid, newest first. */
export function Entries({ slug }: { readonly slug: string }) {
  const pages = usePages(
    (cursor, signal) => pageOf(fourApi.send('get', '/v2/ledger', { query: { affiliate_slug: slug, cursor }, signal })),
    [slug],
  );
  return <List name={ADVOCATES.entries} pages={pages} lines={5} columns={COLUMNS} empty={ADVOCATES.noEntries} />;
}

const COLUMNS: readonly Column<Schemas['Entry']>[] = [
  text(
    ADVOCATES.what,
    ({ attributes: { kind, referral_id } }) =>
      referral_id === null ? COMMON.kinds[kind] : <a href={hrefOf('referrals', referral_id)}>{COMMON.kinds[kind]}</a>,
    'name',
  ),
  text(COMMON.date, ({ attributes: { occurred_at } }) => formatDate(occurred_at), 'below'),
  text(
    COMMON.note,
    (entry) => <bdi>{[noteOf(entry), entry.attributes.reference].filter(Boolean).join(' · ')}</bdi>,
    'below',
  ),
  number(COMMON.amount, amountOf),
  number(REFERRALS.commission, commissionOf, 'key'),
];
