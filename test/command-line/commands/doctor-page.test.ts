import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CliContext } from '../../../bin/admin/cli.ts';
import { findEmbedding, serviceOf, tagsOf } from '../../../bin/admin/doctor/page/embedding.ts';
import { hashSource } from '../../../bin/admin/doctor/page/policy.ts';
import { pageSteps } from '../../../bin/admin/doctor/page/steps.ts';
import { checkRates } from '../../../bin/admin/doctor/programs.ts';
import { runSteps } from '../../../bin/admin/doctor/run.ts';
import { buildScript } from '../../../bin/generate/script.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { systemClock } from '../../../functions/kernel/time.ts';
import { SCRIPT } from '../../../functions/pages/script.js';
import { updateProgram } from '../../../functions/program/table/program-changes.ts';
import { codeBlocks } from '../../support/documents/documents.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useProgram, useTable } from '../../support/use-table.ts';

/** A table with one program. */
const rates = useTable();
const { table, program } = await useProgram({ allowedOrigins: ['https://allowed.example'] });

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;
/** The responses of the server, by path. It is the service at `/api`, and the merchant's site elsewhere. */
let paths: Record<string, Handler> = {};
const server = createServer((request, response) => {
  const handler = paths[new URL(request.url ?? '', 'http://a').pathname];
  return handler ? handler(request, response) : response.writeHead(404).end();
});
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${portOf(server)}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  paths = { '/api/gr.js': javascript(SCRIPT) };
});

const sending =
  (type: string, text: string, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(text);
const javascript = (text: string) => sending('text/javascript; charset=utf-8', text);
const html = (text: string, headers?: Record<string, string>) => sending('text/html; charset=utf-8', text, headers);

const [snippet = ''] = codeBlocks('docs/script.md', 'html');
const [, queueLine = ''] = /<script>(.*?)<\/script>/.exec(snippet) ?? [];
/** The two lines of docs/script.md for this service and program. */
const lines = () => snippet.replace('$BASE_URL', `${origin}/api`).replace('$PUBLIC_KEY', program.publicKey);
const tag = (attributes = '') => `<script src=${origin}/api/gr.js data-pk=${program.publicKey} ${attributes}></script>`;

const onTable: CliContext['onTable'] = (work) => work(table);

async function check() {
  const context = { onTable, clock: systemClock, random: randomBytes };
  const steps = pageSteps(new URL(origin), `${origin}/api`, context);
  const cleanUp = { name: 'clean-up', isCleanUp: true, run: async () => '' } as const;
  return runSteps([...steps, cleanUp], systemClock, new AbortController().signal, () => undefined);
}

/** Checks a page that must pass every step. Returns the results. */
async function passing() {
  const reports = await check();
  expect(reports.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  return Object.fromEntries(reports.map(({ step, what }) => [step, what]));
}

/** Checks a page that must fail. Returns the failed step, its reason and its advice. */
async function failing() {
  const { step, why, advice } = (await check()).find(({ outcome }) => outcome === 'failed') ?? {};
  return [step, why, advice];
}

describe('valid pages', () => {
  test('a page passes with the two lines of docs/script.md', async () => {
    paths['/'] = html(`<!doctype html><title>Shop</title>${lines()}`);
    expect(await passing()).toEqual({
      page: `${origin}/ is HTML`,
      'script tag': `the page loads ${origin}/api/gr.js`,
      'script file': `it is the tracking script, and reports to ${origin}/api/`,
      'public key': `it belongs to the program ${program.id}`,
      'link parameter': 'the script reads via, which the links of the program have',
      'queue line': 'calls that are made before the script has loaded are kept',
      'security policy': 'the page has no Content-Security-Policy',
      'allowed origin': 'the HTML of the page sends no conversions',
      'cookie renewal': 'the server does not renew gr_id, which Safari deletes after 7 days without an interaction',
      'clean-up': '',
    });
  });

  test('a page passes with copies of the script, and the queue line in a file', async () => {
    paths['/js/queue.js'] = javascript(queueLine);
    paths['/js/gr.js'] = javascript(await buildScript(`${origin}/api/`));
    paths['/js/own.js'] = javascript(SCRIPT);
    const page = (name: string) =>
      html(`<script async src=/async.js></script><script src=/none.js></script><script src=/js/queue.js></script>
            <script src=/js/${name} data-pk=${program.publicKey}></script>`);
    paths['/'] = page('gr.js');
    expect(await passing()).toMatchObject({
      'script file': `it is the tracking script, and reports to ${origin}/api/`,
      'queue line': `${origin}/js/queue.js keeps calls that are made before the script has loaded`,
    });
    paths['/'] = page('own.js');
    expect(await failing()).toEqual([
      'script file',
      `${origin}/js/v2/tracking/click, to which the copy of the script reports, does not lead to the service.`,
      expect.stringMatching(/^Let your server forward these requests, or build/),
    ]);
  });
});

describe('invalid pages', () => {
  test.each<[string, () => Handler, RegExp]>([
    [
      'that does not exist',
      () => (_, response) => response.writeHead(404).end(),
      /^page: .*has the status 404\.\nCorrect the address/,
    ],
    [
      'without the script',
      () => html('<p>'),
      /^script tag: .*no tag of the.*\nAdd the two lines below .*tag manager\.\n<script>window\.gr=.*<\/script>\n<script .*\/api\/gr\.js.*<\/script>$/,
    ],
    [
      'without data-pk',
      () => html(tag().replace(/ data-pk=\S+/, '')),
      /^public key: .*has no data-pk.*\n.*program list/,
    ],
    [
      'with other parameters',
      () => html(tag('data-parameters="ref, p"')),
      /^link parameter: .*the parameter via.*\nChange data-parameters to "via,ref,p" in the tag/,
    ],
    ['without the queue line', () => html(tag()), /^queue line: .*not before the tag.*\n.*window\.gr=window\.gr/],
    [
      'whose policy forbids the script',
      () => html(lines(), { 'content-security-policy': `script-src ${hashSource(queueLine)}` }),
      /^security policy: The Content-Security-Policy blocks the script\.\nAdd http/,
    ],
    [
      'that sends conversions from an origin that the program does not allow',
      () => html(`${lines()}<script>gr( "track", 'conversion', {})</script><script>gr('track','conversion')</script>`),
      /^allowed origin: The page sends conversions, but the program does not allow http:.*\n.*`program update --program \S+ --allowed-origin https:\/\/allowed\.example --allowed-origin http:\/\/127.*`/,
    ],
  ])('a page %s fails', async (_, handler, expected) => {
    paths['/'] = handler();
    const [step, ...sentences] = await failing();
    expect(`${step}: ${sentences.join('\n')}`).toMatch(expected);
  });

  test('a page fails whose script is a copy for another service', async () => {
    paths['/'] = html(`<script src=/js/gr.js data-pk=${program.publicKey}></script>`);
    paths['/js/gr.js'] = javascript(await buildScript('https://other.example/'));
    expect(await failing()).toEqual([
      'script file',
      'The script reports to another service: https://other.example/',
      `Build it with npm run build:script -- --base-url ${origin}/api`,
    ]);
  });

  test('an https page fails that uses http for the script or its requests, except from the same machine', async () => {
    const url = new URL('https://www.shop.example/');
    const embeddingOf = (src: string) =>
      findEmbedding({ url, tags: tagsOf(`<script src=${src}></script>`), policies: [] }, 'http://api.example');
    const failure = {
      message: 'The page uses https, but http://api.example does not: browsers block it.',
      advice: 'Serve the script with https, and change its address in the page.',
    };
    expect(() => embeddingOf('http://api.example/gr.js')).toThrow(expect.objectContaining(failure));
    expect(() => embeddingOf('//api.example/gr.js')).not.toThrow();
    paths['/js/gr.js'] = javascript(await buildScript('http://api.example/'));
    const local = embeddingOf(`${origin}/js/gr.js`);
    await expect(serviceOf(local, 'http://api.example')).rejects.toMatchObject(failure);
  });
});

test('the steps that need a failed one are skipped, the others run, and all faults are reported', async () => {
  paths['/'] = html(`<script src=/none/gr.js data-pk=pk_none></script><script>gr('track', 'conversion')</script>`, {
    'content-security-policy': "script-src 'none'",
  });
  const needsKey = 'skipped: "public key" failed.';
  const outcomes = (await check()).map(({ step, outcome, why }) => [
    step,
    outcome === 'skipped' ? `skipped: ${why}` : outcome,
  ]);
  expect(Object.fromEntries(outcomes)).toEqual({
    page: 'passed',
    'script tag': 'passed',
    'script file': 'failed',
    'public key': 'failed',
    'link parameter': needsKey,
    'queue line': 'failed',
    'security policy': 'skipped: "script file" failed.',
    'allowed origin': needsKey,
    'cookie renewal': 'passed',
    'clean-up': 'passed',
  });
});

test('doctor advises on programs without a rate, and on paying customers whose payments earn nothing', async () => {
  const shop = await aProgram(rates, { commissionPercentage: 0 });
  const { id } = shop;
  const advocate = await anAdvocate(rates, shop);
  await aReferral(rates, shop, advocate, { state: 'paid', commissionPercentage: 0 });
  await aReferral(rates, shop, advocate, { state: 'churned', commissionPercentage: null });
  expect(await checkRates(rates)).toBe('every program and its latest paying customers have one');
  await updateProgram(rates, id, { commissionPercentage: null });
  await aReferral(rates, shop, advocate, { state: 'paid', commissionPercentage: null });
  const { what, advice } = Object(await checkRates(rates));
  expect([what, advice.split('\n')]).toEqual([
    'payments without a rate earn nothing',
    [
      `The program ${id} has no rate. Run program update --program ${id} --commission-percentage 20, or pass 0 if advocates earn nothing by default.`,
      `Payments of 1 of the latest 2 paying customers of the program ${id} have the note no_rate: their referrals keep no rate. Correct balances with ledger adjust.`,
    ],
  ]);
});
