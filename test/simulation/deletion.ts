import type { Item } from '../../functions/table/dynamodb/item.ts';
import { programInKey } from '../../functions/table/keys.ts';
import { type CallerContext, isExpected, post } from './callers/caller.ts';
import type { FakeTable } from './fake/table.ts';
import { programOf } from './tenants.ts';

/** Conversions before the deletion, and the longest pause between two later ones, in milliseconds. */
const CONVERSIONS = 10;
const PAUSE = 2000;

/** Deletes the spare program while customers sign up in it. Reports what remains of it once everything is counted. */
export async function deleteSpare(context: Omit<CallerContext, 'index' | 'name'>, table: FakeTable): Promise<void> {
  const { world, commandLine, knowledge, spare } = context;
  const { shop } = spare;
  for (let number = 0; number < CONVERSIONS; number += 1) await convert(context, number);
  let hasEnded = false;
  const converting = async () => {
    for (let number = CONVERSIONS; !hasEnded && (await convert(context, number)); number += 1) {
      await world.pause(world.chance.below(PAUSE));
    }
  };
  const deletion = async () => {
    const { status, errors } = await commandLine.run(shop, ['program', 'delete']);
    hasEnded = true;
    if (status !== 0) knowledge.report('status', `program delete ended with ${status}: ${errors}`);
  };
  await Promise.all([converting(), converting(), deletion()]);
  report(context, table, ({ pk }) => !String(pk).includes('#STATISTICS#'));
}

/** Deletes the statistics that were counted after the deletion. Nothing of the program remains. */
export async function deleteSums(context: Omit<CallerContext, 'index' | 'name'>, table: FakeTable): Promise<void> {
  await context.commandLine.run(context.spare.shop, ['program', 'delete']);
  report(context, table, () => true);
}

/** Reports a customer. Returns false once the program is stopped. */
async function convert(context: Omit<CallerContext, 'index' | 'name'>, number: number): Promise<boolean> {
  const { service, spare } = context;
  const [advocate] = spare.shop.advocates;
  const request = post(spare.shop, 'trackConversionV2', { affiliate_slug: advocate?.slug, uid: `last ${number}~` });
  const response = await service.call(request);
  // The advocate is deleted before the caches forget the token.
  if (response && response.status < 500)
    isExpected({ ...context, index: 0, name: '' }, request, response, [201, 400, 401, 409]);
  return response?.status !== 401;
}

function report(
  { knowledge, spare }: Pick<CallerContext, 'knowledge' | 'spare'>,
  table: FakeTable,
  isWrong: (item: Item) => boolean,
) {
  const { id } = spare.shop.program;
  const remaining = [...table.items.values()].filter(
    (item) => programOf(item) === id || programInKey(String(item['owner'])) === id,
  );
  for (const item of remaining.filter(isWrong).slice(0, 5)) {
    knowledge.report('erased', `The deleted program still has ${item['pk']} ${item['sk']}`);
  }
}
