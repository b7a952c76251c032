import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { cachedSecrets, type Secret, stripeOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import { ALL_DRIVERS, type ApiRequest, type ApiResponse } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { outcomeOf, visibleOf } from '../../support/responses.ts';
import { aCancellation, aCheckout, anInvoice, SECRET, signedRequest } from '../../support/stripe/stripe.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { atTime } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const INVALID = [
  400,
  'invalid_signature',
  'Stripe-Signature is not valid: check the address of the endpoint and its signing secret',
];
const OLDER = 'whsec_older';
const OTHER = 'whsec_of_another_program';
const KIB_256 = 256 * 1024;

// Sizes, bytes, headers and paths could differ over HTTP.
describe.each(ALL_DRIVERS)('POST /v2/integrations/stripe/{program} through %s', (_, connect) => {
  const table = useTable();
  let moment: Milliseconds;
  const at = atTime(table, () => moment);
  let stored: Record<string, Secret[]>;
  let reads = 0;
  const read = async (owner: string) => {
    reads += 1;
    return stored[owner] ?? [];
  };
  const send = connect(at, cachedSecrets({ read }, at.clock));
  let program: Program;
  let other: Program;
  let bare: Program;
  let jane: Advocate;
  let uid: string;
  beforeAll(async () => {
    program = await aProgram(table, { onRefund: 'reject' });
    [other, bare] = [await aProgram(table), await aProgram(table)];
    jane = await anAdvocate(table, program);
  });
  beforeEach(async () => {
    moment = milliseconds((moment ?? Date.now()) + 60_000);
    stored = { [stripeOwner(program.id)]: secretsOf(SECRET), [stripeOwner(other.id)]: secretsOf(OTHER) };
    uid = newId();
    await aReferral(table, program, jane, { customerUid: uid });
  });

  const secretsOf = (...values: string[]): Secret[] =>
    values.map((value, index) => ({ value, createdAt: milliseconds(moment - index) }));
  const wait = (seconds: number) => {
    moment = milliseconds(moment + seconds * 1000);
  };
  const second = () => Math.floor(moment / 1000);
  const signed = (event: unknown, options: { secret?: string; at?: number } = {}, to = program.id) =>
    signedRequest(to, event, { at: second(), ...options });
  const typed = (type: string): ApiRequest => {
    const { headers, ...request } = signed(invoice());
    return { ...request, headers: { ...headers, 'content-type': type } };
  };
  const invoice = () => JSON.stringify(anInvoice({ uid }));
  const ofSize = (bytes: number) => {
    const body = JSON.stringify({ ...anInvoice({ uid }), padding: '' });
    return body.replace('"padding":""', `"padding":"${'x'.repeat(bytes - body.length)}"`);
  };

  test('an event with a valid signature is applied', async () => {
    const { id } = await aClick(table, program, jane);
    const [email, customer] = [anEmail(), newId()];
    const events = [
      aCheckout({ email, customer, grId: `${jane.slug}.${id}` }),
      anInvoice({ customer, created: now() + 1 }),
      aCancellation({ customer, created: now() + 2 }),
    ];
    const applied = [];
    for (const event of events) applied.push((await send(signed(event))).json);
    expect(applied).toEqual([{ applied: 'paid' }, { applied: 'paid' }, { applied: 'churned' }]);
    const referral = await storedReferral(table, program, id);
    expect(referral?.history.map(({ by }) => by)).toEqual(['visitor', 'stripe', 'stripe', 'stripe']);
    expect((await send(signed(events[0]))).json).toEqual({ ignored: 'duplicate' });
  });

  const INVALID_REQUESTS: [string, () => ApiRequest][] = [
    ['no signature', () => ({ operation: 'receiveStripeEvent', program: program.id, body: invoice() })],
    ['a signature 301 seconds old', () => signed(invoice(), { at: second() - 301 })],
    ['a wrong secret', () => signed(invoice(), { secret: 'whsec_wrong' })],
    ['the secret of another program', () => signed(invoice(), { secret: OTHER })],
    ['one changed byte', () => ({ ...signed(invoice()), body: `${invoice()} ` })],
    ['no body', () => ({ ...signed(invoice()), body: '' })],
    ['a body of one byte more than 256 KiB', () => signed(ofSize(KIB_256 + 1))],
    ['a program without secrets', () => signed(invoice(), {}, bare.id)],
    ['an unknown program', () => signed(invoice(), {}, newId())],
    ['a malformed program', () => signed(invoice(), {}, 'acme')],
  ];

  test('everything without a valid signature returns the same 400', async () => {
    const responses: ApiResponse[] = [];
    await expectUnchanged(table, async () => {
      for (const [, request] of INVALID_REQUESTS) responses.push(await send(request()));
    });
    const named = responses.map((response, index) => [INVALID_REQUESTS[index]?.[0], ...outcomeOf(response)]);
    expect(named).toEqual(INVALID_REQUESTS.map(([name]) => [name, ...INVALID]));
    const [first, ...others] = responses.map(visibleOf);
    expect(new Set(others.map((visible) => JSON.stringify(visible)))).toEqual(new Set([JSON.stringify(first)]));
  });

  test.each<[string, () => ApiRequest]>([
    ['300 seconds old', () => signed(invoice(), { at: second() - 300 })],
    ['of a body of exactly 256 KiB', () => signed(ofSize(KIB_256))],
    ['of a body of another content type', () => typed('text/csv')],
    ['of a body with the key __proto__', () => signed(`${invoice().slice(0, -1)},"__proto__":{"type":"x"}}`)],
  ])('a signature %s is accepted', async (_name, request) => {
    const { status, json } = await send(request());
    expect([status, json]).toEqual([200, { applied: 'paid' }]);
  });

  test.each<[string, string]>([
    ['no JSON', 'no JSON'],
    ['null', 'null'],
    ['deeply nested arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['an event without an id', '{"type":"invoice.paid","created":1,"data":{"object":{"amount_paid":1}}}'],
  ])('a signed body that is %s returns 200', async (_name, body) => {
    const { status, json } = await send(signed(body));
    expect([status, json]).toEqual([200, { ignored: 'unreadable' }]);
  });

  test('after a wrong signature, secrets are read again at most every ten seconds', async () => {
    const owner = stripeOwner(program.id);
    const statusOf = async (secret: string) => (await send(signed(anInvoice({ uid }), { secret }))).status;
    // Another test may have read them just now.
    wait(30);
    reads = 0;
    expect(await statusOf(SECRET)).toBe(200);
    stored[owner] = secretsOf('whsec_new', SECRET);
    expect([await statusOf('whsec_new'), reads]).toEqual([400, 1]);
    wait(9.999);
    expect([await statusOf('whsec_new'), reads]).toEqual([400, 1]);
    wait(0.001);
    expect([await statusOf('whsec_new'), reads]).toEqual([200, 2]);
    wait(10);
    expect([await statusOf(SECRET), await statusOf('whsec_wrong'), await statusOf('whsec_wrong')]).toEqual([
      200, 400, 400,
    ]);
    expect(reads).toBe(3);
  });

  test('the two newest secrets are accepted during a rotation, and removed ones refused within 30 seconds', async () => {
    const owner = stripeOwner(program.id);
    const statuses = async (...secrets: string[]) => {
      const requests = secrets.map((secret) => signed(anInvoice({ uid }), { secret }));
      return Promise.all(requests.map(async (request) => (await send(request)).status));
    };
    expect(await statuses(SECRET, OLDER)).toEqual([200, 400]);
    stored[owner] = secretsOf('whsec_new', SECRET, OLDER);
    expect(await statuses(SECRET, 'whsec_new')).toEqual([200, 400]);
    wait(30);
    expect(await statuses('whsec_new', SECRET, OLDER)).toEqual([200, 200, 400]);
    stored[owner] = [];
    wait(30);
    expect(await statuses('whsec_new', SECRET)).toEqual([400, 400]);
    // An absent secret is also cached.
    stored[owner] = secretsOf(SECRET);
    expect(await statuses(SECRET)).toEqual([400]);
    wait(30);
    expect(await statuses(SECRET)).toEqual([200]);
  });
});
