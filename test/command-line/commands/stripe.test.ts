import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { stripeOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds, systemClock } from '../../../functions/kernel/time.ts';
import { lookUpReferral } from '../../../functions/referrals/table/customers.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { partsOf, useGateway } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram } from '../../support/program.ts';
import { entriesOf } from '../../support/table/entries.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
const service = useGateway(
  functionsOf(table.connection, partsOf({ read: (owner) => folder.parts.secrets.read(owner) })),
);

const SECRET = 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH';
const OTHER = 'whsec_000000000000000000000000000000000000000000000000';
const BASE_URL = 'https://api.example.com/prod';

const run = (args: readonly string[], input: readonly string[] = []) =>
  adminWith({ table, parts: folder.parts, input }, 'stripe', ...args);

/** Runs a command that must succeed, and returns the JSON that it prints. */
async function json(args: readonly string[], input: readonly string[] = []) {
  const { status, stdout, stderr } = await run([...args, '--json'], input);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const connect = ({ id }: Program, ...options: readonly string[]) => [
  ...['connect', '--program', id, '--base-url', BASE_URL],
  ...options,
];
const valuesOf = async ({ id }: Program) =>
  (await folder.parts.secrets.read(stripeOwner(id))).map(({ value }) => value);

describe('stripe connect', () => {
  test('stripe connect stores the secret, and prints the URL to enter at Stripe', async () => {
    const program = await aProgram(table);
    const url = `${BASE_URL}/v2/integrations/stripe/${program.id}`;
    const printed = await json(connect(program, '--secret', SECRET));
    expect(printed).toEqual({ id: program.id, url, secrets: 1, on_refund: 'ignore' });
    expect(await valuesOf(program)).toEqual([SECRET]);
    expect(JSON.stringify(await allItems(table))).not.toContain(SECRET);
    const { stdout } = await run(connect(program, '--secret', SECRET));
    expect(stdout).toContain('The change takes effect within 30 seconds.');
    expect(stdout).not.toContain(SECRET);
  });

  test('stripe connect reads the secret from standard input', async () => {
    const program = await aProgram(table);
    await json(connect(program, '--secret', '-'), ['whsec_5WbX5kEWLlfz', 'sGNjH64I8lOOqUB6e8FH\r\n']);
    expect(await valuesOf(program)).toEqual([SECRET]);
  });

  const onInput = '--secret - reads one line from standard input. Write only the secret to it.\n';
  const pattern =
    '--secret must be the whole signing secret that Stripe shows for the endpoint. It starts with whsec_.\n';
  test.each<[string, string[], string]>([
    ['-', [`${SECRET}\n${OTHER}\n`], onInput],
    ['sk_live_secret', [], pattern],
  ])('stripe connect refuses %j with the input %j, without repeating it', async (option, input, sentence) => {
    const ended = await run(connect(await aProgram(table), '--secret', option), input);
    expect(ended).toEqual({ status: 2, stdout: '', stderr: sentence });
  });
});

test('stripe show prints the connection without its secrets, and disconnect keeps the effect of refunds', async () => {
  const program = await aProgram(table);
  const url = `${BASE_URL}/v2/integrations/stripe/${program.id}`;
  const named = ['--program', program.id, '--base-url', BASE_URL];
  const connection = (secrets: number, on_refund: string) => ({ id: program.id, url, secrets, on_refund });
  expect(await json(['show', ...named])).toEqual(connection(0, 'ignore'));
  await json(connect(program, '--secret', SECRET, '--on-refund', 'reject'));
  expect(await json(['show', ...named])).toEqual(connection(1, 'reject'));
  expect(await findProgram(table, program.id)).toMatchObject({ onRefund: 'reject' });
  // Another secret does not change the effect.
  expect(await json(connect(program, '--secret', OTHER))).toEqual(connection(2, 'reject'));
  for (const _ of [1, 2]) expect(await json(['disconnect', ...named])).toEqual(connection(0, 'reject'));
  expect(await valuesOf(program)).toEqual([]);
});

describe('stripe simulate', () => {
  const simulate = ({ id }: Pick<Program, 'id'>, ...options: readonly string[]) => [
    ...['simulate', '--program', id, '--base-url', service.url()],
    ...options,
  ];

  test('stripe simulate moves a referral through its states, from its click on', async () => {
    const program = await aProgram(table);
    const jane = await anAdvocate(table, program);
    const click = await aClick(table, program, jane);
    await json(connect(program, '--secret', OTHER));
    await json(connect(program, '--secret', SECRET, '--on-refund', 'reject'));
    const email = ['--email', 'jim@shop.example'];
    const steps = [
      ['checkout.session.completed', ...email, '--uid', '1001', '--gr-id', `${jane.slug}.${click.id}`],
      // A subscription has no email: the service remembers the customer at Stripe.
      ['customer.subscription.deleted', ...email],
      ['invoice.paid', '--uid', '1001', '--payment', 'A'],
      ['invoice_payment.paid', '--payment', 'A'],
      ['charge.dispute.funds_withdrawn', '--payment', 'A', '--amount', '1000'],
      ['charge.refunded', '--payment', 'A', '--refunded', '600'],
      ['invoice.paid', '--uid', '1001', '--customer', 'cus_other', '--amount', '1'],
      ['charge.refunded', '--customer', 'cus_other'],
    ];
    const printed = [];
    for (const [index, [type = '', ...options]] of steps.entries()) {
      // Each event happens in a second of its own: within one, another order counts.
      const clock = () => milliseconds(systemClock() + index * 2000);
      const args = [...simulate(program, '--event', type, ...options), '--json'];
      const { stdout } = await adminWith({ table, parts: folder.parts, clock }, 'stripe', ...args);
      printed.push(JSON.parse(stdout));
    }
    const applied = ['paid', 'churned', 'paid', 'paid', 'paid', 'paid', 'paid', 'rejected'];
    expect(printed).toMatchObject(applied.map((state) => ({ status: 200, body: { applied: state } })));
    const ofA = (await entriesOf(table, program)).filter(({ paymentId }) => paymentId === 'in_A');
    expect(ofA.map(({ amount }) => amount)).toEqual([2400, -1000, -600]);
    const reference = { email: 'jim@shop.example', uid: null, id: null };
    expect(await lookUpReferral(table, program.id, reference)).toMatchObject({
      referral: { id: click.id, state: 'rejected' },
    });
  });

  test('stripe simulate creates a promotion code, with which a checkout credits its advocate', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    await json(connect(program, '--secret', SECRET));
    const created = ['promotion_code.created', '--promotion-code', 'promo_1', '--code', 'jane20'];
    const paid = ['checkout.session.completed', '--email', 'ana@shop.example', '--promotion-code', 'promo_1'];
    const applied = [];
    for (const event of [[...created, '--affiliate-slug', slug], paid]) {
      applied.push((await json(simulate(program, '--event', ...event))).body.applied);
    }
    expect(applied).toEqual(['code', 'paid']);
    const reference = { email: 'ana@shop.example', uid: null, id: null };
    const { referral } = await lookUpReferral(table, program.id, reference);
    expect(referral).toMatchObject({ advocateSlug: slug, creditedBy: 'code', code: 'JANE20' });
  });

  const SLUG = 'must be 1 to 64 letters, digits, hyphens or underscores.';
  const OF_PROMOTIONS =
    '--code and --affiliate-slug are options of promotion_code.created and promotion_code.updated. A checkout has --promotion-code.';
  test.each([
    ['promotion_code.created', ['--promotion-code', 'promo 1'], '--promotion-code must be 1 to 255 printable ASCII'],
    ['promotion_code.created', ['--code', 'two words'], `--code ${SLUG}`],
    ['promotion_code.created', ['--affiliate-slug', ''], `--affiliate-slug ${SLUG}`],
    ['checkout.session.completed', ['--code', 'JANE20'], OF_PROMOTIONS],
    ['invoice.paid', ['--affiliate-slug', 'jane'], OF_PROMOTIONS],
  ])('stripe simulate refuses %s with %j', async (type, options, sentence) => {
    const { status, stderr } = await run(simulate(await aProgram(table), '--event', type, ...options));
    expect([status, stderr]).toEqual([2, expect.stringMatching(`^${sentence}`)]);
  });

  test('stripe simulate prints what the service ignores, with status 0, and says what to do', async () => {
    const program = await aProgram(table);
    await json(connect(program, '--secret', SECRET));
    const paid = simulate(program, '--event', 'invoice.paid', '--uid', '4711');
    const { status, stdout, stderr } = await run([...paid, '--json']);
    expect({ status, json: JSON.parse(stdout), stderr }).toEqual({
      status: 0,
      json: { status: 200, body: { ignored: 'unknown_customer' } },
      stderr: 'The event is ignored: docs/payments.md (What the responses mean) says what to do.\n',
    });
    expect((await run(paid)).stdout).toMatch(/│ status │ 200 +│\n.*body +│ \{"ignored":"unknown_customer"\} │/);
  });

  test('stripe simulate ends with the status 1 if the service cannot be reached', async () => {
    const program = await aProgram(table);
    await json(connect(program, '--secret', SECRET));
    const ended = await run([...simulate(program, '--event', 'invoice.paid'), '--base-url', 'http://127.0.0.1:9']);
    const stderr = expect.stringMatching(/^The connection to http:\/\/127\.0\.0\.1:9 failed \(.*\)\. .*--base-url/);
    expect(ended).toEqual({ status: 1, stdout: '', stderr });
  });

  test('stripe simulate says what is missing before it can send', async () => {
    const program = await aProgram(table);
    const args = simulate(program, '--event', 'invoice.paid');
    expect(await run(args)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'The program has no Stripe signing secret. Run `stripe connect` first.\n',
    });
  });
});
