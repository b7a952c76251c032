import { useState } from 'preact/hooks';
import { monthsBack } from '../../kit/format.ts';
import { readyOf, useLoaded } from '../../kit/loaded.ts';
import { usePages } from '../../kit/pages.ts';
import { NextPayout } from '../next-payout.tsx';
import { api } from '../service.ts';
import type { ViewProps } from '../view.ts';
import { type OpenPayout, PayoutDialog } from './payout-dialog.tsx';
import { Payouts, readPayouts } from './payouts.tsx';
import { Statements } from './statements.tsx';

/** What is paid to me, and how did it come about? */
export function Earnings({ about }: ViewProps) {
  const payouts = usePages(readPayouts, []);
  const [statements] = useLoaded(async (signal) => {
    const now = Date.now();
    const query = { from: monthsBack(now, 11), to: monthsBack(now, 0) };
    return [(await api.send('get', '/v2/affiliate/statements', { query, signal })).body.data].flat();
  }, []);
  const [opened, setOpened] = useState<OpenPayout>();
  const sums = readyOf(statements)?.value[0]?.attributes.currencies;
  return (
    <>
      <NextPayout about={about} sums={sums} onOpen={setOpened} />
      <Payouts pages={payouts} onOpen={setOpened} />
      {/* Read together, but shown below the payouts only when their number is known: nothing moves. */}
      {payouts.list.kind !== 'loading' && <Statements loaded={statements} />}
      {opened && about && (
        <PayoutDialog payout={opened} holdDays={about.payable_after_days} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
