import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { contextOf } from '../../../bin/local/event.ts';
import { advocatesHandler } from '../../../functions/advocates/handler.ts';
import { hashToken } from '../../../functions/domain/token.ts';
import { findAdvocate } from '../../../functions/table/advocates.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { listAdvocates } from '../../../functions/table/operator/lists.ts';
import { listTokens } from '../../../functions/table/operator/tokens.ts';
import { type Ended, runAdmin } from '../../support/admin.ts';
import { adminHere } from '../../support/admin-here.ts';
import { eventFor } from '../../support/drivers.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const A_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/;
const A_DAY = 86_400;

/** Runs a command in a separate process, as an operator does. */
const adminProcess = (...args: string[]) =>
  runAdmin(args, { DYNAMODB_ENDPOINT: String(process.env['DYNAMODB_ENDPOINT']), TABLE_NAME: table.name });
const admin = (...args: string[]) => adminHere(table, ...args);

/** Runs a command that must succeed and print nothing on stderr. Returns its output. */
async function printed(...args: string[]): Promise<string> {
  return outputOf(await admin(...args));
}

function outputOf({ status, stdout, stderr }: Ended): string {
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const json = async (...args: string[]): Promise<unknown> => JSON.parse(await printed(...args, '--json'));
const tokenIn = (text: string) => /\brt[pa]_[0-9A-Za-z]{36}\b/.exec(text)?.[0] ?? 'none';

describe('program', () => {
  test('program create accepts every option, and list shows the stored program', async () => {
    const origins = ['https://a.example', 'https://b.example'];
    const options = `--name Shop --site-url https://shop.example --commission-percentage 12.5 --commission-months 6
      --attribution-days 30 --link-parameter ref --allowed-origin ${origins[0]} --allowed-origin ${origins[1]}`;
    const created = JSON.parse(outputOf(await adminProcess('program', 'create', ...options.split(/\s+/), '--json')));
    expect(created).toEqual({
      id: expect.any(String),
      name: 'Shop',
      public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
      site_url: 'https://shop.example/',
      link_parameter: 'ref',
      commission_percentage: 12.5,
      commission_months: 6,
      attribution_days: 30,
      payable_after_days: 0,
      allowed_origins: origins,
      affiliates_see_email: 'full',
      slugs: 'names',
      mode: 'live',
      on_refund: 'ignore',
      created_at: expect.any(Number),
    });
    expect(JSON.parse(outputOf(await adminProcess('program', 'list', '--json')))).toContainEqual(created);
  });

  test('program create and list print readable tables with times in RFC 3339', async () => {
    const options = ['--name', 'Élan', '--site-url', 'https://elan.example', '--commission-percentage', '0'];
    const created = await printed('program', 'create', ...options);
    expect(created).toMatch(/│ attribution days +│ 90 +│\n│ commission percentage +│ 0 +│/);
    const list = await printed('program', 'list');
    expect(list).toMatch(/│ id +│ name +│ site url +│ commission percentage │ created at +│/);
    expect(list.split('\n').find((line) => line.includes('Élan'))).toMatch(A_TIME);
  });
});

describe('advocate', () => {
  const DOE = ['--first-name', 'Jane', '--last-name', 'Doe'];
  const create = (id: string, ...options: string[]) =>
    admin('advocate', 'create', '--program', id, '--email', 'jane@example.com', '--json', ...options);

  test('advocate create stores the value of every option, as the API lists it', async () => {
    const program = await aProgram(table);
    const options = `--email Jane@Example.com --slug JANE --uid 4711 --company-id 7 --company Acme --commission-percentage 5`;
    const command = ['advocate', 'create', '--program', program.id, ...options.split(' '), ...DOE];
    const created = await json(...command);
    const token = tokenIn(await printed('token', 'create', '--program', program.id));
    const event = eventFor({ operation: 'listAdvocates', token });
    const { body = '' } = await advocatesHandler(table.connection)(event, contextOf('advocates'));
    const [{ attributes }] = JSON.parse(body).data;
    expect(attributes).toMatchObject({
      email: 'jane@example.com',
      slug: 'jane',
      uid: '4711',
      company: 'Acme',
    });
    expect(created).toMatchObject({ ...attributes, commission_percentage: 5, active: true });
    expect(await json('advocate', 'list', '--program', program.id)).toEqual([created]);
  });

  test('a slug spells letters such as ø and ß in ASCII', async () => {
    const { id } = await aProgram(table);
    const { stdout } = await create(id, '--first-name', 'Ørsted', '--last-name', 'Groß');
    expect(stdout).toContain('"slug":"orsted-gross"');
  });

  test('a slug is built from the names, with a number and then random characters if they are taken', async () => {
    const program = await aProgram(table);
    for (const slug of ['jane-doe', 'jane-doe-3', 'jane-doe-4', 'jane-doe-5']) {
      await anAdvocate(table, program, { slug });
    }
    expect((await create(program.id, ...DOE)).stdout).toContain('"slug":"jane-doe-2"');
    const [named, nameless] = await Promise.all([create(program.id, ...DOE), create(program.id)]);
    expect(named.stdout).toMatch(/"slug":"jane-doe-[0-9a-z]{6}"/);
    expect(nameless.stdout).toMatch(/"slug":"[0-9a-z]{8}"/);
  });

  test('a slug or uid that is taken is rejected, and nothing is stored', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program, { uid: '4711' });
    for (const [name, value] of Object.entries({ slug, uid: '4711' })) {
      const stderr = `Another advocate of the program has this ${name}. Choose another --${name}.\n`;
      expect(await create(program.id, `--${name}`, value)).toEqual({ status: 1, stdout: '', stderr });
    }
    expect(await listAdvocates(table, program.id)).toHaveLength(1);
  });

  test('deactivate and activate change an advocate, and a repetition changes nothing', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    for (const verb of ['deactivate', 'deactivate', 'activate', 'activate']) {
      const active = verb === 'activate';
      const changed = await json('advocate', verb, '--program', program.id, '--advocate', slug);
      expect(changed).toMatchObject({ slug, active });
      expect(await findAdvocate(table, program.id, slug)).toHaveProperty('active', active);
    }
  });

  test('advocate list prints a readable table, or a sentence if there are no advocates', async () => {
    const program = await aProgram(table);
    const list = ['advocate', 'list', '--program', program.id];
    expect(await printed(...list)).toBe('The program has no advocates yet. Run `advocate create` to create one.\n');
    const { email } = await anAdvocate(table, program);
    const line = (await printed(...list)).split('\n').find((candidate) => candidate.includes(String(email)));
    expect(line).toMatch(/│ Jane +│ Doe +│ – +│ yes +│/);
    expect(line).toMatch(A_TIME);
  });
});

describe('token', () => {
  test('token create prints valid tokens for programs and advocates and stores only their hashes', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    const create = ['token', 'create', '--program', program.id];
    const [readable, one, other] = await Promise.all([
      printed(...create),
      json(...create, '--advocate', slug, '--expires-in-days', '2'),
      printed(...create, '--advocate', slug),
    ]);
    expect(readable).toContain('The token is shown only once: store it now.');
    const kind = 'affiliate';
    expect(one).toEqual({ id: expect.any(String), kind, token: expect.stringMatching(/^rta_/) });
    const tokens = [readable, JSON.stringify(one), other].map(tokenIn);

    const { byToken } = callersOf(table.clock);
    const callers = await Promise.all(tokens.map((token) => byToken(table, token)));
    expect(callers).toMatchObject([
      { kind: 'program', program },
      { kind, program, advocate: { slug } },
      { kind, program, advocate: { slug } },
    ]);
    const { Items } = await table.client.send(new ScanCommand({ TableName: table.name }));
    const content = JSON.stringify(Items);
    for (const token of tokens) {
      expect(content).toContain(hashToken(token));
      expect(content).not.toContain(token.slice('rta_'.length, -6));
    }
  });

  test('token list and revoke show the kind, advocate and times, but never the token', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    const list = ['token', 'list', '--program', program.id];
    expect(await printed(...list)).toBe('The program has no tokens yet. Run `token create` to create one.\n');
    const create = ['token', 'create', '--program', program.id, '--advocate', slug];
    const token = tokenIn(await printed(...create, '--expires-in-days', '2'));
    const [record] = await listTokens(table, program.id);
    const { id = '', createdAt: created_at = 0, expiresAt: expires_at } = { ...record };
    expect(expires_at).toBe(created_at + 2 * A_DAY);

    const fields = { id, kind: 'affiliate', name: null, scopes: [], advocate: slug, created_at, expires_at };
    expect(await json(...list)).toEqual([{ ...fields, revoked_at: null }]);
    const revoke = ['token', 'revoke', '--program', program.id, '--id', id];
    const revoked = await json(...revoke);
    expect(revoked).toEqual({ ...fields, revoked_at: expect.any(Number) });
    expect(await callersOf(table.clock).byToken(table, token)).toBeUndefined();
    expect(await json(...revoke)).toEqual(revoked);
    // With all tokens of the advocate, another one is revoked, and this one keeps its time.
    await printed(...create);
    const all = await json('token', 'revoke', '--program', program.id, '--advocate', slug);
    expect(all).toEqual({ advocate: slug, revoked_at: expect.any(Number) });
    expect(await json(...list)).toMatchObject([all, revoked]);
    const readable = await printed(...list);
    expect(readable).toMatch(new RegExp(`│ ${id} │ affiliate │ – +│ – +│ ${slug} +(│ ${A_TIME.source} ){3}│`));
    expect(tokenIn(readable)).toBe('none');
  });
});
