import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { cachedSecrets, type SecretOwner } from '../../../functions/secrets/secrets.ts';
import { eraseReferral } from '../../../functions/table/referrals/referrals.ts';
import { type ApiRequest, type Send, sendToHandlers } from '../../support/drivers.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { inSeries, metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import {
  aCancellation,
  aCheckout,
  anInvoice,
  aRefund,
  type EventFields,
  SECRET,
  signedRequest,
  withSecrets,
} from '../../support/stripe/stripe.ts';
import { set } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { useCountingTable } from '../../support/use-table.ts';

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
const aCustomer = async () => {
  const [uid, email] = [newId(), anEmail()];
  return { ...(await aReferral(table, program, jane, { customerUid: uid, email })), uid, email };
};
const measure = async (request: ApiRequest) => {
  const { result, ...reading } = await metered(table, () => inSeries(table, () => warm(request)));
  return { ...reading, rounds: result.rounds, json: result.result.json };
};

describe('events of Stripe on a warm function', () => {
  test('an event that changes a state uses 3 requests', async () => {
    const { uid } = await aCustomer();
    expect(await measure(signed(anInvoice({ uid })))).toEqual({
      ...{ json: { applied: 'paid' }, requests: 3, rounds: 3 },
      // The record and the uid; the referral. The referral and the record in a transaction, and the indexes.
      ...{ readUnits: 3, writeUnits: 10 },
    });
  });

  test('an event with all references also uses 3 requests', async () => {
    const { uid, email } = await aCustomer();
    const event = aCheckout({ uid, email, customer: newId(), grId: `${jane.slug}.${newId()}` });
    expect(await measure(signed(event))).toMatchObject({ requests: 3, rounds: 3, readUnits: 8 });
  });

  test('an event that finds its state already set touches no index', async () => {
    const { uid, id } = await aCustomer();
    await set(table, program, id, 'paid');
    expect(await measure(signed(anInvoice({ uid })))).toMatchObject({ requests: 3, readUnits: 3, writeUnits: 4 });
  });

  test('an event of the 21st customer at Stripe of a referral uses 3 requests', async () => {
    const { uid } = await aCustomer();
    for (let known = 0; known < 20; known += 1) await warm(signed(anInvoice({ uid, customer: newId() })));
    // The referral, which the names of 20 customers make larger than 1 KB, the record, the new claim and the deleted one.
    const event = anInvoice({ uid, customer: newId() });
    expect(await measure(signed(event))).toMatchObject({ requests: 3, rounds: 3, writeUnits: 12 });
  });

  test('an event that creates a referral uses 2 requests', async () => {
    const { id } = await aClick(table, program, jane);
    const event = aCheckout({ email: anEmail(), grId: `${jane.slug}.${id}` });
    expect(await measure(signed(event))).toEqual({
      ...{ json: { applied: 'paid' }, requests: 2, rounds: 2 },
      // The records of the event and of the checkout, the email, the click and the advocate. The referral and its
      // indexes, the claim of the email, and both records.
      ...{ readUnits: 5, writeUnits: 13 },
    });
  });

  test.each<[string, number, () => Promise<unknown>]>([
    ['unknown_customer', 1, async () => anInvoice({ uid: newId(), email: anEmail(), customer: newId() })],
    ['mismatched_customer', 2, async () => anInvoice({ email: (await aCustomer()).email, uid: newId() })],
    [
      'duplicate',
      1,
      async () => {
        const event = anInvoice({ uid: (await aCustomer()).uid });
        await warm(signed(event));
        return event;
      },
    ],
    [
      'stale',
      2,
      async () => {
        const { uid } = await aCustomer();
        await warm(signed(aCancellation({ uid })));
        return anInvoice({ uid, created: now() - 100 });
      },
    ],
    [
      'refused_transition',
      2,
      async () => {
        const { uid, id } = await aCustomer();
        await set(table, program, id, 'rejected');
        return anInvoice({ uid });
      },
    ],
    [
      'erased',
      1,
      async () => {
        const { id } = await aClick(table, program, jane);
        const grId = `${jane.slug}.${id}`;
        await warm(signed(aCheckout({ email: anEmail(), grId })));
        await eraseReferral(table, program.id, id, 'operator');
        return aCheckout({ email: anEmail(), grId });
      },
    ],
    ['no_identity', 1, async () => aCheckout({ customer: newId(), grId: `${jane.slug}.${newId()}` })],
    ['no_identity', 0, async () => anInvoice({})],
    ['nothing_to_do', 0, async () => aRefund({ uid: newId() })],
    ['nothing_to_do', 2, async () => aCheckout({ uid: (await aCustomer()).uid, amount: 0 })],
    ['unreadable', 0, async () => 'not JSON'],
  ])('an event that is ignored as %s uses %d requests and writes nothing', async (ignored, requests, event) => {
    expect(await measure(signed(await event()))).toMatchObject({ json: { ignored }, requests, writeUnits: 0 });
  });

  test.each<[string, number, (fields: EventFields & { uid: string }, id: string) => Promise<unknown>]>([
    [
      'stale',
      4,
      async (fields) => {
        await warm(signed(aCancellation({ uid: fields.uid })));
        return anInvoice({ ...fields, created: now() - 100 });
      },
    ],
    [
      'refused_transition',
      4,
      async (fields, id) => {
        await set(table, program, id, 'rejected');
        return anInvoice(fields);
      },
    ],
    ['nothing_to_do', 5, async (fields) => aCheckout({ ...fields, amount: 0 })],
  ])(
    'an event ignored as %s that is the first to contain a customer at Stripe uses 1 write',
    async (ignored, readUnits, event) => {
      const { uid, id } = await aCustomer();
      const first = signed(await event({ uid, customer: newId() }, id));
      // The uid, the customer at Stripe and the records; the referral. The referral, without its indexes, and the claim.
      const reading = { requests: 3, rounds: 3, readUnits, writeUnits: 4 };
      expect(await measure(first)).toEqual({ ...reading, json: { ignored } });
      expect(await measure(first)).toMatchObject({ json: { ignored }, requests: 2, writeUnits: 0 });
    },
  );
});

const wrong = (event: unknown) => signedRequest(program.id, event, { secret: 'whsec_wrong' });

describe('events of Stripe on a cold function', () => {
  test('an event takes 5 steps in series with a cold function, which reads program and secrets, else 3', async () => {
    const { uid } = await aCustomer();
    const order: string[] = [];
    beforeNext(table, 'GetItemCommand', async () => {
      order.push('program');
    });
    const { result, requests } = await metered(table, () =>
      inSeries(table, async (inRound) => {
        const read = (owner: SecretOwner) => {
          order.push('secrets');
          return inRound(() => secrets.read(owner));
        };
        const send = sendToHandlers(table, cachedSecrets({ read }, table.clock));
        return { send, json: (await send(signed(anInvoice({ uid })))).json };
      }),
    );
    expect([result.rounds, requests, result.result.json]).toEqual([5, 4, { applied: 'paid' }]);
    expect(order).toEqual(['program', 'secrets']);
    const again = await inSeries(table, () => result.result.send(signed(anInvoice({ uid }))));
    expect([again.rounds, again.result.json, order.length]).toEqual([3, { applied: 'paid' }, 2]);
  });

  test('an event of an unknown program reads no secret', async () => {
    const read = jest.fn(secrets.read);
    const send = sendToHandlers(table, { read });
    const statuses = [newId(), newId(), 'acme'].map(
      async (id) => (await send(signedRequest(id, anInvoice({})))).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 400, 400]);
    expect(read).not.toHaveBeenCalled();
  });

  test('an event that cannot be genuine uses no request and reads no secret', async () => {
    let reads = 0;
    const reader = {
      read: async () => {
        reads += 1;
        return [];
      },
    };
    const send = sendToHandlers(table, reader);
    const body = JSON.stringify(anInvoice({ uid: newId() }));
    const impossible: ApiRequest[] = [
      { operation: 'receiveStripeEvent', program: program.id, body },
      signedRequest(program.id, body, { at: now() - 600 }),
      signedRequest(program.id, 'x'.repeat(256 * 1024 + 1)),
      signedRequest('../stripe', body),
    ];
    for (const request of impossible) {
      expect(await metered(table, () => send(request))).toMatchObject({ result: { status: 400 }, requests: 0 });
    }
    expect(reads).toBe(0);
  });

  test('an event with a wrong signature reads nothing but the program', async () => {
    const reading = await metered(table, () => sendToHandlers(table, secrets)(wrong(anInvoice({ uid: newId() }))));
    expect(reading).toMatchObject({ result: { status: 400 }, requests: 1, writeUnits: 0 });
    const again = await metered(table, () => warm(wrong(anInvoice({ uid: newId() }))));
    expect(again).toMatchObject({ result: { status: 400 }, requests: 0 });
  });
});
