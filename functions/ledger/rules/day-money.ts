import type { MoneyKind } from '../../kernel/accounts/rules/totals.ts';
import type { Entry } from './entry-fields.ts';

/** Returns what an entry adds to the money of its day, in the smallest unit of its currency, without zeros. */
export function addedTo({ kind, amount, commission }: Entry): [kind: MoneyKind, amount: number][] {
  return addends().filter(([, added]) => added !== 0);

  function addends(): [MoneyKind, number][] {
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
}
