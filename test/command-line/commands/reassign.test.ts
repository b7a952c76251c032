import { expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { SEE_HELP } from '../../support/admin.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aReferral, newId } from '../../support/program.ts';
import { track } from '../../support/table/track.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram({}, { slug: 'jane', commissionPercentage: 10 });
await anAdvocate(table, program, { slug: 'john', uid: 'same', commissionPercentage: 30 });

const command = (...options: string[]) => ['referral', 'reassign', '--program', program.id, ...options];
const refusal = (status: number, stderr: string) => ({ status, stdout: '', stderr: `${stderr}\n` });
const show = (id: string) => jsonHere(table, 'referral', 'show', '--program', program.id, '--id', id);

test('reassign moves a referral to another advocate, at its rate and with its flags, and back', async () => {
  const { referral } = await track(table, program, { by: { slug: jane.slug, clickId: null }, uid: 'same' });
  const { id, email, stateSetAt, createdAt } = referral;
  const moved = await jsonHere(table, ...command('--email', String(email), '--advocate', 'JOHN'));
  const expected = { id, email, uid: 'same', state: 'converted', state_set_at: stateSetAt, created_at: createdAt };
  const atJohns = { ...expected, affiliate_slug: 'john', commission_percentage: 30, flags: ['self_referral'] };
  expect(moved).toMatchObject(atJohns);
  expect(Object.keys(moved as object)).not.toContain('history');
  await expectUnchanged(table, async () => {
    expect(await jsonHere(table, ...command('--uid', 'same', '--advocate', 'john'))).toEqual(moved);
  });
  const back = await jsonHere(table, ...command('--id', id.toUpperCase(), '--advocate', 'jane'));
  expect(back).toMatchObject({ ...expected, affiliate_slug: 'jane', commission_percentage: 10, flags: [] });
  const set_at = expect.any(Number);
  expect(await show(id)).toMatchObject({
    ...expected,
    advocate: { slug: 'jane' },
    history: [
      { type: 'state', state: 'converted', set_at: stateSetAt, by: 'merchant' },
      { type: 'reassignment', from: 'jane', to: 'john', set_at, by: 'operator' },
      { type: 'reassignment', from: 'john', to: 'jane', set_at, by: 'operator' },
    ],
  });
  const { stdout } = await adminHere(table, 'referral', 'show', '--program', program.id, '--id', id);
  expect(stdout).toMatch(/│ moved from john to jane │ \S+Z │ operator │/);
});

test('an erasure by id removes flags, and is part of the history', async () => {
  const { referral } = await track(table, program, { by: { slug: 'john', clickId: null }, email: null, uid: 'same-2' });
  const own = await anAdvocate(table, program, { uid: 'same-2' });
  const { id } = referral;
  await jsonHere(table, ...command('--id', id, '--advocate', own.slug));
  const erase = ['referral', 'erase', '--program', program.id, '--id', id];
  expect(await jsonHere(table, ...erase)).toEqual({ id, state: 'converted', erased: ['uid', 'flags'] });
  expect(await show(id)).toMatchObject({ email: null, uid: null, flags: [], history: expect.any(Array) });
  const { stdout } = await adminHere(table, 'referral', 'show', '--program', program.id, '--id', id);
  expect(stdout).toMatch(/│ erased +│ \S+Z │ operator │/);
  expect(await jsonHere(table, ...erase)).toEqual({ id, state: 'converted', erased: [] });
});

test('a referral is moved neither to an unknown nor to a deactivated advocate, and a click not at all', async () => {
  const idle = await anAdvocate(table, program);
  await updateAdvocate(table, program.id, idle.slug, { active: false });
  const { id } = await aReferral(table, program, jane);
  const click = await aClick(table, program, jane);
  await expectUnchanged(table, async () => {
    const none =
      'No active advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.';
    for (const slug of ['nobody', idle.slug]) {
      expect(await adminHere(table, ...command('--id', id, '--advocate', slug))).toEqual(refusal(1, none));
    }
    const isClick = 'The referral is a click. Move it after it has converted.';
    expect(await adminHere(table, ...command('--id', click.id, '--advocate', 'john'))).toEqual(refusal(1, isClick));
    const unknown = 'No referral of the program has the id in --id. Run `referral export` to list all referrals.';
    expect(await adminHere(table, ...command('--id', newId(), '--advocate', 'john'))).toEqual(refusal(1, unknown));
  });
});

test.each([
  [['--advocate', 'john'], '--email, --uid or --id is required. Give exactly one of them.'],
  [['--id', 'a', '--advocate', 'jo/hn'], /^--advocate must be 1 to 64 /],
  [['--id', 'a'], `error: required option '--advocate <slug>' not specified\n${SEE_HELP.trimEnd()}`],
])('the invalid arguments %j are reported', async (options, sentence) => {
  const { status, stdout, stderr } = await adminHere(table, ...command(...options));
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  if (typeof sentence === 'string') expect(stderr).toBe(`${sentence}\n`);
  else expect(stderr).toMatch(sentence);
});
