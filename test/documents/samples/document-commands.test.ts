import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeBlocks, documentText } from '../../support/documents/documents.ts';
import { end, NODE_COMPILE_CACHE, type Started, start } from '../../support/start.ts';
import { SHORTEST, writeReceiver } from './sample-receivers.ts';

const ROOT = join(import.meta.dirname, '../../..');
const STEPS = codeBlocks('README.md', 'sh').filter((block) => /BASE_URL/.test(block));

let folder: string;
let service: Started;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commands-'));
  service = await start({ DATA_DIR: folder });
});
afterAll(async () => {
  await end(service, 'SIGTERM');
  await rm(folder, { recursive: true });
});

test('three steps of the README have commands for the service', () => {
  expect(STEPS).toHaveLength(3);
});

/** Runs commands one after the other in bash, against the started service. Returns what they print. */
async function run(commands: readonly string[]): Promise<string> {
  const script = commands.join('\n').replaceAll('http://localhost:3000', service.url);
  const { PATH = '' } = process.env;
  const { stdout } = await promisify(execFile)('bash', ['-e', '-u', '-c', script], {
    cwd: ROOT,
    env: {
      PATH: [dirname(process.execPath), PATH].join(delimiter),
      NODE_COMPILE_CACHE,
      DATA_DIR: folder,
      HOME: folder,
      TMPDIR: folder,
    },
  });
  return stdout;
}

/** The JSON documents in an output: one per line, or several in one line. */
const jsonIn = (output: string) =>
  output
    .split(/\n|(?<=\})(?=\{)/)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

const SHELL = ['bash', 'curl'];
const hasShell = SHELL.every((command) => spawnSync(command, ['--version']).status === 0);
const PAYOUTS = codeBlocks('docs/payouts.md', 'sh');
/** The rows of the table whose first column has a head. */
const tableIn = (document: string, head: string) =>
  (
    documentText(document)
      .split('\n\n')
      .find((block) => block.startsWith(`| ${head} `)) ?? ''
  )
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

/** The lines of a CSV file in an output, from its head to the end. */
function recordsIn(output: string, head: string) {
  const [names = '', ...lines] = output.slice(output.indexOf(head)).trim().split(/\r?\n/);
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(names.split(',').map((name, index) => [name, values[index]]));
  });
}

const kinds = (...all: readonly string[]) => all.map((kind) => ({ attributes: { kind } }));
const NO_CURRENCIES = { id: 'jane-doe', type: 'statement', attributes: { month: '2026-01', currencies: [] } };

// As with the samples in other languages, CI fails if a command is missing. Elsewhere the tests are skipped.
if (hasShell || process.env['SAMPLES'] === 'all') {
  describe('commands of the documents', () => {
    test('the commands of the README work one after the other, then the commands of docs/api.md', async () => {
      const stdout = await run([...STEPS, ...codeBlocks('docs/api.md', 'sh')]);
      expect(stdout).toMatch(/^pk_[\da-f]{32}$/m);
      expect(stdout).toMatch(/^x-click: recorded\r?$/m);
      expect(stdout).toMatch(/^200 image\/png$/m);
      expect(stdout.match(/^HTTP\/1.1 204 /gm)).toHaveLength(5);
      expect(jsonIn(stdout)).toMatchObject([
        {
          data: {
            attributes: { slug: 'jane-doe', uid: 'partner-42', referral_link: 'https://acme.example/?via=jane-doe' },
          },
        },
        { data: { attributes: { state: 'converted', uid: '4711' } } },
        { data: { type: 'entry', attributes: { kind: 'payment', payment_id: 'in_1001', commission: 980 } } },
        { data: { attributes: { affiliate_slug: 'jane-doe', history: [{ state: 'converted' }, { state: 'paid' }] } } },
        { data: { id: 'jane-doe', attributes: { total: { paid: 1 }, groups: [{ paid: 1 }] } } },
        {
          data: [{ attributes: { email: 'visitor@example.com', state: 'paid', sub_id: 'newsletter' } }],
          meta: { pagination: { has_more: false } },
        },
        // docs/api.md
        { data: { attributes: { state: 'converted', uid: '1001' } } },
        { data: { attributes: { state: 'paid', uid: '1001' } } },
        { data: { type: 'entry', attributes: { kind: 'payment', amount: 4900, currency: 'usd', commission: 980 } } },
        { data: { type: 'entry', attributes: { kind: 'refund', amount: -1200, commission: -240 } } },
        { data: { type: 'entry', attributes: { kind: 'void', commission: -740 } } },
        { data: { type: 'entry', attributes: { kind: 'adjustment', commission: 2500 } } },
        { data: { type: 'entry', attributes: { kind: 'settlement', commission: -3240 } } },
        { data: { type: 'payouts', attributes: { settled: [], left_out: [{ reason: 'below_minimum' }] } } },
        { data: { attributes: { slug: 'sam-rivera', uid: 'partner-43', commission_percentage: 25 } } },
        { data: { attributes: { slug: 'sam-rivera', company: 'Rivera Media', commission_percentage: null } } },
        { data: { attributes: { slug: 'sam-rivera', company: 'Rivera Media', active: true } } },
        { data: { type: 'token', attributes: { token: expect.stringMatching(/^rta_/) } } },
        { data: { type: 'affiliate', attributes: { slug: 'jane-doe', program: { name: 'Acme' } } } },
        { data: { attributes: { name: 'Acme' } }, meta: { token: { scopes: ['read', 'track', 'admin'] } } },
        { data: { attributes: { payable_after_days: 30 } } },
        { data: [{ attributes: { name: 'Shop server' } }, {}, {}, {}] },
        { data: { type: 'logo', attributes: { media_type: 'image/png' } } },
        { data: { attributes: { resources: [{ title: 'Banners' }, { title: 'A post', url: null }] } } },
        { data: { type: 'resources', attributes: { resources: [{}, {}] } } },
        { data: { id: 'creators', attributes: { commission_rules: [{ amounts: { eur: 2000 } }, { months: 12 }] } } },
        { data: { id: 'JANE20', type: 'code', attributes: { affiliate_slug: 'jane-doe', active: true } } },
        { data: [{ id: 'creators', type: 'group' }] },
        { data: [{ id: 'JANE20' }] },
        { data: { type: 'member', attributes: { email: 'ida@example.com', scopes: ['read', 'track', 'admin'] } } },
        { data: { type: 'people', attributes: { reply_to: 'partners@example.com' } } },
        { data: { id: 'settled', type: 'email', attributes: { text: expect.stringContaining('12.50 EUR') } } },
        { data: [{ attributes: { slug: 'sam-rivera', active: true } }, { attributes: { slug: 'jane-doe' } }] },
        { data: [{ attributes: { slug: 'sam-rivera' } }], meta: { pagination: { has_more: true } } },
        { data: [{ attributes: { email: 'ana@example.com', state: 'paid', sub_id: 'podcast' } }] },
        { data: [{ attributes: { uid: '1001' } }, { attributes: { uid: '4711' } }] },
        {
          data: [
            { attributes: { uid: '1001', affiliate_slug: 'jane-doe', flags: [] } },
            { attributes: { uid: '4711' } },
          ],
        },
        { data: { attributes: { uid: '1001', history: [{ state: 'converted' }, { state: 'paid' }] } } },
        { data: { type: 'explanation', attributes: { verdict: 'credited', affiliate_slug: 'jane-doe' } } },
        {
          data: {
            id: 'jane-doe',
            attributes: {
              total: { clicked: 1, paid: 2 },
              groups: [
                { key: 'newsletter', paid: 1 },
                { key: 'podcast', paid: 1 },
                { key: null, clicked: 1 },
              ],
            },
          },
        },
        { data: { id: 'jane-doe', attributes: { total: { clicked: 1, paid: 2 }, groups: [] } } },
        { data: { type: 'statistics', attributes: { groups: expect.any(Array) } } },
        { data: { id: 'jane-doe', type: 'statistics' } },
        { data: expect.any(Array) },
        { data: [{ type: 'advocate' }, { type: 'advocate' }] },
        { data: kinds('payment', 'payment') },
        { data: kinds('void', 'refund', 'payment') },
        { data: kinds('settlement', 'adjustment', 'void', 'refund', 'payment', 'payment') },
        { data: [{ id: 'jane-doe', attributes: { currency: 'usd', balance: 240, payable: 240 } }] },
        { data: NO_CURRENCIES },
        { data: [], meta: { pagination: { per_page: 50 } } },
        { data: [NO_CURRENCIES, { attributes: { month: '2025-12' } }] },
        {
          data: { attributes: { uid: '1001', affiliate_slug: 'sam-rivera', commission_percentage: 20, state: 'paid' } },
        },
        { data: { type: 'webhook', attributes: { secret: expect.stringMatching(/^whsec_/) } } },
        { data: [{ type: 'webhook', attributes: { url: 'http://localhost:8080/' } }] },
        { data: { type: 'stripe', attributes: { secrets: 1, on_refund: 'reject' } } },
        { result: { tools: expect.arrayContaining([expect.objectContaining({ name: 'explainCustomer' })]) } },
        { data: { attributes: { email: 'ben@example.com', state: 'converted' } } },
      ]);
    });

    test('the commands of docs/assistants.md print a configuration, and the answer to the question', async () => {
      const stdout = await run([...STEPS.slice(0, 1), ...codeBlocks('docs/assistants.md', 'sh')]);
      expect(stdout).toContain(`"url": "${service.url}/mcp"`);
      const [row = ''] = stdout.split('\n').filter((line) => line.startsWith('{"jsonrpc"'));
      const { result } = JSON.parse(row);
      expect(result.isError).toBe(false);
      expect(JSON.parse(result.content[0].text)).toMatchObject({
        data: [{ attributes: { slug: 'jane-doe', email: 'j***@example.com' } }],
      });
    });

    test('the commands of docs/payments.md work after the first step of the README', async () => {
      const simulations = codeBlocks('docs/payments.md', 'sh').filter((block) => block.startsWith('admin '));
      const stdout = await run([...STEPS.slice(0, 1), ...simulations]);
      expect(jsonIn(stdout).slice(-8)).toMatchObject([
        { url: expect.stringMatching(/\/v2\/integrations\/stripe\/[\da-f-]{36}$/), secrets: 1, on_refund: 'ignore' },
        { status: 200, body: { applied: 'paid' } },
        { status: 200, body: { applied: 'paid' } },
        { status: 200, body: { applied: 'churned' } },
        // Whether it is stale depends on the second. Its payment is recorded anyway.
        { status: 200, body: { entry: expect.any(String) } },
        { status: 200, body: { applied: expect.any(String) } },
        { status: 200, body: { applied: expect.any(String), entry: expect.any(String) } },
        { status: 200, body: { applied: expect.any(String), entry: expect.any(String) } },
      ]);
    });

    test('the commands of docs/webhooks.md work with the receiver of ten lines', async () => {
      const receiverFolder = await mkdtemp(join(folder, 'receiver-'));
      const { file, port } = await writeReceiver(SHORTEST, receiverFolder);
      const url = `http://localhost:${port}/`;
      const [sample = ''] = codeBlocks('docs/webhooks.md', 'sh').filter((block) => block.includes('receiver.mjs'));
      const commands = sample
        .replace('http://localhost:8080/', url)
        .replace('node receiver.mjs &', `node '${file}' &\nuntil curl -s -o '${file}.html' ${url}; do :; done`);
      const list = 'admin webhook deliveries --program "$PROGRAM" --id "$WEBHOOK_ID"';
      const untilListed = (type: string) => `until ${list} | grep ${type} > '${file}.txt'; do :; done`;
      const types = ['referral.converted', 'referral.paid'];
      const stdout = await run([...STEPS.slice(0, 1), commands, ...types.map(untilListed), 'kill $!']);
      const printed = [...stdout.matchAll(/^\S+ (referral\.\w+|webhook\.test)$/gm)].map(([, type]) => type);
      // The order of events is not promised.
      expect(printed.toSorted()).toEqual([...types, 'webhook.test']);
    });

    test('the commands of docs/payouts.md compute the statement of its tables and pay it once', async () => {
      const stdout = await run([...STEPS.slice(0, 1), PAYOUTS.join('\n')]);
      const rows = stdout.split('\n').filter((line) => /^(?:jane-doe|sam-rivera),/.test(line));
      // Of the commands: it may have ended since.
      const [, month = ''] = rows[0]?.split(',') ?? [];
      expect(month).toMatch(/^\d{4}-\d\d$/);
      const names = new Map([
        ['Jane', 'jane-doe'],
        ['Sam', 'sam-rivera'],
      ]);
      const byHand = tableIn('docs/payouts.md', 'advocate, currency').map(([who = '', ...sums]) => {
        const [name = '', currency] = who.split(', ');
        return [names.get(name), month, currency, ...sums].join(',');
      });
      expect(rows.slice(0, 3).toSorted()).toEqual(byHand.toSorted());
      const payout = `jane-doe,jane@example.com,Jane,Doe,42.09,usd,${month}:usd:jane-doe,,,no_account`;
      expect(rows.slice(3, 6)).toEqual([payout, payout, payout]);
      expect(rows.slice(6).toSorted()).toEqual(
        byHand.map((row) => row.replace(/0\.00,42\.09,42\.09$/, '-42.09,0.00,0.00')).toSorted(),
      );
      expect(stdout).toMatch(/There are no differences in 10 entries\.\n/);
      const commissions = jsonIn(stdout).flatMap((json) => json.data?.attributes?.commission ?? json.commission ?? []);
      const inTable = tableIn('docs/payouts.md', 'entry').map((cells) => Number(cells.at(-1)));
      expect(commissions.toSorted()).toEqual(inTable.toSorted());
      // The month at Stripe, which nothing was paid out of.
      const ofKim = stdout.split('\n').filter((line) => line.startsWith('kim-lee,'));
      const kimByHand = tableIn('docs/payouts.md', "Kim's currency").map(([currency, ...sums]) =>
        ['kim-lee', month, currency, ...sums].join(','),
      );
      expect(ofKim).toEqual(kimByHand);
      const entries = recordsIn(stdout, 'id,kind,affiliate_slug,').map((entry) => [
        entry['payment_id'],
        entry['currency'],
        entry['amount_minor'],
        entry['commission_percentage'],
        entry['commission_minor'],
      ]);
      const spreadsheet = tableIn('docs/payouts.md', 'event').map((cells) => {
        const [event = '', currency, amount, tax, net = '', rate] = cells;
        expect(Number(amount) - Number(tax)).toBe(Number.parseInt(net, 10));
        return [event.match(/in_\d+/)?.[0], currency, String(Number.parseInt(net, 10)), rate, cells.at(-1)];
      });
      expect(entries.toSorted()).toEqual(spreadsheet.toSorted());
    });

    test('the commands of docs/migrate.md work one after the other', async () => {
      const stdout = await run([
        ...codeBlocks('docs/migrate.md', 'sh'),
        './referrals referral export --program "$COPY" | cmp - "$folder/all.csv"',
        './referrals advocate export --program "$COPY" | cmp - "$folder/advocates.csv"',
      ]);
      const rows = stdout.split('\n').filter((line) => /^[\da-f-]{36},/.test(line));
      expect(rows.map((row) => row.split(',').slice(1, 5)).toSorted()).toEqual([
        ['amir_k', 'cleo@example.com', '', 'paid'],
        ['amir_k', 'dan@example.com', '', 'paid'],
        ['jane', 'ana@example.com', '', 'paid'],
        ['jane', 'ben@example.com', '', 'converted'],
      ]);
      expect(stdout).toContain('line 5: created_at ');
    });
  });
}
