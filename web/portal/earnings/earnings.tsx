import { usePages } from '../../kit/table.tsx';
import { Payouts, readPayouts } from './payouts.tsx';
import { Statements } from './statements.tsx';

/** What was paid to me, and how did it come about? */
export function Earnings() {
  const payouts = usePages(readPayouts, []);
  return (
    <>
      <Payouts pages={payouts} />
      {/* Read together, but shown below the payouts only when their number is known: nothing moves. */}
      <Statements isShown={payouts.list.kind !== 'loading'} />
    </>
  );
}
