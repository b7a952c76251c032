import { type CallerContext, click } from './caller.ts';

/** Visitors who follow links and never sign up. */
export async function visitor(context: CallerContext): Promise<void> {
  const { world, shops, isOver } = context;
  while (!isOver()) {
    await click(context, world.chance.pick(shops));
    await world.pause(world.chance.below(500));
  }
}
