import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { advocateKey } from '../../functions/table/keys.ts';
import { adminHere, jsonHere } from '../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { anEmail, track } from './track.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { slug: 'jane' });
});

const command = (verb: string, ...args: string[]) => ['referral', verb, '--program', program.id, ...args];
const printed = (verb: string, ...args: string[]) => jsonHere(table, ...command(verb, ...args));
const refused = (verb: string, ...args: string[]) => adminHere(table, ...command(verb, ...args));
const refusal = (status: number, stderr: string) => ({ status, stdout: '', stderr });
const A_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.source;
const unknown = (option: string) =>
  refusal(
    1,
    `The program has no referral with the ${option} in --${option}. Run referral export to list all referrals.`,
  );

describe('show', () => {
  test('tells a referral, its advocate as advocate list does, and its history', async () => {
    const click = await aClick(table, program, advocate, { subId: 'spring' });
    const email = anEmail();
    const { referral } = await track(table, program, { by: { slug: 'jane', clickId: click.id }, email });
    await printed('set-state', '--email', email, '--state', 'paid');
    const shown = await printed('show', '--email', ` ${email.toUpperCase()} `);
    const [listed] = (await jsonHere(table, 'advocate', 'list', '--program', program.id)) as unknown[];
    const set_at = expect.any(Number);
    expect(shown).toEqual({
      id: click.id,
      advocate_slug: 'jane',
      email,
      uid: null,
      state: 'paid',
      state_set_at: set_at,
      created_at: click.createdAt,
      updated_at: set_at,
      sub_id: 'spring',
      commission_percentage: 20,
      commission_end_date: expect.any(Number),
      advocate: listed,
      history: [
        { state: 'clicked', set_at: click.createdAt, by: 'visitor' },
        { state: 'converted', set_at: referral.stateSetAt, by: 'merchant' },
        { state: 'paid', set_at, by: 'operator' },
      ],
    });
    expect(await printed('show', '--id', click.id.toUpperCase())).toEqual(shown);
  });

  test('prints two tables for people, with times in RFC 3339', async () => {
    const { id, email } = await aReferral(table, program, advocate);
    const { stdout } = await adminHere(table, ...command('show', '--id', id));
    expect(stdout).toContain(`│ email                 │ ${email}`);
    expect(stdout).toMatch(new RegExp(`│ commission end date +│ ${A_TIME} +│`));
    expect(stdout).toMatch(/│ advocate name +│ Jane Doe +│/);
    expect(stdout).toMatch(new RegExp(`│ state +│ set at +│ by +│\\n.*\\n│ converted │ ${A_TIME} │ merchant │`));
  });

  test('tells a referral whose advocate is gone', async () => {
    const gone = await anAdvocate(table, program);
    const { id } = await aReferral(table, program, gone);
    const Key = advocateKey(program.id, gone.slug);
    await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
    expect(await printed('show', '--id', id)).toMatchObject({ id, advocate: null });
    expect((await adminHere(table, ...command('show', '--id', id))).stdout).toMatch(/│ advocate name +│ – +│/);
  });

  test('of what is unknown is one sentence', async () => {
    const elsewhere = await aProgram(table);
    const { id } = await aReferral(table, elsewhere, await anAdvocate(table, elsewhere));
    for (const other of [newId(), id, '4711', 'x'.repeat(5000)]) {
      expect(await refused('show', '--id', other)).toEqual(unknown('id'));
    }
    expect(await refused('show', '--email', 'nobody@shop.example')).toEqual(unknown('email'));
  });
});

describe('wrong usage', () => {
  const exactlyOne = '--email, --uid or --id is required: give exactly one of them.';
  test.each([
    ['show', [], exactlyOne],
    ['show', ['--email', 'secret@shop.example', '--id', 'secret'], exactlyOne],
    ['show', ['--email', 'secret@shop.example', '--uid', 'secret'], exactlyOne],
    ['show', ['--email', 'secret', '--uid', ''], exactlyOne],
    ['show', ['--uid', 'secret', '--id', 'secret'], exactlyOne],
    ['show', ['--email', 'secret'], '--email must be an email address such as name@example.com.'],
    ['show', ['--uid', ''], '--uid must be 1 to 128 characters long.'],
    ['show', ['--uid', 'secret\n'], '--uid must not contain control characters or lone surrogates.'],
    ['set-state', ['--state', 'paid'], exactlyOne],
    ['set-state', ['--state', 'paid', '--uid', 'secret', '--id', 'secret'], exactlyOne],
    ['set-state', ['--id', 'a', '--state', 'clicked'], '--state must be one of converted, paid, churned, rejected.'],
    ['set-state', ['--id', 'a', '--state', 'secret'], '--state must be one of converted, paid, churned, rejected.'],
    ['set-state', ['--id', 'a'], '--state is missing: add --help to see how it is called.'],
    ['erase', [], exactlyOne],
    ['erase', ['--email', 'secret@shop.example', '--uid', 'secret', '--id', 'secret'], exactlyOne],
    ['erase', ['--uid', 'u'.repeat(129)], '--uid must be 1 to 128 characters long.'],
    ['import', [], '--file is missing: add --help to see how it is called.'],
  ])('%s %j', async (verb, args, sentence) => {
    expect(await refused(verb, ...args)).toEqual(refusal(2, sentence));
  });
});

describe('set-state', () => {
  test('sets what may follow, as the operator, and the same again changes nothing', async () => {
    const { id, email } = await aReferral(table, program, advocate);
    const paid = await printed('set-state', '--email', String(email), '--state', 'paid');
    expect(paid).toMatchObject({ id, email, state: 'paid', advocate_slug: 'jane' });
    expect(paid).not.toHaveProperty('history');
    const before = await allItems(table);
    expect(await printed('set-state', '--id', id, '--state', 'paid')).toEqual(paid);
    expect(await allItems(table)).toEqual(before);
    const forPeople = await adminHere(table, ...command('set-state', '--id', id, '--state', 'churned'));
    expect(forPeople.stdout).toMatch(/│ state +│ churned +│/);
  });

  test.each([
    ['converted', 'paid', 'converted', 'The referral is paid: only churned or rejected can follow.'],
    ['converted', 'rejected', 'paid', 'The referral is rejected: only converted can follow.'],
    ['clicked', 'clicked', 'paid', 'The referral is clicked: only rejected can follow.'],
    ['clicked', 'rejected', 'converted', 'The referral is rejected: no other state can be set.'],
  ] as const)('refuses what cannot follow: %s, %s, then %s', async (begin, state, next, sentence) => {
    const make = begin === 'clicked' ? aClick : aReferral;
    const { id } = await make(table, program, advocate);
    if (state !== begin) await printed('set-state', '--id', id, '--state', state);
    const before = await allItems(table);
    expect(await refused('set-state', '--id', id, '--state', next)).toEqual(refusal(1, sentence));
    expect(await allItems(table)).toEqual(before);
  });

  test('of what is unknown is one sentence', async () => {
    expect(await refused('set-state', '--id', newId(), '--state', 'paid')).toEqual(unknown('id'));
  });
});

describe('erase', () => {
  test('tells what was erased and none of its values; again there is nobody', async () => {
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
    expect(await refused('erase', '--email', email)).toEqual(unknown('email'));
    expect(await printed('show', '--id', id)).toMatchObject({ email: null, uid: null, state: 'converted' });
    const { email: other } = await aReferral(table, program, advocate);
    const forPeople = await adminHere(table, ...command('erase', '--email', String(other)));
    expect(forPeople.stdout).toMatch(/│ erased │ email +│/);
  });
});
