import { describe, expect, test } from '@jest/globals';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { SEE_HELP } from '../../support/admin.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aReferral, newId, now } from '../../support/program.ts';
import { track } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();
const START = seconds(now() - 10_000);
const rfc3339 = (second: number) => new Date(second * 1000).toISOString();
const command = (slug: string, ...options: string[]) => [
  ...['referral', 'list', '--program', program.id, '--advocate', slug],
  ...options,
];

/** The ids in a list, in their order. */
async function ids(slug: string, ...options: string[]) {
  return ((await jsonHere(table, ...command(slug, ...options))) as { id: string }[]).map(({ id }) => id);
}

test('list prints the attributes that a merchant sees, newest first, without clicks', async () => {
  const jane = await anAdvocate(table, program, { uid: 'jane-uid' });
  const { slug } = jane;
  await aClick(table, program, jane);
  const first = await aReferral(table, program, jane, { createdAt: START, stateSetAt: START, updatedAt: START });
  const { referral } = await track(table, program, { by: { slug, clickId: null }, uid: 'jane-uid', email: null });
  const attributes = { affiliate_slug: slug, state: 'converted', sub_id: null, commission_percentage: 20 };
  expect(await jsonHere(table, ...command(slug.toUpperCase()))).toEqual([
    {
      id: referral.id,
      ...attributes,
      email: null,
      uid: 'jane-uid',
      flags: ['self_referral'],
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      commission_end_date: expect.any(Number),
    },
    {
      id: first.id,
      ...attributes,
      email: first.email,
      uid: null,
      flags: [],
      state_set_at: START,
      created_at: START,
      updated_at: START,
      commission_end_date: first.commissionEndDate,
    },
  ]);
  const { stdout } = await adminHere(table, ...command(slug));
  expect(stdout).toMatch(/│ id +│ email +│ uid +│ state +│ state set at +│ created at +│ sub id +│ flags +│/);
  expect(stdout).toMatch(new RegExp(`│ ${referral.id} │ – +│ jane-uid │ converted │ .* │ self_referral │`));
});

describe('options of referral list', () => {
  test('the options filter by state, sub id and both times', async () => {
    const jane = await anAdvocate(table, program);
    const at = (offset: number) => seconds(START + offset);
    const click = await aClick(table, program, jane, { createdAt: at(0), subId: 'news' });
    const stored = [];
    for (const [index, state] of (['converted', 'paid', 'paid', 'churned'] as const).entries()) {
      const times = { createdAt: at(index), stateSetAt: at(100 - index), updatedAt: at(100) };
      stored.push(await aReferral(table, program, jane, { state, subId: index % 2 === 0 ? 'news' : null, ...times }));
    }
    const [a, b, c, d] = stored.map(({ id }) => id);
    expect(await ids(jane.slug)).toEqual([d, c, b, a]);
    expect(await ids(jane.slug, '--state', 'paid')).toEqual([c, b]);
    expect(await ids(jane.slug, '--state', 'clicked')).toEqual([click.id]);
    expect(await ids(jane.slug, '--sub-id', 'news')).toEqual([c, a]);
    expect(await ids(jane.slug, '--created-after', rfc3339(at(1)))).toEqual([d, c]);
    expect(await ids(jane.slug, '--created-before', rfc3339(at(1)))).toEqual([a]);
    expect(await ids(jane.slug, '--state-set-after', rfc3339(at(98)))).toEqual([a, b]);
    expect(await ids(jane.slug, '--state-set-before', rfc3339(at(99)), '--state', 'paid')).toEqual([c]);
  });

  test('the rows are limited to 50, or to any number', async () => {
    const jane = await anAdvocate(table, program);
    const options = ['--limit', '51'];
    await Promise.all(Array.from({ length: 51 }, () => aReferral(table, program, jane)));
    const all = await ids(jane.slug, ...options);
    expect(all).toHaveLength(51);
    expect(await ids(jane.slug)).toEqual(all.slice(0, 50));
    expect(await ids(jane.slug, '--limit', '1')).toEqual(all.slice(0, 1));
    const more = 'There are more rows. Raise --limit, narrow the times, or run `referral export`.\n';
    expect((await adminHere(table, ...command(jane.slug))).stdout.endsWith(more)).toBe(true);
    expect((await adminHere(table, ...command(jane.slug, ...options))).stdout).not.toContain(more);
  });
});

test('a deactivated advocate is listed, and one without referrals gets a sentence', async () => {
  const jane = await anAdvocate(table, program);
  await updateAdvocate(table, program.id, jane.slug, { active: false });
  const sentence = 'There are no such referrals.\n';
  expect(await adminHere(table, ...command(jane.slug))).toEqual({ status: 0, stdout: sentence, stderr: '' });
  expect(await ids(jane.slug)).toEqual([]);
});

test('an unknown advocate is reported', async () => {
  const stderr = 'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.\n';
  expect(await adminHere(table, ...command('nobody'))).toEqual({ status: 1, stdout: '', stderr });
});

test.each([
  [['--limit', '0'], '--limit must be a whole number from 1 to 100000.\n'],
  [['--limit', '100001'], '--limit must be a whole number from 1 to 100000.\n'],
  [['--limit', '1.5'], '--limit must be a whole number from 1 to 100000.\n'],
  [['--sub-id', ''], '--sub-id must be 1 to 128 characters long.\n'],
  [
    ['--created-after', '2026-02-01T00:00:00Z', '--created-before', '2026-01-31T00:00:00Z'],
    /^--created-after must not be later than --created-before\.$/m,
  ],
  [
    ['--state-set-after', '2026-02-01T00:00:00Z', '--state-set-before', '2026-01-31T00:00:00Z'],
    /^--state-set-after must not be later than --state-set-before\.$/m,
  ],
  [['--state-set-after', 'yesterday'], /^--state-set-after must be a time such as /],
  [['--state-set-before', '2026-01-31'], /^--state-set-before must be a time such as /],
  [
    ['--state', 'piad'],
    "error: option '--state <state>' argument is invalid. Allowed choices are clicked, converted, paid, churned, rejected.\n" +
      SEE_HELP,
  ],
])('the invalid arguments %j are reported, and the table is not read', async (options, sentence) => {
  const line = ['referral', 'list', '--program', newId(), '--advocate', 'jane', ...options];
  const { status, stdout, stderr } = await adminHere(table, ...line);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  if (typeof sentence === 'string') expect(stderr).toBe(sentence);
  else expect(stderr).toMatch(sentence);
});
