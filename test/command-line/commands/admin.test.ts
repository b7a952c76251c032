import { describe, expect, test } from '@jest/globals';
import { hashToken, SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { listTokens } from '../../../functions/program/operator/tokens.ts';
import { runAdmin } from '../../support/admin.ts';
import { adminHere, adminWith, jsonHere } from '../../support/admin-here.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const send = sendToHandlers(table);
const A_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/;
const A_DAY = 86_400;

const json = async (...args: string[]) => Object(await jsonHere(table, ...args));
/** Runs a command that must succeed and print nothing on stderr. Returns its output. */
async function printed(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await adminHere(table, ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}
const tokenIn = (text: string) => /\brt[pa]_[0-9A-Za-z]{36}\b/.exec(text)?.[0] ?? 'none';

describe('programs', () => {
  const SHOP = ['--name', 'Shop', '--site-url', 'https://shop.example'];
  const origins = ['https://a.example', 'https://b.example'];
  const OPTIONS = `--commission-percentage 12.5 --commission-months 6 --attribution-days 30 --link-parameter ref
    --minimum-payout usd=5000 --minimum-payout eur=4000 --payout-day 5 --assistants-see-email full --accent #0B6E4F --payable-after-days 30 --slugs random --code-priority code --allowed-origin ${origins[0]} --allowed-origin ${origins[1]}`.split(
    /\s+/,
  );
  const FIELDS = {
    id: expect.any(String),
    name: 'Shop',
    public_key: expect.stringMatching(/^pk_[0-9a-f]{32}$/),
    site_url: 'https://shop.example/',
    link_parameter: 'ref',
    commission_percentage: 12.5,
    commission_months: 6,
    ...{ commission_rules: null, commission_rules_id: null },
    attribution_days: 30,
    payable_after_days: 30,
    allowed_origins: origins,
    ...{ affiliates_see_email: 'full', assistants_see_email: 'full' },
    code_priority: 'code',
    slugs: 'random',
    mode: 'live',
    on_refund: 'ignore',
    ...{ payout_iban: null, payout_name: null },
    ...{ minimum_payout: { eur: 4000, usd: 5000 }, payout_day: 5, accent: '#0b6e4f', logo_version: null },
    created_at: expect.any(Number),
  };

  test('program create and update accept every option, and print the program as show and list do', async () => {
    const environment = { DYNAMODB_ENDPOINT: String(process.env['DYNAMODB_ENDPOINT']), TABLE_NAME: table.name };
    const { stdout, stderr } = await runAdmin(['program', 'create', ...SHOP, ...OPTIONS, '--json'], environment);
    expect([JSON.parse(stdout), stderr]).toEqual([FIELDS, '']);
    const { id } = await json('program', 'create', ...SHOP, '--commission-percentage', '0', '--mode', 'test');
    const updated = await json('program', 'update', '--program', id, ...OPTIONS, '--affiliates-see-email', 'masked');
    expect(updated).toEqual({ ...FIELDS, mode: 'test', affiliates_see_email: 'masked' });
    expect(await json('program', 'show', '--program', id.toUpperCase())).toEqual(updated);
    expect(await json('program', 'list')).toEqual(expect.arrayContaining([JSON.parse(stdout), updated]));
  });

  test('program create, show and list print readable tables with times in RFC 3339', async () => {
    const options = ['--name', 'Élan', '--site-url', 'https://elan.example', '--commission-percentage', '0'];
    const created = await printed('program', 'create', ...options);
    expect(created).toMatch(/│ attribution days +│ 90 +│\n│ commission percentage +│ 0 +│/);
    const [, id = ''] = /│ id +│ (\S+) +│/.exec(created) ?? [];
    expect(await printed('program', 'show', '--program', id)).toMatch(
      /│ name +│ Élan +│\n│ site url +│ https:\/\/elan\.example\/ +│\n│ public key +│ pk_[0-9a-f]{32} +│/,
    );
    const list = await printed('program', 'list');
    expect(list).toMatch(/│ id +│ name +│ site url +│ commission percentage │ commission rules +│ created at +│/);
    expect(list.split('\n').find((line) => line.includes('Élan'))).toMatch(A_TIME);
  });

  test('program create asks a terminal for the rate, accepts 0, and requires the option without a terminal', async () => {
    const create = ['program', 'create', ...SHOP, '--json'];
    const { status, stdout, stderr } = await adminWith({ table, input: ['0\n'], isTTY: true }, ...create);
    expect([status, JSON.parse(stdout), stderr]).toEqual([
      0,
      expect.objectContaining({ commission_percentage: 0 }),
      'Commission rate in percent, such as 20, or 0 if advocates earn nothing by default: ',
    ]);
    await expectUnchanged(table, async () => {
      expect(await adminWith({ table, input: ['20\n'] }, ...create)).toEqual({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^--commission-percentage is required without a terminal\. .*20, or 0 if/),
      });
    });
  });

  test('program update changes only what is given, and clears what has --no-', async () => {
    let expected = await aProgram(table, { allowedOrigins: ['https://a.example'] });
    const { id } = expected;
    const steps: [string[], object][] = [
      [['--name', 'Other'], { name: 'Other' }],
      [['--no-commission-percentage'], { commissionPercentage: null }],
      [['--commission-percentage', '0'], { commissionPercentage: 0 }],
      [['--no-allowed-origins'], { allowedOrigins: [] }],
    ];
    for (const [options, change] of steps) {
      await json('program', 'update', '--program', id, ...options);
      expected = { ...expected, ...change };
      expect(await findProgram(table, id)).toEqual(expected);
    }
    expect(await printed('program', 'update', '--program', id, '--name', 'Other')).toMatch(
      /│ allowed origins +│ – +│\n(.*\n)+The change takes effect within 30 seconds\.\n$/,
    );
  });
});

describe('new advocates', () => {
  const DOE = ['--first-name', 'Jane', '--last-name', 'Doe'];
  const create = (id: string, ...options: string[]) =>
    adminHere(table, 'advocate', 'create', '--program', id, '--email', 'Jane@Example.com', '--json', ...options);

  test('advocate create stores the value of every option, as the API and the list show it', async () => {
    const { id } = await aProgram(table);
    const list = ['advocate', 'list', '--program', id];
    expect(await printed(...list)).toBe('The program has no advocates yet. Run `advocate create` to create one.\n');
    const options = `--slug JANE --uid 4711 --company-id 7 --company Acme --commission-percentage 5`.split(' ');
    const created = JSON.parse((await create(id, ...options, ...DOE)).stdout);
    const token = tokenIn(await printed('token', 'create', '--program', id));
    const [{ attributes }] = (await send({ operation: 'listAdvocates', token })).json.data;
    const fields = { email: 'jane@example.com', slug: 'jane', uid: '4711', company: 'Acme' };
    expect(attributes).toMatchObject(fields);
    expect(created).toMatchObject({ ...attributes, commission_percentage: 5, active: true });
    expect(await json(...list)).toEqual([created]);
    const line = (await printed(...list)).split('\n').find((candidate) => candidate.includes('jane@example.com'));
    expect(line).toMatch(/│ Jane +│ Doe +│ 4711 +│ yes +│/);
    expect(line).toMatch(A_TIME);
  });
});

describe('tokens', () => {
  test('token create prints a token once and stores only its hash; list and revoke never print it', async () => {
    const program = await aProgram(table);
    const { slug } = await anAdvocate(table, program);
    const list = ['token', 'list', '--program', program.id];
    expect(await printed(...list)).toBe('The program has no tokens yet. Run `token create` to create one.\n');
    const create = ['token', 'create', '--program', program.id, '--advocate', slug];
    const { token, ...others } = await json(...create, '--expires-in-days', '2');
    const [{ id = '', createdAt: created_at = 0, expiresAt: expires_at } = {}] = await listTokens(table, program.id);
    expect(others).toEqual({ id, kind: 'affiliate' });
    expect(expires_at).toBe(created_at + 2 * A_DAY);
    const { byToken } = callersOf(table.clock);
    expect(await byToken(table, token)).toMatchObject({ kind: 'affiliate', program, advocate: { slug } });
    const stored = JSON.stringify(await allItems(table));
    expect(stored).toContain(hashToken(token));
    expect(stored).not.toContain(token.slice('rta_'.length, -6));

    const owner = { advocate: slug, member_id: null };
    const fields = { id, kind: 'affiliate', name: null, scopes: [], ...owner, created_at, expires_at };
    expect(await json(...list)).toEqual([{ ...fields, revoked_at: null }]);
    const revoke = ['token', 'revoke', '--program', program.id, '--id', id];
    const revoked = await json(...revoke);
    expect(revoked).toEqual({ ...fields, revoked_at: expect.any(Number) });
    expect(await callersOf(table.clock).byToken(table, token)).toBeUndefined();
    expect(await json(...revoke)).toEqual(revoked);
    expect(await printed(...create)).toContain('The token is shown only once: store it now.');
    const all = await json('token', 'revoke', '--program', program.id, '--advocate', slug);
    expect(await json(...list)).toMatchObject([all, revoked]);
    const readable = await printed(...list);
    expect(readable).toMatch(new RegExp(`│ ${id} │ affiliate │ – +│ – +│ ${slug} +│ – +(│ ${A_TIME.source} ){3}│`));
    expect(tokenIn(readable)).toBe('none');
  });

  test('tokens of programs have scopes and a name, and by default read, track and advocates', async () => {
    const { id } = await aProgram(table);
    await printed('token', 'create', '--program', id);
    await printed('token', 'create', '--program', id, '--scope', 'admin', 'read', '--name', 'Dashboard');
    expect(await json('token', 'list', '--program', id)).toEqual([
      expect.objectContaining({ name: 'Dashboard', scopes: ['read', 'admin'] }),
      expect.objectContaining({ name: null, scopes: ['read', 'track', 'advocates'] }),
    ]);
  });

  test('dashboard prints a link with a token that has all scopes and expires after 12 hours', async () => {
    const { id } = await aProgram(table);
    const now = Date.UTC(2099, 0, 1);
    const dashboard = ['dashboard', '--program', id, '--base-url', 'https://api.example.com/prod'];
    const setting = { table, clock: () => milliseconds(now) };
    const link = JSON.parse((await adminWith(setting, ...dashboard, '--json')).stdout);
    expect(link).toEqual({
      url: expect.stringMatching(/^https:\/\/api\.example\.com\/prod\/dashboard#token=rtp_\w{36}$/),
      id: expect.any(String),
      scopes: SCOPES,
      expires_at: now / 1000 + 12 * 3600,
    });
    const [token] = await listTokens(table, id);
    expect(token).toMatchObject({ id: link.id, name: 'dashboard', scopes: SCOPES, expiresAt: link.expires_at });
    const { status, json: response } = await send({ operation: 'getProgram', token: tokenIn(link.url) });
    expect([status, response.data.id]).toEqual([200, id]);
    expect(JSON.stringify(await allItems(table))).not.toContain(tokenIn(link.url));
    expect(await printed(...dashboard)).toMatch(/\/dashboard#token=rtp_(.*\n)*.*give it to nobody/);
  });

  test('mcp-config prints what a client needs, with a token that only reads and expires after 90 days', async () => {
    const { id } = await aProgram(table);
    const now = Date.UTC(2099, 0, 1);
    const setting = { table, clock: () => milliseconds(now) };
    const config = ['mcp-config', '--program', id, '--base-url', 'https://api.example.com/prod'];
    const { stdout, stderr } = await adminWith(setting, ...config);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        referrals: {
          type: 'http',
          url: 'https://api.example.com/prod/mcp',
          headers: { Authorization: expect.stringMatching(/^Bearer rtp_\w{36}$/) },
        },
      },
    });
    const [stored] = await listTokens(table, id);
    expect(stored).toMatchObject({ name: 'mcp', scopes: ['read'], expiresAt: now / 1000 + 90 * A_DAY });
    expect(stderr).toContain(`\`token revoke --program ${id} --id ${stored?.id}\``);
    const { status, json: response } = await send({ operation: 'getProgram', token: tokenIn(stdout) });
    expect([status, response.data.id]).toEqual([200, id]);
    const compact = await adminWith(setting, ...config, '--expires-in-days', '1', '--json');
    expect(compact.stderr).toContain(`\`token revoke --program ${id} --id `);
    expect(compact.stdout.split('\n')).toHaveLength(2);
    expect(JSON.parse(compact.stdout)).toHaveProperty('mcpServers.referrals.type', 'http');
    expect(await listTokens(table, id)).toContainEqual(expect.objectContaining({ expiresAt: now / 1000 + A_DAY }));
  });
});
