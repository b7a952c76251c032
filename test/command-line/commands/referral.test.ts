import { beforeEach, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId, now } from '../../support/program.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let jane: Advocate;
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program, { slug: 'jane', commissionPercentage: 10 });
});

const command = (verb: string, ...args: string[]) => ['referral', verb, '--program', program.id, ...args];
const printed = async (verb: string, ...args: string[]) => Object(await jsonHere(table, ...command(verb, ...args)));
const run = (verb: string, ...args: string[]) => adminHere(table, ...command(verb, ...args));
const refusal = (stderr: string) => ({ status: 1, stdout: '', stderr: `${stderr}\n` });
const unknown = (option: string, otherReason = '') =>
  refusal(
    `No referral of the program has the ${option} in --${option}${otherReason}. Run \`referral export\` to list all referrals.`,
  );
const A_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/.source;

test('show prints a referral, its history, and its advocate in the format of `advocate list`', async () => {
  const click = await aClick(table, program, jane, { subId: 'spring' });
  const email = anEmail();
  const { referral } = await track(table, program, { by: { slug: 'jane', clickId: click.id }, email });
  const paid = await printed('set-state', '--email', email, '--state', 'paid');
  expect(paid).toMatchObject({ id: click.id, email, state: 'paid', affiliate_slug: 'jane' });
  expect(paid).not.toHaveProperty('history');
  await expectUnchanged(table, async () => {
    expect(await printed('set-state', '--id', click.id, '--state', 'paid')).toEqual(paid);
  });
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
    converted_at: referral.stateSetAt,
    sub_id: 'spring',
    commission_percentage: 10,
    commission_rules_id: null,
    commission_end_date: expect.any(Number),
    flags: [],
    ...{ credited_by: 'link', code: null },
    ...{ payments: 0, revenue: {}, commission: {} },
    advocate: listed,
    history: [
      { type: 'state', state: 'clicked', lost: null, set_at: click.createdAt, by: 'visitor' },
      { type: 'state', state: 'converted', lost: null, set_at: referral.stateSetAt, by: 'merchant' },
      { type: 'state', state: 'paid', lost: null, set_at, by: 'operator' },
    ],
  });
  expect(await printed('show', '--id', click.id.toUpperCase())).toEqual(shown);
  const { stdout } = await run('show', '--id', click.id);
  expect(stdout).toContain(`│ email                 │ ${email}`);
  expect(stdout).toMatch(new RegExp(`│ commission end date +│ ${A_TIME} +│`));
  expect(stdout).toMatch(/│ advocate name +│ Jane Doe +│/);
  expect(stdout).toMatch(new RegExp(`│ change +│ set at +│ by +│\\n.*\\n(.*\\n)+│ converted │ ${A_TIME} │ merchant │`));
});

test('set-state rejects a state that is not allowed', async () => {
  const { id } = await aReferral(table, program, jane, { state: 'paid' });
  const sentence = 'Cannot change state from paid to the requested state; allowed: churned, rejected.';
  await expectUnchanged(table, async () => {
    expect(await run('set-state', '--id', id, '--state', 'converted')).toEqual(refusal(sentence));
  });
});

test('erase reports the erased fields without values; a repetition does not find the referral', async () => {
  const email = anEmail();
  const request = { by: { slug: 'jane', clickId: newId() }, email, uid: 'erase-1', key: newId() };
  const { id } = (await track(table, program, request)).referral;
  const { stdout } = await run('erase', '--email', email, '--json');
  expect(JSON.parse(stdout)).toEqual({ id, state: 'converted', erased: ['email', 'uid', 'idempotency_record'] });
  const left = JSON.stringify(await allItems(table));
  for (const output of [stdout, left]) expect(output).not.toMatch(new RegExp(`${email}|erase-1`));
  const otherReason = ', or the person was erased already';
  expect(await run('erase', '--email', email)).toEqual(unknown('email', otherReason));
  expect(await run('erase', '--uid', 'erase-1')).toEqual(unknown('uid', otherReason));
  expect(await printed('show', '--id', id)).toMatchObject({ email: null, uid: null, state: 'converted' });
  expect(await printed('erase', '--id', id)).toEqual({ id, state: 'converted', erased: [] });
  const { email: other } = await aReferral(table, program, jane);
  expect((await run('erase', '--email', String(other))).stdout).toMatch(/│ erased │ email +│/);
});

test('reassign moves a referral to another advocate, at its rate and with its flags, and back', async () => {
  await anAdvocate(table, program, { slug: 'john', uid: 'same', commissionPercentage: 30 });
  const { referral } = await track(table, program, { by: { slug: jane.slug, clickId: null }, uid: 'same' });
  const { id, email, stateSetAt, createdAt } = referral;
  const moved = await printed('reassign', '--email', String(email), '--advocate', 'JOHN');
  const expected = { id, email, uid: 'same', state: 'converted', state_set_at: stateSetAt, created_at: createdAt };
  const atJohns = { ...expected, affiliate_slug: 'john', commission_percentage: 30, flags: ['self_referral'] };
  expect(moved).toMatchObject(atJohns);
  expect(Object.keys(moved)).not.toContain('history');
  await expectUnchanged(table, async () => {
    expect(await printed('reassign', '--uid', 'same', '--advocate', 'john')).toEqual(moved);
  });
  const back = await printed('reassign', '--id', id.toUpperCase(), '--advocate', 'jane');
  expect(back).toMatchObject({ ...expected, affiliate_slug: 'jane', commission_percentage: 10, flags: [] });
  await printed('erase', '--id', id);
  const set_at = expect.any(Number);
  expect(await printed('show', '--id', id)).toMatchObject({
    advocate: { slug: 'jane' },
    history: [
      { type: 'state', state: 'converted', set_at: stateSetAt, by: 'merchant' },
      { type: 'reassignment', from: 'jane', to: 'john', set_at, by: 'operator' },
      { type: 'reassignment', from: 'john', to: 'jane', set_at, by: 'operator' },
      { type: 'erasure', set_at, by: 'operator' },
    ],
  });
  const { stdout } = await run('show', '--id', id);
  expect(stdout).toMatch(/│ moved from john to jane │ \S+Z │ operator │/);
  expect(stdout).toMatch(/│ erased +│ \S+Z │ operator │/);
});

test('a referral is not moved to a deactivated advocate, and a click not at all', async () => {
  await anAdvocate(table, program, { slug: 'idle' });
  await updateAdvocate(table, program.id, 'idle', { active: false });
  const { id } = await aReferral(table, program, jane);
  const click = await aClick(table, program, jane);
  const none =
    'No active advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.';
  await expectUnchanged(table, async () => {
    for (const [referral, slug, refused] of [
      [id, 'idle', refusal(none)],
      [click.id, 'jane', refusal('The referral is a click. Move it after it has converted.')],
    ] as const) {
      expect(await run('reassign', '--id', referral, '--advocate', slug)).toEqual(refused);
    }
  });
});

test('list prints the attributes that a merchant sees, newest first, without clicks', async () => {
  const START = seconds(now() - 10_000);
  await anAdvocate(table, program, { slug: 'own', uid: 'own-uid' });
  const own = { slug: 'own', clickId: null };
  await aClick(table, program, jane);
  const first = await aReferral(table, program, jane, { createdAt: START, stateSetAt: START, updatedAt: START });
  const { referral } = await track(table, program, { by: own, uid: 'own-uid', email: null, subId: 'news' });
  const of = (...options: string[]) => printed('list', ...options) as Promise<{ id: string }[]>;
  expect(await of('--advocate', 'OWN')).toEqual([
    {
      id: referral.id,
      affiliate_slug: 'own',
      state: 'converted',
      sub_id: 'news',
      commission_percentage: 20,
      commission_rules_id: null,
      email: null,
      uid: 'own-uid',
      flags: ['self_referral'],
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      converted_at: referral.stateSetAt,
      commission_end_date: expect.any(Number),
    },
  ]);
  const { stdout } = await run('list', '--advocate', 'own');
  expect(stdout).toMatch(/│ id +│ email +│ uid +│ state +│ state set at +│ created at +│ sub id +│ flags +│/);
  expect(stdout).toMatch(new RegExp(`│ ${referral.id} │ – +│ own-uid │ converted │ .* │ self_referral │`));
  const more = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.\n';
  expect((await run('list', '--limit', '1')).stdout.endsWith(more)).toBe(true);
  const ids = async (...options: string[]) => (await of(...options)).map(({ id }) => id);
  expect(await ids()).toEqual([referral.id, first.id]);
  const after = ['--created-after', new Date(START * 1000).toISOString()];
  expect(await ids('--advocate', 'jane', ...after)).toEqual([]);
  expect(await ids('--advocate', 'jane', '--state', 'clicked')).toHaveLength(1);
  expect((await run('list', '--advocate', 'own', '--sub-id', 'x')).stdout).toBe('There are no such referrals.\n');
  const alone = await run('list', '--sub-id', 'news');
  expect(alone).toMatchObject({ status: 2, stderr: expect.stringContaining('Add --advocate.') });
});
