import * as COMMON from '../words/common.ts';
import type { Schemas } from './api.ts';
import { formatMoney } from './format.ts';

type Entry = Schemas['Entry'];

/** Why a payment earned nothing, or what somebody wrote about an entry. A reason of a later version stays as it is. */
export const noteOf = ({ attributes: { kind, note } }: Entry): string | null =>
  kind === 'payment' && note !== null ? (COMMON.notes[note] ?? note) : note;

export const amountOf = ({ attributes: { amount, currency } }: Entry): string =>
  amount === null ? COMMON.noAmount : formatMoney(amount, currency);

export const commissionOf = ({ attributes: { commission, currency } }: Entry): string =>
  formatMoney(commission, currency);
