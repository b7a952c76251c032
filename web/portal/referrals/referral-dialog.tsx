import { Dialog } from '../../kit/controls.tsx';
import { formatDate, formatPercentage } from '../../kit/format.ts';
import { readyOf, Skeleton, useLoaded, ViewProblem, WhenReady } from '../../kit/status.tsx';
import { Pager, Table, usePages } from '../../kit/table.tsx';
import * as COMMON from '../../words/common.ts';
import * as ACCOUNT from '../../words/portal/account.ts';
import * as EARNINGS from '../../words/portal/earnings.ts';
import * as WORDS from '../../words/portal/referrals.ts';
import { DATE, EARNED, type Entry, KIND, PAYMENT } from '../earnings/entry-columns.tsx';
import { api, readRules } from '../service.ts';
import { type Referral, signedUpOf, sourceOf, stateOf } from './cells.tsx';

interface ReferralDialogProps {
  readonly referral: Referral;
  readonly onClose: () => void;
}

/** A referral with everything that it earned. */
export function ReferralDialog({ referral, onClose }: ReferralDialogProps) {
  const commission = useTerms(referral);
  const pages = usePages(
    async (cursor, signal) => {
      const query = { referral_id_eq: referral.id, per_page: 25, cursor };
      const { body, next } = await api.send('get', '/v2/affiliate/ledger', { query, signal });
      return { rows: body.data, next };
    },
    [referral.id],
  );
  const facts = [
    [WORDS.state, stateOf(referral)],
    [WORDS.signedUp, signedUpOf(referral)],
    [WORDS.source, sourceOf(referral)],
    [WORDS.commission, commission],
  ] as const;
  return (
    <Dialog title={referral.attributes.email ?? WORDS.noEmail} onClose={onClose}>
      <div class="form">
        <ViewProblem />
        <dl class="terms">
          {facts.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <h3>{EARNINGS.entries}</h3>
        <WhenReady loaded={pages.list} skeleton={<Skeleton lines={2} height={2.5} />}>
          {({ rows, next }) => (
            <>
              <Table
                name={EARNINGS.entries}
                columns={COLUMNS}
                rows={rows}
                keyOf={({ id }: Entry) => id}
                empty={<p class="empty">{EARNINGS.noEntries}</p>}
              />
              <Pager pages={pages} next={next} />
            </>
          )}
        </WhenReady>
      </div>
    </Dialog>
  );
}

const COLUMNS = [{ ...DATE, onPhone: 'name' }, KIND, PAYMENT, EARNED] as const;

/** What the referral earns, and until when. */
function useTerms({ attributes }: Referral): string {
  const { commission_percentage: rate, commission_rules_id: id, commission_end_date: end } = attributes;
  const [rules] = useLoaded((signal) => readRules(id, signal), [id]);
  if (id !== null) return readyOf(rules)?.value ?? COMMON.unknown;
  const sentence = rate === null ? '–' : ACCOUNT.rate(formatPercentage(rate), null);
  return end === null ? sentence : WORDS.until(sentence, formatDate(end));
}
