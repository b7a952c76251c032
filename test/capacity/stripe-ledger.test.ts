import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { cachedSecrets, type SecretOwner } from '../../functions/kernel/secrets/secrets.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { applyStripeEvent } from '../../functions/stripe/table/apply-event.ts';
import { usageOf } from '../bench/flood.ts';
import { type Send, sendToHandlers } from '../support/drivers.ts';
import { inSeries, metered } from '../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../support/program.ts';
import { aBill, aDispute, aLink, aRefunded, aSale } from '../support/stripe/money.ts';
import { aCheckout, anInvoice, aRefund, SECRET, signedRequest, withSecrets } from '../support/stripe/stripe.ts';
import { anEmail } from '../support/table/track.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const secrets = withSecrets([SECRET]);
let program: Program;
let jane: Advocate;
let warm: Send;
beforeAll(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  warm = sendToHandlers(table, secrets);
  await warm(signed(anInvoice({ uid: 'nobody' })));
});

const signed = (event: unknown) => signedRequest(program.id, event);
/** A customer who signed up an hour ago. Within the second of the sign-up, a new state would not move the index entry. */
const aCustomer = async () => {
  const [uid, email, at] = [newId(), anEmail(), seconds(now() - 3600)];
  const times = { createdAt: at, stateSetAt: at, updatedAt: at };
  return { ...(await aReferral(table, program, jane, { customerUid: uid, email, ...times })), uid, email };
};
const aUid = async () => (await aCustomer()).uid;
const measure = async (event: object) => {
  const { requests, readUnits, writeUnits } = await metered(table, () => applyStripeEvent(table, program, event));
  return { requests, readUnits, writeUnits };
};

test('a payment takes at most 3 requests and 20 write units', async () => {
  const uid = await aUid();
  const [first, second, third] = [newId(), newId(), newId()];
  // The entry and its index, the money of the referral, the payment, the record, the referral and its indexes.
  const { readUnits, writeUnits } = usageOf('event of Stripe that sets `paid` and records a payment');
  expect(await measure(aBill({ n: first, uid, amount: 2400 }))).toEqual({ requests: 3, readUnits, writeUnits });
  // The state is set already, so no index changes.
  expect((await measure(aBill({ n: second, uid, amount: 2400 }))).writeUnits).toBe(11);
  expect(await measure(aSale({ n: third, uid, amount: 2400 }))).toMatchObject({ requests: 3, writeUnits: 11 });
  // With a customer at Stripe that is new.
  const other = aBill({ n: newId(), uid: await aUid(), amount: 2400 }, { customer: newId() });
  expect(await measure(other)).toMatchObject({ requests: 3, writeUnits: 20 });
});

test('a refund of a known payment takes 4 requests', async () => {
  const [uid, n] = [await aUid(), newId()];
  await applyStripeEvent(table, program, aBill({ n, uid, amount: 2400 }));
  // The link alone, in one item.
  expect(await measure(aLink({ n }))).toMatchObject({ requests: 3, writeUnits: 1 });
  expect(await measure(aRefunded({ n, amount: 2400, refunded: 600 }))).toEqual({
    ...{ requests: 4, readUnits: 4, writeUnits: 13 },
  });
});

test('events of customers whom nobody referred cost one or two write units', async () => {
  const n = newId();
  expect(await measure(aBill({ n, uid: newId(), amount: 2400 }))).toMatchObject({ writeUnits: 0 });
  expect(await measure(aLink({ n }))).toEqual({ requests: 3, readUnits: 2, writeUnits: 2 });
  // It renews the link of its invoice.
  expect(await measure(aRefunded({ n, amount: 2400, refunded: 600 }))).toMatchObject({ requests: 4, writeUnits: 2 });
  expect(await measure(aDispute({ n: newId(), amount: 2400 }))).toMatchObject({ requests: 2, writeUnits: 1 });
});

/** Measures a signed event on a warm function, with its requests in series and its response. */
const send = async (event: unknown) => {
  const { result, ...reading } = await metered(table, () => inSeries(table, () => warm(signed(event))));
  return { ...reading, rounds: result.rounds, json: result.result.json };
};

describe('events of Stripe that set a state', () => {
  test('an event with all references uses 3 requests', async () => {
    const { uid, email } = await aCustomer();
    const event = aCheckout({ uid, email, customer: newId(), grId: `${jane.slug}.${newId()}` });
    expect(await send(event)).toMatchObject({ requests: 3, rounds: 3, readUnits: 8 });
  });

  test('an event that creates a referral uses 2 requests', async () => {
    const { id } = await aClick(table, program, jane);
    // The records of the event and of the checkout, the email, the click and the advocate. The referral and its
    // indexes, the claim of the email, and both records.
    expect(await send(aCheckout({ email: anEmail(), grId: `${jane.slug}.${id}` }))).toEqual({
      ...{ json: { applied: 'paid' }, requests: 2, rounds: 2, readUnits: 5, writeUnits: 13 },
    });
  });
});

// One read and one round of writes for the refusals, one of each identifier.
test.each<[string, number, number, () => Promise<unknown>]>([
  ['unknown_customer', 3, 2, async () => anInvoice({ uid: newId(), email: anEmail(), customer: newId() })],
  ['mismatched_customer', 4, 2, async () => anInvoice({ email: (await aCustomer()).email, uid: newId() })],
  ['no_identity', 3, 1, async () => aCheckout({ customer: newId(), grId: `${jane.slug}.${newId()}` })],
])(
  'an event that is ignored as %s uses %d requests in series, and writes %d refusals',
  async (ignored, rounds, writeUnits, event) => {
    expect(await send(await event())).toMatchObject({ json: { ignored }, rounds, writeUnits });
  },
);

test.each<[string, number, () => Promise<unknown>]>([
  ['no_identity', 0, async () => anInvoice({})],
  ['nothing_to_do', 0, async () => aRefund({ uid: newId() })],
  ['nothing_to_do', 2, async () => aCheckout({ uid: await aUid(), amount: 0 })],
  ['unreadable', 0, async () => 'not JSON'],
])('an event that is ignored as %s uses %d requests and writes nothing', async (ignored, requests, event) => {
  expect(await send(await event())).toMatchObject({ json: { ignored }, requests, writeUnits: 0 });
});

const wrong = (event: unknown) => signedRequest(program.id, event, { secret: 'whsec_wrong' });

describe('events of Stripe on a cold function', () => {
  test('an event takes 5 steps in series with a cold function, which reads program and secrets, else 3', async () => {
    const uid = await aUid();
    let reads = 0;
    const { result, requests } = await metered(table, () =>
      inSeries(table, async (inRound) => {
        const read = (owner: SecretOwner) => {
          reads += 1;
          return inRound(() => secrets.read(owner));
        };
        const send = sendToHandlers(table, cachedSecrets({ read }, table.clock));
        return { send, json: (await send(signed(anInvoice({ uid })))).json };
      }),
    );
    expect([result.rounds, requests, result.result.json]).toEqual([5, 4, { applied: 'paid' }]);
    const again = await inSeries(table, () => result.result.send(signed(anInvoice({ uid }))));
    expect([again.rounds, again.result.json, reads]).toEqual([3, { applied: 'paid' }, 1]);
  });

  test('an event with a wrong signature reads nothing but the program', async () => {
    const reading = await metered(table, () => sendToHandlers(table, secrets)(wrong(anInvoice({ uid: newId() }))));
    expect(reading).toMatchObject({ result: { status: 400 }, requests: 1, writeUnits: 0 });
    const again = await metered(table, () => warm(wrong(anInvoice({ uid: newId() }))));
    expect(again).toMatchObject({ result: { status: 400 }, requests: 0 });
  });
});
