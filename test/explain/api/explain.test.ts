import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { RULES, type Verdict } from '../../../functions/explain/rules/verdicts.ts';
import { type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { updateProgram } from '../../../functions/program/table/program-changes.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { type Connect, DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { aCheckout, anInvoice, SECRET, signedRequest, withSecrets } from '../../support/stripe/stripe.ts';
import { anEmail } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const DAY = 86_400_000;
const ORIGIN = 'https://www.shop.example';
const table = useTable();
let jane: string;
const merchants: Record<
  'rated' | 'unrated' | 'ruled',
  { program: Awaited<ReturnType<typeof aProgram>>; token: string }
> = Object.create(null);
beforeAll(async () => {
  for (const [name, commissionPercentage, commissionRules] of [
    ['rated', 20],
    ['unrated', null],
    ['ruled', 20, [{ amounts: { eur: 2000 } }]],
  ] as const) {
    const created = await aProgram(table, {
      ...{ commissionPercentage, commissionMonths: 12, attributionDays: 30, allowedOrigins: [ORIGIN] },
    });
    const program = commissionRules ? await updateProgram(table, created.id, { commissionRules }) : created;
    jane = (await anAdvocate(table, program, { slug: 'jane', uid: 'partner-1' })).slug;
    await anAdvocate(table, program, { slug: 'omar' });
    await anAdvocate(table, program, { slug: 'idle' });
    await updateAdvocate(table, program.id, 'idle', { active: false });
    merchants[name] = { program, token: await aToken(table, program) };
  }
});

/** Connects a service whose clock the tests advance. Returns what creates a new customer, and calls of the API. */
function useWorlds(connect: Connect) {
  let moment: Milliseconds = milliseconds(Date.now());
  const at = atTime(table, () => moment);
  const send = connect(at, withSecrets([SECRET]));
  // The client would write the JSON anew.
  const sendSigned = sendToHandlers(at, withSecrets([SECRET]));
  const wait = (days: number) => {
    moment = milliseconds(moment + days * DAY);
  };
  return (name: keyof typeof merchants = 'rated') => {
    const { program, token } = merchants[name];
    const call = (operation: OperationId, body: object) => {
      // Each call is in a second of its own.
      wait(1 / 86_400);
      return send({ operation, token, body });
    };
    const explained = async (question: object) =>
      (await send({ operation: 'explainCustomer', token, body: question })).json.data;
    const customer = { email: anEmail(), uid: newId() };
    return {
      ...{ program, token, send, call, explained, customer },
      grId: `${jane}.${newId(Math.floor(moment / 1000))}`,
      code: newId().toUpperCase(),
      payment: `in_${newId()}`,
      convert: (body: object) => call('trackConversionV2', { ...customer, ...body }),
      own: (code: string, slug: string) => send({ operation: 'putCode', token, code, body: { affiliate_slug: slug } }),
      click: (grId: string) => call('trackClick', { pk: program.publicKey, gr_id: grId }),
      pay: (payment: string) =>
        call('recordPayment', { uid: customer.uid, payment_id: payment, amount: 1000, currency: 'usd' }),
      stripe: async (event: JsonObject) => {
        wait(1 / 86_400);
        return (await sendSigned(signedRequest(program.id, event, { at: Math.floor(moment / 1000) }))).json;
      },
      wait,
    };
  };
}

type World = ReturnType<ReturnType<typeof useWorlds>>;
interface Case {
  readonly verdict: Verdict;
  readonly by: string;
  readonly of?: keyof typeof merchants;
  /** Does what leads to the verdict. Returns the question. */
  readonly act: (world: World) => Promise<object>;
  /** The outcomes of the steps. */
  readonly steps: readonly string[];
  readonly slug: string | null;
}

const CASES: readonly Case[] = [
  ...(['id', 'gr_id', 'payment_id'] as const).map(
    (by): Case => ({
      ...{ verdict: 'erased', by, slug: 'jane' },
      act: async ({ click, convert, pay, call, grId, payment, customer: { uid } }) => {
        await click(grId);
        const { id } = (await convert({ gr_id: grId })).json.data;
        await pay(payment);
        await call('eraseCustomer', { uid });
        return { [by]: { id, gr_id: grId, payment_id: payment }[by] };
      },
      steps: ['clicked', 'converted', 'paid', 'payment', 'erased'],
    }),
  ),
  {
    ...{ verdict: 'other_advocate', by: 'email', slug: 'omar', steps: ['converted', 'reassigned'] },
    act: async ({ convert, call, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane' });
      await call('reassignReferral', { email, affiliate_slug: 'omar' });
      return { email, affiliate_slug: 'JANE' };
    },
  },
  {
    ...{ verdict: 'other_advocate', by: 'payment_id before a move', slug: 'jane' },
    steps: ['converted', 'paid', 'payment', 'reassigned'],
    act: async ({ convert, call, pay, payment, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane' });
      await pay(payment);
      await call('reassignReferral', { email, affiliate_slug: 'omar' });
      return { payment_id: payment, affiliate_slug: 'omar' };
    },
  },
  {
    ...{ verdict: 'rejected', by: 'uid', slug: 'jane', steps: ['converted', 'rejected'] },
    act: async ({ convert, call, customer: { uid } }) => {
      await convert({ affiliate_slug: 'jane' });
      await call('setState', { uid, state: 'rejected' });
      return { uid };
    },
  },
  {
    ...{
      verdict: 'rejected',
      by: 'payment_id',
      slug: 'jane',
      steps: ['converted', 'rejected', 'rejected', 'converted'],
    },
    act: async ({ convert, call, pay, payment, customer: { uid } }) => {
      await convert({ affiliate_slug: 'jane' });
      await call('setState', { uid, state: 'rejected' });
      await pay(payment);
      await call('setState', { uid, state: 'converted' });
      return { payment_id: payment };
    },
  },
  {
    ...{ verdict: 'ended', by: 'payment_id', slug: 'jane', steps: ['converted', 'paid', 'ended'] },
    act: async ({ convert, pay, payment, wait }) => {
      await convert({ affiliate_slug: 'jane' });
      wait(400);
      await pay(payment);
      return { payment_id: payment };
    },
  },
  {
    ...{ verdict: 'ended', by: 'email without a payment', slug: 'jane', steps: ['converted'] },
    act: async ({ convert, wait, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane' });
      wait(400);
      return { email };
    },
  },
  {
    ...{ verdict: 'no_rate', by: 'email', of: 'unrated', slug: 'jane', steps: ['converted', 'paid', 'no_rate'] },
    act: async ({ convert, pay, payment, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane' });
      await pay(payment);
      return { email };
    },
  },
  {
    ...{ verdict: 'no_rate', by: 'uid without a payment', of: 'unrated', slug: 'jane', steps: ['converted'] },
    act: async ({ convert, customer: { uid } }) => {
      await convert({ affiliate_slug: 'jane' });
      return { uid };
    },
  },
  {
    ...{ verdict: 'no_rule', by: 'payment_id', of: 'ruled', slug: 'jane', steps: ['converted', 'paid', 'no_rule'] },
    act: async ({ convert, pay, payment }) => {
      await convert({ affiliate_slug: 'jane' });
      await pay(payment);
      return { payment_id: payment };
    },
  },
  {
    ...{ verdict: 'credited', by: 'code', slug: 'jane', steps: [] },
    act: async ({ own, code }) => {
      await own(code, 'jane');
      return { code: code.toLowerCase() };
    },
  },
  {
    ...{ verdict: 'credited', by: 'uid of a code, with rules', of: 'ruled', slug: 'jane', steps: ['converted'] },
    act: async ({ convert, own, code, customer: { uid } }) => {
      await own(code, 'jane');
      await convert({ code });
      return { uid };
    },
  },
  {
    ...{ verdict: 'credited', by: 'gr_id', slug: 'jane' },
    steps: ['no_reference', 'clicked', 'converted', 'paid', 'payment', 'refund', 'void'],
    act: async ({ click, convert, pay, call, payment, grId }) => {
      await convert({});
      await click(grId);
      await convert({ gr_id: grId });
      await pay(payment);
      await call('recordRefund', { payment_id: payment, refund_id: `re_${payment}`, amount: 100 });
      await call('voidPayment', { payment_id: payment, note: 'Fraud' });
      return { gr_id: grId, affiliate_slug: 'jane' };
    },
  },
  {
    ...{ verdict: 'mismatched_customer', by: 'uid', slug: null, steps: ['mismatched_customer'] },
    act: async ({ convert, stripe, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane' });
      const uid = newId();
      expect(await stripe(anInvoice({ email, uid }))).toEqual({ ignored: 'mismatched_customer' });
      return { uid };
    },
  },
  {
    ...{ verdict: 'wrong_mode', by: 'email', slug: null, steps: ['wrong_mode'] },
    act: async ({ stripe, customer: { email } }) => {
      const event = { ...aCheckout({ email }), livemode: false };
      expect(await stripe(event)).toEqual({ ignored: 'wrong_mode' });
      // Stripe sends it again.
      await stripe(event);
      return { email };
    },
  },
  {
    ...{ verdict: 'inactive_advocate', by: 'email', slug: null, steps: ['inactive_advocate'] },
    act: async ({ convert, customer: { email } }) => {
      expect((await convert({ affiliate_slug: 'idle' })).status).toBe(400);
      return { email };
    },
  },
  {
    ...{ verdict: 'inactive_advocate', by: 'gr_id of a checkout', slug: null, steps: ['inactive_advocate'] },
    act: async ({ stripe, customer: { email } }) => {
      const grId = `idle.${newId()}`;
      expect(await stripe(aCheckout({ email, grId }))).toEqual({ ignored: 'unknown_customer' });
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'inactive_advocate', by: 'code', slug: 'idle', steps: [] },
    act: async ({ own, code }) => {
      expect((await own(code, 'idle')).status).toBe(200);
      return { code };
    },
  },
  {
    ...{ verdict: 'unknown_slug', by: 'uid', slug: null, steps: ['no_reference', 'unknown_slug'] },
    act: async ({ convert, wait, customer: { uid } }) => {
      await convert({});
      wait(1);
      await convert({ affiliate_slug: 'nobody' });
      return { uid };
    },
  },
  {
    ...{ verdict: 'unknown_slug', by: 'email of V1', slug: null, steps: ['unknown_slug'] },
    act: async ({ call, program, customer: { email } }) => {
      await call('trackConversionV1', { email, pk: program.publicKey, uid: 'partner-0' });
      return { email };
    },
  },
  ...(['email', 'code'] as const).map(
    (by): Case => ({
      ...{ verdict: 'code_unknown', by, slug: null, steps: ['code_unknown'] },
      act: async ({ convert, code, customer: { email } }) => {
        expect(outcomeOf(await convert({ code }))).toEqual([400, 'invalid_code', 'Invalid promotion code']);
        return { [by]: { email, code }[by] };
      },
    }),
  ),
  {
    ...{ verdict: 'expired_click', by: 'gr_id', slug: 'jane', steps: ['clicked'] },
    act: async ({ click, wait, grId }) => {
      await click(grId);
      wait(31);
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'expired_click', by: 'gr_id of a deleted click', slug: null, steps: [] },
    act: async ({ wait, grId }) => {
      wait(31);
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'refused_field', by: 'email', slug: null, steps: ['refused_field'] },
    act: async ({ convert, customer: { email } }) => {
      await convert({ affiliate_slug: 'jane', uid: 'a\u0000b' });
      return { email };
    },
  },
  {
    ...{ verdict: 'refused_field', by: 'gr_id of V1', slug: null, steps: ['refused_field'] },
    act: async ({ call, grId }) => {
      await call('trackConversionV1', { gr_id: grId });
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'refused_field', by: 'gr_id of a checkout', slug: null, steps: ['refused_field'] },
    act: async ({ stripe, grId }) => {
      expect(await stripe(aCheckout({ grId, customer: newId() }))).toEqual({ ignored: 'no_identity' });
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'not_converted', by: 'gr_id', slug: 'jane', steps: ['clicked'] },
    act: async ({ click, grId }) => {
      await click(grId);
      return { gr_id: grId };
    },
  },
  {
    ...{ verdict: 'not_converted', by: 'email of an invoice', slug: null, steps: ['not_converted'] },
    act: async ({ stripe, grId, customer: { email } }) => {
      await stripe(anInvoice({ email, grId }));
      return { email };
    },
  },
  {
    ...{ verdict: 'no_reference', by: 'email of V1', slug: null, steps: ['no_reference'] },
    act: async ({ call, customer: { email } }) => {
      await call('trackConversionV1', { email });
      return { email };
    },
  },
  {
    ...{ verdict: 'no_reference', by: 'payment_id of Stripe', slug: null, steps: ['no_reference'] },
    act: async ({ stripe, payment, customer: { email } }) => {
      const { data, ...event } = anInvoice({ email });
      const object = { ...Object(data).object, id: payment, currency: 'usd' };
      await stripe({ ...event, data: { object } });
      return { payment_id: payment };
    },
  },
  {
    ...{ verdict: 'not_seen', by: 'email', slug: null, steps: [] },
    act: async ({ customer: { email } }) => ({ email }),
  },
  {
    ...{ verdict: 'not_seen', by: 'email of an erased person', slug: null, steps: [] },
    act: async ({ convert, call, customer: { email } }) => {
      await convert({});
      await convert({ affiliate_slug: 'jane' });
      await call('eraseCustomer', { email });
      return { email };
    },
  },
  {
    ...{ verdict: 'not_seen', by: 'uid after 30 days', slug: null, steps: [] },
    act: async ({ convert, wait, customer: { uid } }) => {
      await convert({});
      wait(30);
      return { uid };
    },
  },
  {
    ...{ verdict: 'not_seen', by: 'email that a page sent', slug: null, steps: [] },
    act: async ({ send, program, customer: { email } }) => {
      const body = { email, affiliate_slug: 'nobody', pk: program.publicKey };
      expect((await send({ operation: 'trackConversionV2', headers: { origin: ORIGIN }, body })).status).toBe(400);
      return { email };
    },
  },
];

describe.each(DRIVERS)('POST /v2/referrals/explain through %s', (_, connect) => {
  const aWorld = useWorlds(connect);

  test('every verdict has a case', () => {
    expect(new Set(CASES.map(({ verdict }) => verdict))).toEqual(new Set(RULES.map(({ verdict }) => verdict)));
  });

  test.each(CASES)('the verdict is $verdict, by $by', async ({ verdict, of, act, steps, slug }) => {
    const world = aWorld(of);
    const { id, type, attributes } = await world.explained(await act(world));
    const advice = RULES.find((rule) => rule.verdict === verdict)?.advice;
    expect([type, attributes.verdict, attributes.advice]).toEqual(['explanation', verdict, advice]);
    expect([attributes.affiliate_slug, id]).toEqual([slug, attributes.referral_id ?? world.program.id]);
    expect(attributes.steps.map(({ outcome }: { outcome: string }) => outcome)).toEqual(steps);
  });

  test('steps have time, source, advocate and event, and a request counts once, whatever it identified', async () => {
    const { convert, call, stripe, explained, customer, payment, pay } = aWorld();
    await convert({ affiliate_slug: 'omarr' });
    const { id } = (await convert({ affiliate_slug: 'jane' })).json.data;
    await call('reassignReferral', { id, affiliate_slug: 'omar' });
    const { id: entry } = (await pay(payment)).json.data;
    const event = anInvoice({ email: customer.email, uid: newId() });
    await stripe(event);
    const answers = await Promise.all([{ email: customer.email }, { uid: customer.uid }, { id }].map(explained));
    const at = expect.any(Number);
    for (const { attributes } of answers) {
      expect(attributes).toMatchObject({ verdict: 'credited', referral_id: id, affiliate_slug: 'omar' });
      expect(attributes.steps).toEqual([
        { at, source: 'merchant', outcome: 'unknown_slug', affiliate_slug: 'omarr', code: null, event_id: null },
        { at, source: 'merchant', outcome: 'converted', affiliate_slug: 'jane', code: null, event_id: `${id}.1` },
        { at, source: 'merchant', outcome: 'reassigned', affiliate_slug: 'omar', code: null, event_id: `${id}.2` },
        { at, source: 'merchant', outcome: 'paid', affiliate_slug: 'omar', code: null, event_id: `${id}.3` },
        { at, source: 'merchant', outcome: 'payment', affiliate_slug: 'omar', code: null, event_id: `${entry}.1` },
        {
          at,
          source: 'stripe',
          outcome: 'mismatched_customer',
          affiliate_slug: null,
          code: null,
          event_id: event['id'],
        },
      ]);
    }
  });

  test('the erasure of somebody who never converted deletes what was refused, and is still a 404', async () => {
    const { call, convert, explained, customer } = aWorld();
    await convert({ affiliate_slug: 'nobody' });
    const { email, uid } = customer;
    expect((await call('eraseCustomer', { email, uid })).status).toBe(404);
    for (const question of [{ email }, { uid }]) {
      expect((await explained(question)).attributes).toMatchObject({ verdict: 'not_seen', steps: [] });
    }
  });

  test('a question with two identifiers is refused, and a response never tells a deactivated from an unknown advocate', async () => {
    const { call, convert } = aWorld();
    expect(outcomeOf(await call('explainCustomer', { uid: 'a', payment_id: 'b' }))).toEqual([
      ...[400, 'invalid_field', 'payment_id cannot be combined with another identifier: send only one'],
    ]);
    const [inactive, unknown] = [
      await convert({ affiliate_slug: 'idle' }),
      await convert({ affiliate_slug: 'nobody' }),
    ];
    expect(inactive.text).toBe(unknown.text);
  });
});
