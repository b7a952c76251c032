import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Customer } from '../../../functions/domain/referral/referral.ts';
import type { State } from '../../../functions/domain/referral/state.ts';
import { PAIRS, type Situation, stateOf, wasConverted } from '../../support/transitions.ts';

export const DAY = 24 * 60 * 60;
export const ATTRIBUTION_DAYS = 10;
const RETENTION_DAYS = 7;

export interface Conversion {
  readonly advocate: number;
  readonly customer: Customer;
  readonly key: string | undefined;
}

/** A referral in the model. */
export interface Row {
  readonly id: string;
  advocate: number;
  readonly day: number;
  situation: Situation;
  customer: Customer;
  key: string | undefined;
  readonly history: State[];
  /** The advocates to which it was moved, oldest first. */
  readonly moves: number[];
}

const NO_CUSTOMER: Customer = { email: null, uid: null };

/** An in-memory model of the rules for a program with two advocates. */
export class Model {
  readonly advocates: { item: Advocate; active: boolean }[];
  readonly rows: Row[] = [];
  readonly records = new Map<string, { input: string; id: string; day: number }>();
  day = 0;

  constructor(advocates: readonly Advocate[]) {
    this.advocates = advocates.map((item) => ({ item, active: true }));
  }

  /** The rows that started as clicks, in creation order. */
  get clicks(): Row[] {
    return this.rows.filter(({ history }) => history[0] === 'clicked');
  }

  click(id: string, advocate: number): void {
    this.rows.push(this.#row(id, advocate, 'clicked'));
  }

  /** Returns the id of the referral that a conversion returns, or the error code if it is rejected. */
  convert({ advocate, customer, key }: Conversion, clickId: string, newId: string) {
    const input = JSON.stringify([advocate, clickId, customer]);
    const record = key === undefined ? undefined : this.records.get(key);
    if (record && this.day < record.day + RETENTION_DAYS) {
      return record.input === input ? { id: record.id, replayed: true } : 'idempotency_key_reused';
    }
    if (!this.advocates[advocate]?.active) return 'invalid_affiliate_slug';
    if (this.rows.some((row) => isSame(row.customer, customer))) return 'referral_exists';
    const click = this.clicks.find(({ id }) => id === clickId);
    const isUsable =
      click?.situation === 'clicked' && click.advocate === advocate && this.day < click.day + ATTRIBUTION_DAYS;
    const row = isUsable ? click : this.#row(newId, advocate);
    if (!isUsable) this.rows.push(row);
    row.history.push('converted');
    Object.assign(row, { situation: 'converted', customer, key });
    if (key !== undefined) this.records.set(key, { input, id: row.id, day: this.day });
    return { id: row.id, replayed: false };
  }

  /** Returns the resulting state, or the error code if the change is rejected. */
  set(row: Row, to: State): State | 'state_refused' {
    const outcome = PAIRS.find((pair) => pair.from === row.situation && pair.to === to)?.outcome;
    if (outcome === 'refused') return 'state_refused';
    if (outcome === 'set') {
      row.situation = to === 'rejected' && !wasConverted(row.situation) ? 'rejected as a click' : to;
      row.history.push(to);
    }
    return stateOf(row.situation);
  }

  /** Returns the advocate to which a referral belongs afterwards, or the error code if the move is rejected. */
  move(row: Row, advocate: number): number | 'invalid_affiliate_slug' | 'not_converted' {
    if (!this.advocates[advocate]?.active) return 'invalid_affiliate_slug';
    if (!wasConverted(row.situation)) return 'not_converted';
    if (row.advocate !== advocate) row.moves.push(advocate);
    row.advocate = advocate;
    return advocate;
  }

  erase(row: Row): void {
    if (row.key !== undefined && this.records.get(row.key)?.id === row.id) this.records.delete(row.key);
    Object.assign(row, { customer: NO_CUSTOMER, key: undefined });
  }

  #row(id: string, advocate: number, ...history: ['clicked'] | []): Row {
    const situation = history[0] ?? 'converted';
    return { id, advocate, day: this.day, situation, customer: NO_CUSTOMER, key: undefined, history, moves: [] };
  }
}

function isSame(one: Customer, other: Customer): boolean {
  return (one.email !== null && one.email === other.email) || (one.uid !== null && one.uid === other.uid);
}
