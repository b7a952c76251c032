/** Something that continues at a moment. */
export interface Wake {
  readonly at: number;
  /** Separates equal moments, so that their order depends on the seed only. */
  readonly order: number;
  readonly resume: () => void;
}

const isEarlier = (one: Wake, other: Wake) => one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: the earliest one comes first. */
export class Heap {
  readonly #wakes: Wake[] = [];

  push(wake: Wake): void {
    const wakes = this.#wakes;
    let at = wakes.length;
    for (wakes.push(wake); at > 0; ) {
      const above = (at - 1) >> 1;
      const parent = wakes[above];
      if (!parent || isEarlier(parent, wake)) break;
      wakes[at] = parent;
      at = above;
    }
    wakes[at] = wake;
  }

  pop(): Wake | undefined {
    const wakes = this.#wakes;
    const [first] = wakes;
    const last = wakes.pop();
    if (!last || wakes.length === 0) return last;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = wakes[below];
      const right = wakes[below + 1];
      if (child && right && isEarlier(right, child)) {
        child = right;
        below += 1;
      }
      if (!child || isEarlier(last, child)) break;
      wakes[at] = child;
      at = below;
    }
    wakes[at] = last;
    return first;
  }
}
