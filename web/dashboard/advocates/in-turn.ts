type InTurn = <Value>(run: () => Promise<Value>) => Promise<Value>;

/** Returns a function that runs something, at most four at a time. Others wait in turn. */
export function fourInTurn(): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running < 4) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** Runs something for each item, at most four at a time. It begins nothing more once `isOver` returns true. */
export async function fourAtATime<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
  isOver = () => false,
): Promise<void> {
  const inTurn = fourInTurn();
  await Promise.all(items.map((item) => inTurn(async () => isOver() || run(item))));
}
