import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { advocateKey } from '../../../functions/table/keys.ts';
import { SEE_HELP } from '../../support/admin.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram({}, { slug: 'jane' });

const command = (verb: string, ...args: string[]) => ['referral', verb, '--program', program.id, ...args];
const printed = (verb: string, ...args: string[]) => jsonHere(table, ...command(verb, ...args));
const run = (verb: string, ...args: string[]) => adminHere(table, ...command(verb, ...args));
const refusal = (status: number, stderr: string) => ({ status, stdout: '', stderr: `${stderr}\n` });
const A_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.source;
const unknown = (option: string, otherReason = '') =>
  refusal(
    1,
    `No referral of the program has the ${option} in --${option}${otherReason}. Run \`referral export\` to list all referrals.`,
  );

describe('referral show', () => {
  test('show prints a referral, its history, and its advocate in the format of `advocate list`', async () => {
    const click = await aClick(table, program, advocate, { subId: 'spring' });
    const email = anEmail();
    const { referral } = await track(table, program, { by: { slug: 'jane', clickId: click.id }, email });
    await printed('set-state', '--email', email, '--state', 'paid');
    const shown = await printed('show', '--email', ` ${email.toUpperCase()} `);
    const [listed] = (await jsonHere(table, 'advocate', 'list', '--program', program.id)) as unknown[];
    const set_at = expect.any(Number);
    expect(shown).toEqual({
      id: click.id,
      affiliate_slug: 'jane',
      email,
      uid: null,
      state: 'paid',
      state_set_at: set_at,
      created_at: click.createdAt,
      updated_at: set_at,
      sub_id: 'spring',
      commission_percentage: 20,
      commission_end_date: expect.any(Number),
      flags: [],
      advocate: listed,
      history: [
        { type: 'state', state: 'clicked', set_at: click.createdAt, by: 'visitor' },
        { type: 'state', state: 'converted', set_at: referral.stateSetAt, by: 'merchant' },
        { type: 'state', state: 'paid', set_at, by: 'operator' },
      ],
    });
    expect(await printed('show', '--id', click.id.toUpperCase())).toEqual(shown);
  });

  test('show prints two readable tables with times in RFC 3339', async () => {
    const { id, email } = await aReferral(table, program, advocate);
    const { stdout } = await adminHere(table, ...command('show', '--id', id));
    expect(stdout).toContain(`│ email                 │ ${email}`);
    expect(stdout).toMatch(new RegExp(`│ commission end date +│ ${A_TIME} +│`));
    expect(stdout).toMatch(/│ advocate name +│ Jane Doe +│/);
    expect(stdout).toMatch(new RegExp(`│ change +│ set at +│ by +│\\n.*\\n│ converted │ ${A_TIME} │ merchant │`));
  });

  test('show prints a referral whose advocate does not exist', async () => {
    const gone = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, gone);
    const Key = advocateKey(program.id, gone.slug);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    expect(await printed('show', '--id', id)).toMatchObject({ id, advocate: null });
    expect((await adminHere(table, ...command('show', '--id', id))).stdout).toMatch(/│ advocate name +│ – +│/);
  });

  test('show reports an unknown referral', async () => {
    const elsewhere = await aProgram(table);
    const { id } = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere));
    for (const other of [newId(), id, '4711', 'x'.repeat(5000)]) {
      expect(await run('show', '--id', other)).toEqual(unknown('id'));
    }
    expect(await run('show', '--email', 'nobody@shop.example')).toEqual(unknown('email'));
  });
});

describe('invalid arguments', () => {
  const none = '--email, --uid or --id is required. Give exactly one of them.';
  const usage = (sentence: string) => `error: ${sentence}\n${SEE_HELP.trimEnd()}`;
  const both = (one: string, other: string) => usage(`option '${one}' cannot be used with option '${other}'`);
  const [email, uid, id] = ['--email <address>', '--uid <uid>', '--id <id>'] as const;
  const invalidState = usage(
    "option '--state <state>' argument is invalid. Allowed choices are converted, paid, churned, rejected.",
  );
  test.each([
    ['show', [], none],
    ['show', ['--email', 'secret@shop.example', '--id', 'secret'], both(email, id)],
    ['show', ['--email', 'secret@shop.example', '--uid', 'secret'], both(email, uid)],
    ['show', ['--email', 'secret', '--uid', ''], both(email, uid)],
    ['show', ['--uid', 'secret', '--id', 'secret'], both(uid, id)],
    ['show', ['--email', 'secret'], '--email must be an email address such as name@example.com.'],
    ['show', ['--uid', ''], '--uid must be 1 to 128 characters long.'],
    ['show', ['--uid', 'secret\n'], '--uid must not contain control characters, line separators or lone surrogates.'],
    ['set-state', ['--state', 'paid'], none],
    ['set-state', ['--state', 'paid', '--uid', 'secret', '--id', 'secret'], both(uid, id)],
    ['set-state', ['--id', 'a', '--state', 'clicked'], invalidState],
    ['set-state', ['--id', 'a', '--state', 'secret'], invalidState],
    ['set-state', ['--id', 'a'], usage("required option '--state <state>' not specified")],
    ['erase', [], none],
    ['erase', ['--email', 'secret@shop.example', '--uid', 'secret', '--id', 'secret'], both(email, uid)],
    ['erase', ['--uid', 'u'.repeat(129)], '--uid must be 1 to 128 characters long.'],
    ['import', [], usage("required option '--file <path>' not specified")],
  ])('the invalid arguments %s %j are reported', async (verb, args, sentence) => {
    expect(await run(verb, ...args)).toEqual(refusal(2, sentence));
  });
});

describe('referral set-state', () => {
  test('set-state sets an allowed state as the operator, and a repetition changes nothing', async () => {
    const { id, email } = await aReferral(table, program, advocate);
    const paid = await printed('set-state', '--email', String(email), '--state', 'paid');
    expect(paid).toMatchObject({ id, email, state: 'paid', affiliate_slug: 'jane' });
    expect(paid).not.toHaveProperty('history');
    const before = await allItems(table);
    expect(await printed('set-state', '--id', id, '--state', 'paid')).toEqual(paid);
    expect(await allItems(table)).toEqual(before);
    const readable = await adminHere(table, ...command('set-state', '--id', id, '--state', 'churned'));
    expect(readable.stdout).toMatch(/│ state +│ churned +│/);
  });

  test.each([
    [
      'converted',
      'paid',
      'converted',
      'Cannot change state from paid to the requested state; allowed: churned, rejected.',
    ],
    ['converted', 'rejected', 'paid', 'Cannot change state from rejected to the requested state; allowed: converted.'],
    ['clicked', 'clicked', 'paid', 'The referral is still a click. Report its conversion first.'],
    ['clicked', 'rejected', 'converted', 'Cannot change state from rejected.'],
  ] as const)(
    'set-state rejects a state that is not allowed: %s, %s, then %s',
    async (begin, state, next, sentence) => {
      const make = begin === 'clicked' ? aClick : aReferral;
      const { id } = await make(table, program, advocate);
      if (state !== begin) await printed('set-state', '--id', id, '--state', state);
      const before = await allItems(table);
      expect(await run('set-state', '--id', id, '--state', next)).toEqual(refusal(1, sentence));
      expect(await allItems(table)).toEqual(before);
    },
  );

  test('set-state reports an unknown referral', async () => {
    expect(await run('set-state', '--id', newId(), '--state', 'paid')).toEqual(unknown('id'));
  });
});

describe('referral erase', () => {
  test('erase reports the erased fields without values; a repetition does not find the referral', async () => {
    const email = anEmail();
    const request = { by: { slug: 'jane', clickId: newId() }, email, uid: 'erase-1', key: newId() };
    const { referral } = await track(table, program, request);
    const { id } = referral;
    const { status, stdout, stderr } = await adminHere(table, ...command('erase', '--email', email, '--json'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      id,
      state: 'converted',
      erased: ['email', 'uid', 'idempotency_record'],
    });
    const left = JSON.stringify(await allItems(table));
    for (const output of [stdout, left]) expect(output).not.toMatch(new RegExp(`${email}|erase-1`));
    const otherReason = ', or the person was erased already';
    expect(await run('erase', '--email', email)).toEqual(unknown('email', otherReason));
    expect(await run('erase', '--uid', 'erase-1')).toEqual(unknown('uid', otherReason));
    expect(await printed('show', '--id', id)).toMatchObject({ email: null, uid: null, state: 'converted' });
    const { email: other } = await aReferral(table, program, advocate);
    const readable = await adminHere(table, ...command('erase', '--email', String(other)));
    expect(readable.stdout).toMatch(/│ erased │ email +│/);
  });

  test('erase prints no internal field', async () => {
    const email = anEmail();
    await track(table, program, { by: { slug: 'jane', clickId: newId() }, email, key: newId() });
    for (const verb of ['show', 'erase']) {
      const { status, stdout } = await adminHere(table, ...command(verb, '--email', email));
      expect(status).toBe(0);
      expect(stdout).not.toMatch(/idempotency|version|pk|sk/);
    }
  });
});
