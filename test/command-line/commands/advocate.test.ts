import { describe, expect, test } from '@jest/globals';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import { SEE_HELP } from '../../support/admin.ts';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram();

const command = (verb: string, slug: string, ...options: string[]) => [
  ...['advocate', verb, '--program', program.id, '--advocate', slug],
  ...options,
];
const run = (verb: string, slug: string, ...options: string[]) => adminHere(table, ...command(verb, slug, ...options));
const refusal = (status: number, stderr: string) => ({ status, stdout: '', stderr });
const UNKNOWN = refusal(
  1,
  'No advocate of the program has the slug in --advocate. Run `advocate list` to see its advocates.\n',
);
const listed = async (slug: string) =>
  ((await jsonHere(table, 'advocate', 'list', '--program', program.id)) as { slug: string }[]).find(
    (advocate) => advocate.slug === slug,
  );

describe('advocate show', () => {
  test('advocate show prints what list prints, and the counts of its clicks and referrals', async () => {
    const advocate = await anAdvocate(table, program);
    const other = await anAdvocate(table, program);
    for (const each of [advocate, advocate, other]) await aClick(table, program, each);
    for (const state of ['paid', 'paid', 'churned', 'rejected'] as const) {
      await aReferral(table, program, advocate, { state });
    }
    await aClick(table, program, advocate, { state: 'rejected' });
    const shown = await jsonHere(table, ...command('show', advocate.slug.toUpperCase()));
    const counts = { clicked: 2, converted: 0, paid: 2, churned: 1, rejected: 2 };
    expect(shown).toEqual({ ...(await listed(advocate.slug)), counts });
    const { stdout } = await run('show', advocate.slug);
    expect(stdout).toMatch(/│ email +│ jane-.*\n(.*\n)+│ clicked +│ 2 +│\n│ converted +│ 0 +│\n│ paid +│ 2 +│/);
  });

  test('advocate show accepts --slug, an earlier name of --advocate', async () => {
    const { slug } = await anAdvocate(table, program);
    const shown = await jsonHere(table, 'advocate', 'show', '--program', program.id, '--slug', slug);
    expect(shown).toMatchObject({ slug });
  });

  test('advocate show reports an unknown or malformed slug', async () => {
    expect(await run('show', 'nobody')).toEqual(UNKNOWN);
    expect(await run('show', 'no/body')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^--advocate must be /),
    });
  });
});

describe('advocate update', () => {
  test('advocate update changes every field, and prints the advocate', async () => {
    const { slug, id, createdAt } = await anAdvocate(table, program);
    const options = '--email Jo@Example.com --first-name Jo --last-name Roe --uid 4711 --company-id 7 --company Acme';
    const updated = await jsonHere(
      table,
      ...command('update', slug, ...options.split(' '), '--commission-percentage', '0'),
    );
    expect(updated).toMatchObject({
      id,
      uid: '4711',
      email: 'jo@example.com',
      first_name: 'Jo',
      last_name: 'Roe',
      slug,
      referral_link: `https://acme.example/?via=${slug}`,
      company_id: '7',
      company: 'Acme',
      created_at: createdAt,
      commission_percentage: 0,
      active: true,
    });
    expect(await listed(slug)).toEqual(updated);
  });

  test('advocate update changes only what is given, and clears what has --no-', async () => {
    const fields = { uid: newId(), companyId: '7', company: 'Acme', commissionPercentage: 5 };
    let expected = await anAdvocate(table, program, fields);
    const { slug } = expected;
    const steps: [string[], object][] = [
      [['--email', 'jo@example.com'], { email: 'jo@example.com' }],
      [['--no-first-name'], { firstName: null }],
      [['--no-last-name'], { lastName: null }],
      [['--no-uid'], { uid: null }],
      [['--no-company-id'], { companyId: null }],
      [['--no-company'], { company: null }],
      [['--no-commission-percentage'], { commissionPercentage: null }],
      [['--metadata', '{"tier":"gold"}'], { metadata: { tier: 'gold' } }],
      [['--no-metadata'], { metadata: {} }],
    ];
    for (const [options, change] of steps) {
      await jsonHere(table, ...command('update', slug, ...options));
      expected = { ...expected, ...change, version: expected.version + 1 };
      expect(await findAdvocate(table, program.id, slug)).toEqual(expected);
    }
  });

  test.each([
    ['update', ['--company', 'Acme'], 'for conversions immediately, and for clicks within 30 seconds.'],
    ['deactivate', [], 'for conversions immediately, and for clicks within 30 seconds.'],
    ['activate', [], 'immediately.'],
  ])('%s says when the update takes effect, in its help and below the table', async (verb, options, when) => {
    const { slug } = await anAdvocate(table, program);
    const sentence = `\nThe change takes effect ${when}\n`;
    expect((await run(verb, slug, ...options)).stdout).toContain(`┘${sentence}`);
    expect((await run(verb, slug, '--help')).stdout).toContain(sentence);
  });

  test('advocate update changes nothing if the uid is taken, or if the advocate is unknown', async () => {
    const { slug } = await anAdvocate(table, program);
    const { uid } = await anAdvocate(table, program, { uid: newId() });
    await expectUnchanged(table, async () => {
      const taken = refusal(1, 'Another advocate of the program has this uid. Choose another --uid.\n');
      expect(await run('update', slug, '--uid', String(uid), '--first-name', 'Jo')).toEqual(taken);
      expect(await run('update', 'nobody', '--first-name', 'Jo')).toEqual(UNKNOWN);
      for (const verb of ['activate', 'deactivate']) expect(await run(verb, 'nobody')).toEqual(UNKNOWN);
    });
  });

  test.each([
    [[], 'Give at least one option with a new value. Run with --help to see the options.\n'],
    [['--email', 'secret'], '--email must be an email address such as name@example.com.\n'],
    [['--email', ''], '--email must be an email address such as name@example.com.\n'],
    [['--uid', ''], '--uid must be 1 to 128 characters long.\n'],
    [['--commission-percentage', '101'], '--commission-percentage must be a number from 0 to 100.\n'],
    [['--metadata', '{secret'], '--metadata must be a JSON object.\n'],
    [['--metadata', '{"tier":1}'], '--metadata must have texts of 1 to 200 characters as values.\n'],
    [['--no-email'], `error: unknown option '--no-email'\n(Did you mean --email?)\n${SEE_HELP}`],
  ])('the invalid arguments %j are reported, and the table is not read', async (options, stderr) => {
    const unknownProgram = ['advocate', 'update', '--program', newId(), '--advocate', 'jane', ...options];
    await expectUnchanged(table, async () => {
      expect(await adminHere(table, ...unknownProgram)).toEqual(refusal(2, stderr));
    });
  });

  test('an advocate of another program cannot be updated', async () => {
    const { slug } = await anAdvocate(table, program);
    const other = await aProgram(table);
    const options = ['--program', other.id, '--advocate', slug, '--first-name', 'Jo'];
    expect(await adminHere(table, 'advocate', 'update', ...options)).toEqual(UNKNOWN);
  });
});
