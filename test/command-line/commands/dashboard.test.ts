import { describe, expect, test } from '@jest/globals';
import { milliseconds } from '../../../functions/domain/time.ts';
import { SCOPES } from '../../../functions/domain/token.ts';
import { listTokens } from '../../../functions/table/operator/tokens.ts';
import { adminHere, adminWith, jsonHere } from '../../support/admin-here.ts';
import { sendToHandlers } from '../../support/drivers.ts';
import { aProgram } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const NOW = Date.UTC(2099, 0, 1);
const BASE_URL = 'https://api.example.com/prod';
const call = (id: string, ...options: string[]) => [
  ...['dashboard', '--program', id, '--base-url', BASE_URL],
  ...options,
];

async function printed(id: string, ...options: string[]) {
  const setting = { table, clock: () => milliseconds(NOW) };
  const { status, stdout, stderr } = await adminWith(setting, ...call(id, ...options), '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('dashboard', () => {
  test('dashboard prints a link with a token that has all scopes and expires after 12 hours', async () => {
    const { id } = await aProgram(table);
    const link = await printed(id);
    expect(link).toEqual({
      url: expect.stringMatching(/^https:\/\/api\.example\.com\/prod\/dashboard#token=rtp_\w{36}$/),
      id: expect.any(String),
      scopes: SCOPES,
      expires_at: NOW / 1000 + 12 * 3600,
    });
    const [token] = await listTokens(table, id);
    expect(token).toMatchObject({ id: link.id, name: 'dashboard', scopes: SCOPES, expiresAt: link.expires_at });
  });

  test('the token in the link is accepted, and the table does not contain it', async () => {
    const { id } = await aProgram(table);
    const { url } = Object(await jsonHere(table, ...call(id)));
    const token = new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';
    const { status, json } = await sendToHandlers(table)({ operation: 'getProgram', token });
    expect([status, json.data.id]).toEqual([200, id]);
    expect(JSON.stringify(await allItems(table))).not.toContain(token);
  });

  test('--scope and --expires-in-hours limit the link', async () => {
    const { id } = await aProgram(table);
    const limited = await printed(id, '--scope', 'track', '--scope', 'read', '--expires-in-hours', '1');
    expect(limited).toMatchObject({ scopes: ['read', 'track'], expires_at: NOW / 1000 + 3600 });
  });

  test('the text warns that the link contains a token', async () => {
    const { id } = await aProgram(table);
    const { stdout } = await adminHere(table, ...call(id));
    expect(stdout).toContain('/dashboard#token=rtp_');
    expect(stdout).toContain('give it to nobody');
  });

  test('--help says when a link ends', async () => {
    const { stdout } = await adminHere(table, 'dashboard', '--help');
    expect(stdout).toContain('its link ends within 30 seconds');
  });

  test.each([
    [['--expires-in-hours', '0'], '--expires-in-hours must be a whole number from 1 to 8760'],
    [['--expires-in-hours', '1.5'], '--expires-in-hours must be a whole number from 1 to 8760'],
    [['--scope', 'write'], "option '--scope <scope...>' argument is invalid"],
    [['--base-url', 'api.example.com'], '--base-url must be an http or https address'],
  ])('dashboard with %j creates no token', async (options, sentence) => {
    const { id } = await aProgram(table);
    const { status, stderr } = await adminHere(table, ...call(id, ...options));
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)]);
    expect(await listTokens(table, id)).toEqual([]);
  });

  test('an unknown program fails', async () => {
    const { status, stderr } = await adminHere(table, ...call('019b7c01-1f00-7a4d-8b3f-2c6d9e105a74'));
    expect([status, stderr]).toEqual([1, expect.stringContaining('No program has the id in --program.')]);
  });
});
