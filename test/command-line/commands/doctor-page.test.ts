import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CliContext } from '../../../bin/admin/cli.ts';
import { findEmbedding, tagsOf } from '../../../bin/admin/doctor/page/embedding.ts';
import { hashSource } from '../../../bin/admin/doctor/page/policy.ts';
import { pageSteps } from '../../../bin/admin/doctor/page/steps.ts';
import { reportText, runSteps } from '../../../bin/admin/doctor/run.ts';
import { buildScript } from '../../../bin/generate/script.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { publicKeyOf } from '../../../functions/domain/program.ts';
import { systemClock } from '../../../functions/domain/time.ts';
import { SCRIPT } from '../../../functions/tracking/script.js';
import { adminHere } from '../../support/admin-here.ts';
import { codeBlocks, sectionOf } from '../../support/documents/documents.ts';
import { aProgram, newId } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

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

async function check(path = '/') {
  const context = { onTable, clock: systemClock, random: randomBytes };
  const steps = pageSteps(new URL(path, origin), `${origin}/api`, context);
  const cleanUp = { name: 'clean-up', isCleanUp: true, run: async () => '' } as const;
  return runSteps([...steps, cleanUp], systemClock, new AbortController().signal, () => undefined);
}

/** Checks a page that must pass every step. Returns the results. */
async function passing(path?: string) {
  const reports = await check(path);
  expect(reports.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  return Object.fromEntries(reports.map(({ step, what }) => [step, what]));
}

/** Checks a page that must fail. Returns the failed step, its reason and its advice. */
async function failing(path?: string) {
  const { step, why, advice } = (await check(path)).find(({ outcome }) => outcome === 'failed') ?? {};
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
      'cookie renewal': 'the server does not renew gr_id, which Safari deletes after 7 days without a visit',
      'clean-up': '',
    });
  });

  test('a page passes with redirects, `base`, capitals, and a script that is commented out', async () => {
    paths['/'] = (_, response) => response.writeHead(301, { location: '/start?secret=1' }).end();
    paths['/start'] = html(
      `<BASE HREF='/api/'><!-- ${tag()} --><template>${tag()}</template><SCRIPT>${queueLine}</SCRIPT>
       <SCRIPT TYPE=Text/JavaScript SRC=gr.js?v=2 DATA-PK=${program.publicKey}></SCRIPT>`,
    );
    const { page, 'script tag': loaded } = await passing();
    expect([page, loaded]).toEqual([
      `redirects lead to ${origin}/start, which is HTML`,
      `the page loads ${origin}/api/gr.js`,
    ]);
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
    paths['/js/v2/tracking/click'] = (_, response) =>
      response.writeHead(400, { 'x-error-code': 'invalid_field' }).end();
    expect(await passing()).toMatchObject({ 'script file': `it is the tracking script, and reports to ${origin}/js/` });
  });

  test.each([
    'window.gr ||= push',
    'window.gr||(window.gr=push)',
    'globalThis.gr ??= push',
    'function gr() { q.push(arguments) }',
  ])('a page passes with another line that defines gr: %s', async (line) => {
    paths['/'] = html(`<script>${line}</script>${tag()}`);
    await passing();
    paths['/'] = html(`<script>if (window.gr === push) gr(1)</script>${tag()}`);
    expect((await failing())[0]).toBe('queue line');
  });

  test('a page passes with policies in header and page that allow everything', async () => {
    const sources = `script-src ${hashSource(queueLine)} ${origin}; connect-src ${origin}`;
    const meta = `<meta http-equiv=content-security-policy content="${sources.replaceAll("'", '&#39;')}">`;
    const later = `<meta http-equiv=content-security-policy content="default-src 'none'">`;
    paths['/'] = html(`${meta}${lines()}${later}`, {
      'content-security-policy': `${sources}, default-src *; ${sources}`,
    });
    expect((await passing())['security policy']).toBe('the Content-Security-Policy allows the script and its requests');
  });

});

describe('invalid pages', () => {
  test.each<[string, () => Handler, string, RegExp, RegExp]>([
    [
      'that does not exist',
      () => (_, to) => to.writeHead(404).end(),
      'page',
      /has the status 404\.$/,
      /^Correct the address/,
    ],
    ['behind a login', () => (_, to) => to.writeHead(401).end(), 'page', /status 401/, /without signing in/],
    ['of a broken server', () => (_, to) => to.writeHead(500).end(), 'page', /status 500/, /^Check the server/],
    [
      'that is not HTML',
      () => sending('application/json', '{}'),
      'page',
      /unexpected content type/,
      /^Correct the address/,
    ],
    ['over 10 MB', () => html('a'.repeat(10 * 1024 * 1024 + 1)), 'page', /is larger than 10 MB\.$/, /^Make it smaller/],
    [
      'without the script',
      () => html('<p>'),
      'script tag',
      /no tag of the/,
      /^Add the two lines below .*tag manager\.\n<script>window\.gr=.*<\/script>\n<script .*\/api\/gr\.js.*<\/script>$/,
    ],
    ['with two tags', () => html(lines() + tag()), 'script tag', /has 2 tags/, /^Keep one/],
    ['with a module', () => html(tag('type=module')), 'script tag', /as a classic script/, /attribute type/],
    [
      'whose script does not exist',
      () => html('<script src=/a/gr.js></script>'),
      'script file',
      /The script at .*\/a\/gr\.js has the status 404/,
      /^Correct/,
    ],
    [
      'without data-pk',
      () => html(`<script src=${origin}/api/gr.js></script>`),
      'public key',
      /has no data-pk/,
      /program list/,
    ],
    [
      'with a malformed key',
      () => html(tag().replace(/pk_\w+/, '"pk_…"')),
      'public key',
      /^No program/,
      /^Correct data-pk/,
    ],
    [
      'with the key of no program',
      () => html(tag().replace(/pk_\w+/, publicKeyOf(newId()))),
      'public key',
      /^No program/,
      /program list/,
    ],
    [
      'with other parameters',
      () => html(tag('data-parameters="ref, p"')),
      'link parameter',
      /the parameter via/,
      /^Change data-parameters to "via,ref,p" in the tag/,
    ],
    ['without the queue line', () => html(tag()), 'queue line', /not before the tag/, /window\.gr=window\.gr/],
    [
      'with the queue line below',
      () => html(`${tag()}<script>${queueLine}</script>`),
      'queue line',
      /not before/,
      /above the tag/,
    ],
    [
      'with the queue line in a module',
      () => html(`<script type=module>${queueLine}</script>${tag()}`),
      'queue line',
      /not before/,
      /above/,
    ],
  ])('a page %s fails', async (_, handler, step, why, advice) => {
    paths['/'] = handler();
    expect(await failing()).toEqual([step, expect.stringMatching(why), expect.stringMatching(advice)]);
  });

  test.each([
    [() => `script-src ${hashSource(queueLine)}`, 'blocks the script.', () => `Add ${origin} to script-src of the`],
    [
      () => "default-src 'self' 'strict-dynamic'",
      'blocks the script.',
      () => "Give the tag of the script the page's nonce",
    ],
    [
      () => `default-src ${origin}`,
      'blocks the queue line.',
      () => `Add ${hashSource(queueLine)} to default-src of the`,
    ],
    [() => "connect-src 'none'", 'blocks requests to the service.', () => `Add ${origin} to connect-src of the`],
  ])('a page fails whose policy forbids something: %s', async (policy, why, advice) => {
    const failure = ['security policy', `The Content-Security-Policy ${why}`, expect.stringContaining(advice())];
    paths['/'] = html(lines(), { 'content-security-policy': policy() });
    expect(await failing()).toEqual(failure);
    paths['/'] = html(`<meta http-equiv="Content-Security-Policy" content="${policy()}">${lines()}`);
    expect(await failing()).toEqual(failure);
  });

  test('a page fails that sends conversions from an origin that the program does not allow', async () => {
    paths['/'] = html(
      `${lines()}<script>gr( "track", 'conversion', {})</script><script>gr('track','conversion')</script>`,
    );
    const options = `--program ${program.id} --allowed-origin https://allowed.example --allowed-origin ${origin}`;
    expect(await failing()).toEqual([
      'allowed origin',
      `The page sends conversions, but the program does not allow ${origin}.`,
      expect.stringContaining(`\`program update ${options}\``),
    ]);
  });

  test('a page fails whose program has its own link parameter, but whose tag has no data-parameters', async () => {
    const { publicKey } = await aProgram(table, { linkParameter: 'partner' });
    paths['/'] = html(tag().replace(/pk_\w+/, publicKey));
    expect(await failing()).toEqual([
      'link parameter',
      'The links of the program have the parameter partner, which the script does not read.',
      'Add data-parameters="partner,via,ref,red,refby" to the tag of the script.',
    ]);
  });

  test('a page fails whose script is another file, or a copy for another service', async () => {
    paths['/'] = html(`<script src=/js/gr.js data-pk=${program.publicKey}></script>`);
    paths['/js/gr.js'] = javascript('window.gr_id = 1;');
    expect(await failing()).toEqual([
      'script file',
      `The file ${origin}/js/gr.js is not the tracking script.`,
      `Load it from ${origin}/api/gr.js, or build a copy with npm run build:script.`,
    ]);
    paths['/js/gr.js'] = javascript(await buildScript('https://other.example/'));
    expect(await failing()).toEqual([
      'script file',
      'The script reports to another service: https://other.example/',
      `Build it with npm run build:script -- --base-url ${origin}/api`,
    ]);
    paths['/js/gr.js'] = html('<p>');
    expect(await failing()).toEqual([
      'script file',
      expect.stringMatching('unexpected content type'),
      expect.any(String),
    ]);
  });

});

describe('steps after a failure', () => {
  /** Checks a page. Returns the outcome of each step, with the reason if it was skipped. */
  const outcomes = async () =>
    Object.fromEntries(
      (await check()).map(({ step, outcome, why }) => [step, outcome === 'skipped' ? `skipped: ${why}` : outcome]),
    );

  test('the steps that do not need the failed one run, and all faults are reported', async () => {
    paths['/'] = html(`${tag('data-parameters=ref')}<script>gr('track', 'conversion')</script>`, {
      'content-security-policy': "script-src 'none'",
    });
    expect(await outcomes()).toEqual({
      page: 'passed',
      'script tag': 'passed',
      'script file': 'passed',
      'public key': 'passed',
      'link parameter': 'failed',
      'queue line': 'failed',
      'security policy': 'failed',
      'allowed origin': 'failed',
      'cookie renewal': 'passed',
      'clean-up': 'passed',
    });
  });

  test('the steps that need the failed one are skipped, also through another step', async () => {
    paths['/'] = html(`<script src=/none/gr.js></script>`);
    const needsFile = 'skipped: "script file" failed.';
    const needsKey = 'skipped: "public key" failed.';
    expect(await outcomes()).toMatchObject({
      'script file': 'failed',
      'public key': 'failed',
      'link parameter': needsKey,
      'queue line': 'failed',
      'security policy': needsFile,
      'allowed origin': needsKey,
    });
    paths['/'] = html('<p>');
    const needsTag = 'skipped: "script tag" failed.';
    expect(await outcomes()).toMatchObject({ 'public key': needsTag, 'allowed origin': needsTag });
  });

});

test('a page without a complete response is reported with the reason', async () => {
  paths['/loop'] = (_, response) => response.writeHead(302, { location: '/loop' }).end();
  paths['/silent'] = () => undefined;
  paths['/slow'] = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<p>');
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const closedPort = portOf(closed);
  closed.close();
  // In jest, errors of `fetch` belong to another realm than the code under test.
  const file = join(import.meta.dirname, '../../../bin/admin/doctor/page/fetch.ts');
  const addresses = [`${origin}/loop`, `${origin}/silent`, `${origin}/slow`, `http://127.0.0.1:${closedPort}`];
  const code = `import { load } from ${JSON.stringify(file)};
    for (const address of ${JSON.stringify(addresses)}) {
      const limit = /silent|slow/.test(address) ? 300 : 60_000;
      await load(new URL(address), 'The page', /html/, limit).catch(({ message, advice }) => console.log(message, advice));
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  expect(stdout.split('\n')).toEqual([
    ...[
      'cannot be loaded (redirect count exceeded).',
      'did not arrive in time.',
      'did not arrive in time.',
      'cannot be loaded (ECONNREFUSED).',
    ].map((why) => `The page ${why} Correct the address, or check the page in a browser.`),
    '',
  ]);
});
