import { useId } from 'preact/hooks';
import { type Column, text } from '../../kit/columns.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { formatDateAndTime } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { Table } from '../../kit/table.tsx';
import { Skeleton, WhenReady } from '../../kit/when-ready.tsx';
import * as COMMON from '../../words/common.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { Explanation } from '../explanation.tsx';
import { api } from '../service.ts';
import type { ReferralDetails } from './columns.tsx';
import { Details } from './details.tsx';
import { Entries } from './entries.tsx';

type HistoryEntry = ReferralDetails['attributes']['history'][number];

/** One referral beside the list. Its parts are read at the same time. */
export function Drawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const why = useId();
  const [loaded] = useLoaded(
    async (signal) =>
      (await api.send('post', '/v2/referrals/lookup', { body: { id }, signal, isRepeatable: true })).body.data,
    [id],
  );
  const referral = readyOf(loaded)?.value;
  const [lost] = referral?.attributes.history.flatMap((entry) => (entry.type === 'state' && entry.lost) || []) ?? [];
  return (
    <Dialog title={REFERRALS.referral} onClose={onClose} shape="drawer">
      <div class="drawer-content">
        <WhenReady loaded={loaded} skeleton={<Skeleton lines={6} height={2.5} />}>
          {(found) => <Details referral={found} />}
        </WhenReady>
        <section aria-labelledby={why}>
          <h3 id={why}>{REFERRALS.why}</h3>
          <Explanation about={{ id }} isOfCredit>
            {referral && lost !== undefined && <Lost slug={lost} {...referral} />}
          </Explanation>
        </section>
        <Entries id={id} loaded={loaded} />
        <WhenReady loaded={loaded} skeleton={<Skeleton lines={3} height={2} />}>
          {(found) => <History referral={found} />}
        </WhenReady>
      </div>
    </Dialog>
  );
}

const isState = (name: 'clicked' | 'converted') => (entry: HistoryEntry) =>
  entry.type === 'state' && entry.state === name;

interface LostProps {
  /** The advocate of the other link or code. */
  readonly slug: string;
  readonly attributes: ReferralDetails['attributes'];
}

/** Says whom another link or code of the customer would have credited, and why it did not. */
function Lost({ slug, attributes: { credited_by: by, history } }: LostProps) {
  const [loaded] = useLoaded(
    async (signal) => (await api.send('get', '/v2/codes', { query: { affiliate_slug: slug }, signal })).body.data,
    [slug],
  );
  const codes = readyOf(loaded)?.value;
  if (!codes) return null;
  const isNamed = by === 'slug';
  // A link loses to a code only, so what lost to a link was a code.
  const isCode = isNamed ? !history.some(isState('clicked')) : by !== 'code';
  const code = isCode && codes.length === 1 ? codes[0]?.attributes.code : undefined;
  return (
    <p>
      <bdi>{REFERRALS.lost(slug, code)}</bdi>{' '}
      {isNamed ? REFERRALS.named : by === 'code' ? REFERRALS.codesFirst : REFERRALS.linksFirst}
    </p>
  );
}

/** What happened since the sign-up, the latest first: what led to it stands above. */
function History({ referral }: { readonly referral: ReferralDetails }) {
  const { history } = referral.attributes;
  const signUp = history.findIndex(isState('converted'));
  const rows = history
    .map((entry, index) => ({ entry, index }))
    .filter(({ entry, index }) => index !== signUp && !isState('clicked')(entry));
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{REFERRALS.history}</h3>
      <Table name={REFERRALS.history} columns={COLUMNS} rows={rows.toReversed()} keyOf={({ index }) => String(index)} />
    </section>
  );
}

const COLUMNS: readonly Column<{ readonly entry: HistoryEntry; readonly index: number }>[] = [
  text(REFERRALS.what, ({ entry }) => <bdi>{describe(entry)}</bdi>, 'name'),
  text(REFERRALS.by, ({ entry }) => REFERRALS.ACTORS[entry.by] ?? entry.by, 'below'),
  text(COMMON.date, ({ entry }) => formatDateAndTime(entry.set_at), 'below'),
];

function describe(entry: HistoryEntry): string {
  switch (entry.type) {
    case 'state':
      return COMMON.states[entry.state];
    case 'reassignment':
      return REFERRALS.moved(entry.from, entry.to);
    case 'erasure':
      return REFERRALS.wasErased;
  }
}
