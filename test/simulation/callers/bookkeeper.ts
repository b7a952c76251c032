import type { Shop } from '../shops.ts';
import { type CallerContext, shopOf } from './caller.ts';
import { run } from './operator.ts';

const CURRENCIES = ['usd', 'eur', 'jpy'] as const;

type Task = (context: CallerContext, shop: Shop, name: string) => Promise<void>;

/** An operator who corrects the ledger, pays advocates, and checks it at the command line. */
export async function bookkeeper(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  const tasks = [voidPayment, voidPayment, adjust, settle, settleAll, settleAll, verify, read];
  for (let number = 1; !isOver(); number += 1) {
    await world.chance.pick(tasks)(context, shopOf(context), `${name}-${number}`);
    await world.pause(world.chance.below(3000));
  }
}

/** Takes back the commission of a payment that Stripe reported. */
const voidPayment: Task = async (context, shop) => {
  const { world, knowledge } = context;
  const known = knowledge.billed.filter((billed) => billed.shop === shop && !billed.busy);
  if (known.length === 0) return;
  const billed = world.chance.pick(known);
  const paymentId = world.chance.pick(billed.oracle.payments()).id;
  billed.busy = true;
  await runTwice(context, shop, ['ledger', 'void', '--payment-id', paymentId, '--note', 'Fraud']);
  billed.voided.add(paymentId);
  billed.busy = false;
};

const adjust: Task = async (context, shop, name) => {
  const { chance } = context.world;
  const { slug } = chance.pick(shop.advocates);
  const options = ['--advocate', slug, '--id', name, '--currency', chance.pick(CURRENCIES), '--note', 'Bonus'];
  // Payout runs need balances above 0.
  const commission = chance.pick([10 ** 12, 5000, -1]);
  await runTwice(context, shop, ['ledger', 'adjust', ...options, `--commission=${commission}`]);
};

const settle: Task = async (context, shop, name) => {
  const { chance } = context.world;
  const { slug } = chance.pick(shop.advocates);
  const options = ['--advocate', slug, '--id', name, '--currency', chance.pick(CURRENCIES), '--amount', '700'];
  await runTwice(context, shop, ['ledger', 'settle', ...options, '--reference', 'TR-1']);
};

/** Runs a command, and once more, which must print the first entry. */
async function runTwice(context: CallerContext, shop: Shop, args: readonly string[]): Promise<void> {
  const { world, knowledge } = context;
  const { status, output } = await run(context, shop, args);
  if (status !== 0 || world.chance.happens(0.7)) return;
  const again = await run(context, shop, args);
  if (again.output !== output) knowledge.report('ledger', `${args.join(' ')} printed ${output}, then ${again.output}`);
}

interface PrintedPayout {
  readonly slug: string;
  readonly amount: number;
  readonly currency: string;
  readonly id: string;
}

/** Pays all advocates, twice: a run has few names, so that several operators start the same one. */
const settleAll: Task = async (context, shop) => {
  const { chance } = context.world;
  const currency = chance.pick(CURRENCIES);
  const options = ['--all', '--run', `run-${chance.below(5)}`, '--currency', currency];
  const args = ['ledger', 'settle', ...options, ...(chance.happens(0.3) ? ['--minimum', '5000'] : [])];
  const runs = chance.happens(0.3) ? [args, args] : [args];
  const all = await Promise.all(runs.map((each) => run(context, shop, each)));
  for (const { output } of all) note(context, shop, output);
  const repeated = await run(context, shop, args);
  if (repeated.status !== 0) return;
  const ids = new Set(note(context, shop, repeated.output));
  const lost = all.flatMap(({ output }) => printed(output)).find(({ id }) => !ids.has(id));
  if (lost) context.knowledge.report('ledger', `A repeated payout run did not print ${lost.id}`);
};

const printed = (output: string): PrintedPayout[] =>
  output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Notes what was paid, which no other run may change. Returns the ids. */
function note({ knowledge }: CallerContext, shop: Shop, output: string): string[] {
  return printed(output).map(({ slug, amount, currency, id }) => {
    const name = `${shop.program.id} ${id}`;
    const paid = `${slug} ${amount} ${currency}`;
    const before = knowledge.payouts.get(name) ?? paid;
    if (before !== paid) knowledge.report('ledger', `The payout ${id} was ${before}, then ${paid}`);
    knowledge.payouts.set(name, before);
    return id;
  });
}

/** Finds no difference, whatever others write at the same time. */
const verify: Task = async (context, shop) => {
  await run(context, shop, ['ledger', 'verify']);
};

const read: Task = async (context, shop) => {
  const { chance, now } = context.world;
  const { slug } = chance.pick(shop.advocates);
  const month = new Date(now()).toISOString().slice(0, 7);
  const args = chance.pick([
    ['statement', '--month', month],
    ['statement', '--month', month, '--advocate', slug],
    ['list', '--advocate', slug],
    ['export', '--kind', 'payment'],
  ]);
  await run(context, shop, ['ledger', ...args]);
};
