import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { localAccess } from '../../../bin/admin/secrets.ts';
import { type Demo, prepareDemo } from '../../../bin/local/demo/demo.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import type { JsonObject } from '../../../functions/openapi/operation.ts';
import { APPLICATION, OTHER_APPLICATION } from '../../../functions/openapi/records.ts';
import { isOperationId, type OperationId, ROUTES } from '../../../functions/routes.ts';
import { exampleOf, LANGUAGES, type Language, samplesOf } from '../../../web/kit/samples.ts';
import { fromEmails } from '../../support/demo-emails.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { DOCUMENT, operationOf } from '../../support/openapi.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

/** The commands that run a sample. */
const COMMANDS: Readonly<Record<Language, string>> = {
  curl: 'sh',
  JavaScript: process.execPath,
  Python: 'python3',
  PHP: 'php',
  Ruby: '/usr/bin/ruby',
};
/** All languages in CI; elsewhere two, because they take seconds. */
const languages = process.env['SAMPLES'] === 'all' ? LANGUAGES : (['curl', 'JavaScript'] as const);
const EXTENSIONS: Readonly<Record<Language, string>> = {
  curl: 'sh',
  JavaScript: 'mjs',
  Python: 'py',
  PHP: 'php',
  Ruby: 'rb',
};
/**
 * Only Stripe can sign its events. The others need ids or addresses that the demo does not have, or would erase the
 * advocate of the other samples, or end its tokens. Nothing can open a stream of an assistant.
 */
const OTHERS: readonly string[] = [
  'receiveStripeEvent',
  'revokeToken',
  'revokeAdvocateTokens',
  'eraseAdvocate',
  'openMcpStream',
];
/** What a sample prints if its response has no `data`. */
const FILES: Partial<Record<string, RegExp>> = {
  getScript: /gr_id/,
  getPortal: /<!doctype html>/,
  getPortalScript: /customElements/,
  getAccount: /<!doctype html>/,
  getDashboard: /<!doctype html>/,
  getLlmsText: /^# Referral tracking/,
  getLogo: /PNG/,
  showUnsubscribe: /<form method="post">/,
  unsubscribe: /You get no more of these emails/,
  callMcp: /^\{"jsonrpc":"2\.0","id":1,"result":\{"tools":\[/,
};
/** How many samples run at the same time. On a busy machine, more would exceed their own time limits. */
const LANES = 4;
/** They need what another sample has written. */
const FIRST: Partial<Record<string, OperationId>> = {
  recordRefund: 'recordPayment',
  voidPayment: 'recordPayment',
  getPayoutFile: 'payOut',
  getCommissionRules: 'putGroup',
  getOwnCommissionRules: 'putGroup',
  getLogo: 'putLogo',
  deleteLogo: 'getLogo',
  removeMember: 'updateMember',
};
const OPERATIONS = Object.keys(ROUTES)
  .filter(isOperationId)
  .filter((id) => !OTHERS.includes(id) && ROUTES[id].function !== 'integrations');
/** The operations whose only success is 204. */
const EMPTY: readonly string[] = OPERATIONS.filter((id) => Object.keys(operationOf(id).responses)[0] === '204');
/** The code in the example of an operation, which only an email contains: the tests put another one in its place. */
function codeOf(id: OperationId): string {
  const { examples = {} } = Object(operationOf(id).requestBody?.content['application/json']);
  const [first] = Object.values<JsonObject>(examples);
  return Object(first?.['value']).code ?? '';
}

/** Runs a program. Resolves to its exit status and its output. */
async function run(language: Language, code: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'));
  const file = join(folder, `sample.${EXTENSIONS[language]}`);
  await writeFile(file, code);
  const child = spawn(COMMANDS[language], [file]);
  const [printed, logged, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  await rm(folder, { recursive: true });
  return { status, printed, logged };
}

describe.each(languages)('the samples in %s', (language) => {
  const table = useTable();
  const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
  const results = new Map<string, ReturnType<typeof run>>();
  let demo: Demo | undefined;
  let emails: Awaited<ReturnType<typeof fromEmails>> = { codes: {}, tokens: {} };
  const sampleOf = (id: OperationId, document = DOCUMENT) => {
    const { path, method } = ROUTES[id];
    const affiliateToken = emails.tokens[id] ?? demo?.affiliateToken ?? '';
    const tokens = { programToken: demo?.programToken ?? '', affiliateToken };
    const request = exampleOf(document, path, method.toLowerCase(), { baseUrl: gateway.url(), tokens });
    if (!request) return '';
    const sample = samplesOf(request)[language].replace(codeOf(id), emails.codes[id] ?? codeOf(id));
    // An application is decided once.
    return id === 'rejectApplication' ? sample.replace(APPLICATION.id, OTHER_APPLICATION.id) : sample;
  };

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'demo-'));
    demo = await prepareDemo(table, folder, localAccess(folder).secrets);
    await rm(folder, { recursive: true });
    emails = await fromEmails(table, demo?.programId ?? '');
    // They use different records of the demo, so some can run at the same time.
    const lanes: Promise<unknown>[] = [];
    for (const [index, id] of OPERATIONS.entries()) {
      const first = FIRST[id];
      const result = Promise.all([first && results.get(first), lanes[index % LANES]]).then(() =>
        run(language, sampleOf(id)),
      );
      lanes[index % LANES] = result;
      results.set(id, result);
    }
  });

  test.each(OPERATIONS)('the sample of %s succeeds', async (id) => {
    const { status, printed, logged } = (await results.get(id)) ?? {};
    expect([status, language === 'curl' ? '' : logged]).toEqual([0, '']);
    const file = FILES[id];
    const expected = EMPTY.includes(id) ? /^\s*$/ : (file ?? /^\{"data":.*\}\s*$/);
    expect(printed).toMatch(expected);
  });

  test('the sample of a click records it, as a browser does', async () => {
    await results.get('trackClick');
    const { examples } = operationOf('trackClick').requestBody.content['application/json'];
    const [, clickId] = examples.visit.value.gr_id.split('.');
    expect((await allItems(table)).map(({ pk }) => pk)).toContain(`PROGRAM#${demo?.programId}#REFERRAL#${clickId}`);
  });

  test('the samples quote every character of a value', async () => {
    const first_name = `O'Neil "$HOME" \\n \\' \`\${x}\` {a} \u00fc\u{1f600}`;
    const document = structuredClone(DOCUMENT);
    const value = { email: 'quote@partners.example', first_name, company: null };
    document.paths['/v2/advocates'].post.requestBody.content['application/json'].examples = { quote: { value } };
    const { printed, logged } = await run(language, sampleOf('createAdvocate', document));
    expect([printed, logged]).toEqual([expect.stringContaining(JSON.stringify(first_name)), expect.anything()]);
  });
});
