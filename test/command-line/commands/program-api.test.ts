import { describe, expect, test } from '@jest/globals';
import { adminHere, jsonHere } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const here = (id: string, ...words: string[]) => jsonHere(table, ...words, '--program', id);
const fails = (id: string, ...words: string[]) => adminHere(table, ...words, '--program', id);

describe('commands for what the API shows', () => {
  test('program create and update set what affiliates see, slugs, payable days and mode', async () => {
    const fields = ['--name', 'Shop', '--site-url', 'https://shop.example', '--commission-percentage', '20'];
    const options = [...fields, '--mode', 'test', '--slugs', 'random'];
    const created = await jsonHere(table, 'program', 'create', ...options, '--affiliates-see-email', 'masked');
    const { id } = created as { id: string };
    expect(created).toMatchObject({ mode: 'test', slugs: 'random', affiliates_see_email: 'masked' });
    const updated = await here(id, 'program', 'update', '--payable-after-days', '30', '--slugs', 'names');
    expect(updated).toMatchObject({ mode: 'test', slugs: 'names', payable_after_days: 30 });
    const slug = await here(
      id,
      'advocate',
      'create',
      '--email',
      'a@b.example',
      '--first-name',
      'Ørsted',
      '--last-name',
      'Groß',
    );
    expect(slug).toMatchObject({ slug: 'orsted-gross' });
  });

  test('tokens have scopes and a name, and by default read, track and advocates', async () => {
    const { id } = await aProgram(table);
    expect(await here(id, 'token', 'create')).toMatchObject({ kind: 'program', token: expect.stringMatching(/^rtp_/) });
    await here(id, 'token', 'create', '--scope', 'admin', 'read', '--name', 'Dashboard');
    expect(await here(id, 'token', 'list')).toEqual([
      expect.objectContaining({ name: 'Dashboard', scopes: ['read', 'admin'] }),
      expect.objectContaining({ name: null, scopes: ['read', 'track', 'advocates'] }),
    ]);
    const { slug } = await anAdvocate(table, await aProgram(table));
    const { status, stderr } = await fails(id, 'token', 'create', '--advocate', slug, '--scope', 'read');
    expect([status, stderr]).toEqual([2, expect.stringContaining('Tokens of advocates have no scopes.')]);
  });

  test('advocate erase prints the erased advocate, which cannot be changed afterwards', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    const erased = { slug, email: null, first_name: null, last_name: null, active: false };
    expect(await here(program.id, 'advocate', 'erase', '--advocate', slug)).toMatchObject(erased);
    expect(await here(program.id, 'advocate', 'erase', '--advocate', slug)).toMatchObject(erased);
    const { status, stderr } = await fails(program.id, 'advocate', 'activate', '--advocate', slug);
    expect([status, stderr]).toEqual([1, expect.stringContaining('The advocate was erased. Create a new advocate.')]);
  });

  test('advocate list filters by email, uid and active', async () => {
    const program = await aProgram(table);
    const jane = await anAdvocate(table, program, { email: 'jane@b.example', uid: 'p-1' });
    const john = await anAdvocate(table, program);
    await here(program.id, 'advocate', 'deactivate', '--advocate', john.slug);
    const list = async (...filters: string[]) =>
      ((await here(program.id, 'advocate', 'list', ...filters)) as { slug: string }[]).map(({ slug }) => slug);
    expect(await list('--email', 'JANE@b.example')).toEqual([jane.slug]);
    expect(await list('--uid', 'p-1')).toEqual([jane.slug]);
    expect(await list('--active', 'false')).toEqual([john.slug]);
    expect(await list('--active', 'false', '--uid', 'p-1')).toEqual([]);
  });

  test('referral list without --advocate lists the whole program', async () => {
    const program = await aProgram(table);
    const one = await aReferral(table, program, await anAdvocate(table, program), { state: 'paid' });
    const other = await aReferral(table, program, await anAdvocate(table, program));
    const list = async (...filters: string[]) =>
      ((await here(program.id, 'referral', 'list', ...filters)) as { id: string }[]).map(({ id }) => id);
    expect(await list()).toEqual([other.id, one.id].sort().reverse());
    expect(await list('--state', 'paid')).toEqual([one.id]);
    expect(await list('--limit', '1')).toHaveLength(1);
    for (const filter of [
      ['--sub-id', 'x'],
      ['--state', 'clicked'],
      ['--created-after', '2026-01-01T00:00:00Z'],
    ]) {
      const { status, stderr } = await fails(program.id, 'referral', 'list', ...filter);
      expect([status, stderr]).toEqual([2, expect.stringContaining('Add --advocate.')]);
    }
  });
});
