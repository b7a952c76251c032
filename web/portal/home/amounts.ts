import type { Schemas } from '../../kit/api.ts';
import { currenciesOf } from '../../kit/measures.ts';

type Sums = Schemas['Statement']['attributes']['currencies'][number];
type Total = Schemas['Statistics']['attributes']['total'];

/** What an advocate has in one currency, now and in total. */
export interface Amounts {
  readonly currency: string;
  /** May be negative, after a refund or a payout of more than was due. */
  readonly payable: number;
  readonly onHold: number;
  readonly earned: number;
  readonly paid: number;
}

/** Joins the sums of this month and the lifetime totals, the currency with the largest revenue first. */
export function amountsOf(sums: readonly Sums[], total: Total): Amounts[] {
  const codes = new Set([...currenciesOf([{ ...total, key: '' }]), ...sums.map(({ currency }) => currency)]);
  return [...codes].map((currency) => {
    const { closing = 0, payable = 0 } = sums.find((each) => each.currency === currency) ?? {};
    const money = total.money.find((each) => each.currency === currency);
    const { commissions = 0, adjustments = 0, settled = 0 } = money ?? {};
    return { currency, payable, onHold: closing - payable, earned: commissions + adjustments, paid: settled };
  });
}
