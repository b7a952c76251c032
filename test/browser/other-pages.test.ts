import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { BLOCKED_PORTS, portOf } from '../../bin/local/engine.ts';
import { readService } from '../../bin/service/service-file.ts';
import { hashToken, makeToken } from '../../functions/kernel/accounts/rules/token.ts';
import { tokenKey } from '../../functions/kernel/dynamodb/keys.ts';
import { useDemo } from '../support/browser/demo-page.ts';
import { useRelays } from '../support/relay.ts';

const demo = useDemo();
let endpoint: string;
const relay = useRelays(() => endpoint);
/** A page of another site. It knows every address, and it may send any request. */
let attacker: Server;
beforeAll(async () => {
  attacker = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end());
  await once(attacker.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  attacker.closeAllConnections();
  attacker.close();
});

async function attackerPage(): Promise<Page> {
  const page = await demo.newPage();
  await page.goto(`http://attacker.test:${portOf(attacker)}/`);
  return page;
}

const FORGED = makeToken('program', randomBytes);

/**
 * Reads the engine's data from a page, and stores a program token of its own. Resolves to the number of emails that it
 * read, or to the browser's error.
 */
async function attackEngine(page: Page, endpoint: string): Promise<number | string> {
  const { pk } = tokenKey(hashToken(FORGED));
  const attack = `async () => {
    const call = async (operation, input) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.' + operation,
        'x-amz-date': '20260101T000000Z',
        authorization: 'AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=a',
      };
      const response = await fetch('${endpoint}/', { method: 'POST', headers, body: JSON.stringify(input) });
      return response.json();
    };
    const { TableNames: [TableName] } = await call('ListTables', {});
    const Items = [];
    let next;
    do {
      const page = await call('Scan', { TableName, ExclusiveStartKey: next });
      Items.push(...page.Items);
      next = page.LastEvaluatedKey;
    } while (next);
    const token = Items.find(({ sk, kind }) => sk.S === 'TOKEN' && kind.S === 'program');
    await call('PutItem', { TableName, Item: { ...token, pk: { S: '${pk}' } } });
    return Items.filter(({ email }) => email).length;
  }`;
  return page.evaluate<number | string>(`(${attack})().catch((error) => error.message)`);
}

/** Returns the status of a request with the forged token. */
async function statusWithForgedToken(): Promise<number> {
  const headers = { authorization: `Bearer ${FORGED}` };
  return (await fetch(`${demo.url()}/v2/advocates`, { headers })).status;
}

test('no page of another site can read or change the data of the engine, even if it knows the address', async () => {
  endpoint = readService(demo.dataDir())?.endpoint ?? '';
  const page = await attackerPage();
  expect(await attackEngine(page, endpoint)).toBe('Failed to fetch');
  expect(await statusWithForgedToken()).toBe(401);

  // The engine itself does not refuse the attack: at an address that browsers do not block, it succeeds.
  expect(await attackEngine(page, await relay(async () => undefined))).toBeGreaterThan(100);
  expect(await statusWithForgedToken()).toBe(200);
});

test('Chromium sends no request of a page to any port that the engine uses', async () => {
  const page = await attackerPage();
  const blocked: number[] = [];
  for (const port of BLOCKED_PORTS) {
    const server = createServer((_, response) => response.end());
    // Another server may listen there: a request to it must also fail.
    await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => undefined);
    const isBlocked = `fetch('http://127.0.0.1:${port}/', { mode: 'no-cors' }).then(() => false, () => true)`;
    if (await page.evaluate<boolean>(isBlocked)) blocked.push(port);
    server.closeAllConnections();
    if (server.listening) server.close();
  }
  expect(blocked).toEqual(BLOCKED_PORTS);
});

const JOIN = JSON.stringify({ first_name: 'Eve', last_name: '', email: 'eve@partners.example', attempt: 'eve' });
/** The OpenAPI document has a token of zeros. */
const SECRET = /rt[pa]_(?!0{36})\w{36}|"slug":/;
const REQUESTS = ['GET /', 'GET /docs', 'GET /demo', 'POST /demo/join'];
/** Sends requests from a page. Resolves to what it could read of each response. */
function readFrom(page: Page, service: string): Promise<string[]> {
  const requests = JSON.stringify(REQUESTS.map((request) => request.split(' ')));
  return page.evaluate<string[]>(`Promise.all(${requests}.map(async ([method, path]) => {
    const headers = method === 'POST' ? { 'content-type': 'application/json' } : {};
    const response = await fetch('${service}' + path, { method, headers, ...(method === 'POST' && { body: ${JSON.stringify(JOIN)} }) }).catch(() => undefined);
    return response === undefined ? 'nothing' : response.status + ' ' + (await response.text());
  }))`);
}

test('no page of another site can read the tokens and the customers of the demo', async () => {
  const ownPage = await demo.newPage();
  await ownPage.goto(`${demo.url()}/openapi.json`);
  // Without this check, the test could look for something that no page contains.
  const own = await readFrom(ownPage, demo.url());
  expect(REQUESTS.filter((_, index) => SECRET.test(own[index] ?? ''))).toEqual(REQUESTS);
  const page = await attackerPage();
  for (const host of ['localhost', '127.0.0.1', '0.0.0.0']) {
    const service = `http://${host}:${new URL(demo.url()).port}`;
    expect(await readFrom(page, service)).toEqual(REQUESTS.map(() => 'nothing'));
  }
});

test('no page whose host name resolves to this machine can read the tokens and the customers of the demo', async () => {
  const page = await demo.newPage();
  const service = `http://rebound.test:${new URL(demo.url()).port}`;
  await page.goto(`${service}/openapi.json`);
  const texts = await readFrom(page, service);
  expect(texts.map((text) => text.slice(0, 3))).toEqual(['200', '200', '404', '403']);
  for (const text of texts) expect(text).not.toMatch(SECRET);
});
