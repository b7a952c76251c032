import type { MoneyKind } from '../../kernel/accounts/rules/totals.ts';
import type { Entry } from './entry-fields.ts';

type Addition = readonly [kind: MoneyKind, amount: number];

/** Returns what an entry adds to the money of its day, in the smallest unit of its currency, without zeros. */
export function addedTo(entry: Entry): Addition[] {
  return additionsOf(entry).filter(([, amount]) => amount !== 0);
}

function additionsOf({ kind, amount, commission }: Entry): Addition[] {
  switch (kind) {
    case 'payment':
    case 'refund':
    case 'void':
      return [
        ['revenue', amount ?? 0],
        ['commissions', commission],
      ];
    case 'adjustment':
      return [['adjustments', commission]];
    case 'settlement':
      return [['settled', -commission]];
  }
}
