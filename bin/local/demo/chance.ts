import { derivedRandom, type Random, uuidv7 } from '../../../functions/kernel/ids.ts';
import { milliseconds, type Seconds } from '../../../functions/kernel/time.ts';

/** Chance that repeats: the same seed gives the same numbers, decks and ids. */
export class Chance {
  readonly random: Random;

  constructor(seed: string) {
    this.random = derivedRandom(seed);
  }

  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    return Buffer.from(this.random(6)).readUIntBE(0, 6) % limit;
  }

  /**
   * Returns a function that deals the cards of a deck, and shuffles the deck again when it is empty: the order is chance,
   * but the shares are exact, so that no day of a start is far from the average.
   */
  deck<Card>(cards: readonly [Card, ...Card[]]): () => Card {
    const [first] = cards;
    let pile: Card[] = [];
    return () => {
      if (pile.length === 0) pile = this.#shuffled(cards);
      return pile.pop() ?? first;
    };
  }

  /** Returns a deck of `size` cards, of which `hits` are true. */
  share(hits: number, size: number): () => boolean {
    return this.deck([hits > 0, ...Array.from({ length: size - 1 }, (_, index) => index + 1 < hits)]);
  }

  /** Returns one of several values by their weights. Throws `RangeError` without a weight. */
  weighted<Value extends { readonly weight: number }>(values: readonly Value[]): Value {
    let left = this.below(values.reduce((sum, { weight }) => sum + weight, 0) || 1);
    const chosen = values.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (!chosen) throw new RangeError('No value has a weight.');
    return chosen;
  }

  idAt(second: Seconds): string {
    return uuidv7(milliseconds(second * 1000), this.random);
  }

  #shuffled<Card>(cards: readonly Card[]): Card[] {
    const order = cards.map((card) => ({ card, rank: this.below(2 ** 32) }));
    return order.sort((one, other) => one.rank - other.rank).map(({ card }) => card);
  }
}

/** Rounds a growing sum to whole numbers, so that what was taken never differs by 1 from the exact sum. */
export class Quota {
  #sum = 0;
  #taken = 0;

  /** Returns how many to take. `already` were taken elsewhere. */
  add(expected: number, already = 0): number {
    this.#sum += expected;
    this.#taken += already;
    const count = Math.max(0, Math.round(this.#sum) - this.#taken);
    this.#taken += count;
    return count;
  }
}
