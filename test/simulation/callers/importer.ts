import { rfc3339 } from '../../../functions/kernel/time.ts';
import type { Shop } from '../shops.ts';
import { type CallerContext, isExpected, post, shopOf, untilFinal } from './caller.ts';

const MOST_PAYMENTS = 12;

/** An operator who imports files of advocates, referrals and payments, and repeats each import that was killed. */
export async function importer(context: CallerContext): Promise<void> {
  const { world, isOver, name } = context;
  for (let number = 1; !isOver(); number += 1) {
    await importFiles(context, shopOf(context), `${name}-${number}`);
    await world.pause(world.chance.below(60_000));
  }
}

async function importFiles(context: CallerContext, shop: Shop, name: string): Promise<void> {
  const { world, knowledge } = context;
  const { chance } = world;
  const slugs = Array.from({ length: 1 + chance.below(4) }, (_, index) => `${name}-${index}`);
  const advocates = slugs.map((slug) => `${slug},${slug}@partner.example,${slug},${shop.mark}`);
  await importAll(context, shop, 'advocate', ['slug,email,uid,company', ...advocates]);
  for (const slug of slugs) {
    knowledge.ownAdvocates.push({ shop, slug, fields: { uid: slug, company: shop.mark, active: true }, busy: false });
  }

  const time = rfc3339(Math.floor(world.now() / 1000) - 3600);
  const size = 5 + chance.below(80);
  const referrals = Array.from({ length: size }, (_, index) => {
    const state = chance.pick(['converted', 'paid', 'churned', 'rejected', 'clicked'] as const);
    const email = state === 'clicked' ? '' : `${name}-${index}~@customer.example`;
    const uid = state === 'clicked' || chance.happens(0.5) ? '' : `${name}-${index}~`;
    const slug = chance.pick([...slugs, ...shop.advocates.map((advocate) => advocate.slug)]);
    return { slug, email, uid, state, line: [slug, email, uid, state, name, time].join() };
  });
  // Lines of clicks may be equal: each is a click of its own.
  const lines = referrals.map(({ line }) => line);
  await importAll(context, shop, 'referral', ['advocate_slug,email,uid,state,sub_id,created_at', ...lines]);
  await importPayments(
    context,
    shop,
    name,
    referrals.flatMap(({ email, state }) => (state === 'clicked' ? [] : [email])),
  );
  const clicks = referrals.filter(({ state }) => state === 'clicked').length;
  knowledge.imports.set(`${shop.program.id} ${name}`, { rows: size, clicks });

  for (const { email, uid, slug, state } of referrals) {
    if (email === '' || chance.happens(0.8)) continue;
    const request = post(shop, 'lookUpReferral', { email });
    const answer = await untilFinal(context, request);
    if (!isExpected(context, request, answer, [200])) continue;
    const { id } = JSON.parse(answer.body).data;
    knowledge.acknowledged.add(id);
    knowledge.own.push({ shop, id, email, uid: uid || null, slug, state, erased: false, busy: false });
  }
}

/** Imports payments of customers with refunds and settlements; and then with larger refunds, of which it adds the rest. */
async function importPayments(
  context: CallerContext,
  shop: Shop,
  name: string,
  emails: readonly string[],
): Promise<void> {
  const { world, knowledge } = context;
  const { chance } = world;
  const paidAt = rfc3339(Math.floor(world.now() / 1000) - chance.below(100) * 86_400);
  const payments = emails.slice(0, MOST_PAYMENTS).map((email, index) => {
    const amount = 1 + chance.below(100_000);
    const refunded = chance.happens(0.5) ? 0 : chance.below(amount + 1);
    const settled = chance.happens(0.7) ? 0 : 1 + chance.below(1000);
    const commission = chance.happens(0.5) ? '' : String(chance.below(amount));
    return { id: `in-${name}-${index}`, email, amount, refunded, settled, commission };
  });
  const importThem = (refundedOf: (payment: (typeof payments)[number]) => number) => {
    const lines = payments.map((payment) => {
      const { id, email, amount, commission, settled } = payment;
      return [id, email, amount, 'EUR', paidAt, refundedOf(payment), commission, settled].join();
    });
    return importAll(context, shop, 'ledger', [
      'payment_id,email,amount_minor,currency,paid_at,refunded_minor,commission_minor,settled_minor',
      ...lines,
    ]);
  };
  if (payments.length === 0) return;
  await importThem(({ refunded }) => refunded);
  const isRaised = chance.happens(0.3);
  if (isRaised) await importThem(({ amount }) => amount);
  for (const { id, amount, refunded, settled } of payments) {
    knowledge.importedPayments.push({ shop, id, amount, refunded: isRaised ? amount : refunded, settled });
  }
}

/** Imports a file, and then once more, which must find nothing new. */
async function importAll(
  { commandLine, knowledge, world }: CallerContext,
  shop: Shop,
  noun: 'advocate' | 'referral' | 'ledger',
  lines: readonly string[],
): Promise<void> {
  const args = [noun, 'import', '--file', '-'];
  const rows = lines.length - 1;
  for (const isRepeated of world.chance.happens(0.2) ? [false, true] : [false]) {
    const { status, output, errors } = await commandLine.run(shop, args, lines.join('\n'));
    if (status !== 0) {
      knowledge.report('status', `${noun} import ended with ${status}: ${errors}${output}`);
      return;
    }
    const { created, skipped } = JSON.parse(output) as { created: number; skipped: number };
    // Lines that a killed run had imported are skipped.
    if (created + skipped !== rows || (isRepeated && created > 0)) {
      knowledge.report('acknowledged', `${noun} import of ${rows} lines reported ${output}`);
    }
  }
}
