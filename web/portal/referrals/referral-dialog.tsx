import { text } from '../../kit/columns.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { formatDate, formatPercentage } from '../../kit/format.ts';
import { List } from '../../kit/list.tsx';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { usePages } from '../../kit/pages.ts';
import * as COMMON from '../../words/common.ts';
import * as ACCOUNT from '../../words/portal/account.ts';
import * as EARNINGS from '../../words/portal/earnings.ts';
import * as WORDS from '../../words/portal/referrals.ts';
import { dateOf, ENTRY_COLUMNS } from '../earnings/entry-columns.tsx';
import { readEntries } from '../earnings/ledger.ts';
import { readRules } from '../service.ts';
import { Terms } from '../terms.tsx';
import { type Referral, signedUpOf, sourceOf, stateOf } from './cells.tsx';

interface ReferralDialogProps {
  readonly referral: Referral;
  readonly onClose: () => void;
}

/** A referral with everything that it earned. */
export function ReferralDialog({ referral, onClose }: ReferralDialogProps) {
  const commission = useTerms(referral);
  const pages = usePages((cursor, signal) => readEntries({ referral_id_eq: referral.id, cursor }, signal), []);
  return (
    <Dialog title={referral.attributes.email ?? WORDS.noEmail} onClose={onClose}>
      <div class="form">
        <Terms
          terms={[
            [COMMON.state, stateOf(referral)],
            [WORDS.signedUp, signedUpOf(referral)],
            [WORDS.source, sourceOf(referral)],
            [WORDS.commission, referral.attributes.state === 'rejected' ? WORDS.rejected : commission],
          ]}
        />
        <h3>{EARNINGS.entries}</h3>
        <List
          lines={4}
          height={2.5}
          name={EARNINGS.entries}
          pages={pages}
          columns={COLUMNS}
          empty={EARNINGS.noEntries}
        />
      </div>
    </Dialog>
  );
}

const COLUMNS = [text(COMMON.date, dateOf, 'name'), ...ENTRY_COLUMNS];

/** What the referral earns, and until when. */
function useTerms({ attributes }: Referral): string {
  const { commission_percentage: rate, commission_rules_id: id, commission_end_date: end } = attributes;
  const [rules] = useLoaded((signal) => readRules(id, signal), [id]);
  if (id !== null) return readyOf(rules)?.value ?? COMMON.unknown;
  const sentence = rate === null ? '–' : ACCOUNT.rate(formatPercentage(rate), null);
  return end === null ? sentence : WORDS.until(sentence, formatDate(end));
}
