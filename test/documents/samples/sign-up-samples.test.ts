import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { installClient } from '../../support/client/client-package.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';
import { FRAMEWORKS, LANGUAGES, type Language, languagesToTest, runSignUp, type SignUp } from './sample-languages.ts';

/** Milliseconds. Every response of the service arrives earlier. */
const PATIENT = 60_000;
/** Milliseconds. The server in question never responds. */
const IMPATIENT = 100;

const table = useTable();
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
let program: Program;
let advocate: Advocate;
let token: string;
const servers: Server[] = [];
const packages = mkdtempSync(join(tmpdir(), 'packages-'));

beforeAll(async () => {
  installClient(packages);
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});
afterAll(() => rmSync(packages, { recursive: true }));
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const aCustomer = () => ({ id: newId(), email: `customer-${newId().slice(-12)}@shop.example` });
const aSignUp = (changes: Partial<SignUp> = {}): SignUp => ({
  baseUrl: gateway.url(),
  token,
  customer: aCustomer(),
  grId: `${advocate.slug}.${newId()}`,
  timeoutMs: PATIENT,
  ...changes,
});
const run = (language: Language, signUp: SignUp) => runSignUp(language, join(packages, 'node_modules'), signUp);
/** The stored referrals of a customer. */
const referralsOf = async ({ customer }: SignUp) =>
  (await allItems(table)).filter(({ sk, email }) => sk === 'REFERRAL' && email === customer.email);

/** Starts a server that is not the service. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

async function refuseConnections(): Promise<string> {
  const url = await serve(() => undefined);
  const [server] = servers.splice(0);
  await new Promise((resolve) => server?.close(resolve));
  return url;
}

describe.each(languagesToTest(LANGUAGES))('the sign-up in $name', (language) => {
  /** The sign-up succeeds and tracking logs nothing. */
  const expectQuiet = async (signUp: SignUp) =>
    expect(await run(language, signUp)).toEqual({ status: 0, printed: 'signed up\n', logged: '' });
  /** The sign-up succeeds and the log identifies the customer by id, without personal data. */
  const expectLogged = async (signUp: SignUp, reason: RegExp) => {
    const { logged, ...result } = await run(language, signUp);
    expect(result).toEqual({ status: 0, printed: 'signed up\n' });
    expect(logged).toContain(`customer ${signUp.customer.id} was not reported`);
    expect(logged).not.toContain(signUp.customer.email);
    expect(logged).not.toContain(signUp.token);
    expect(logged).toMatch(reason);
  };

  test('the sign-up records a new referral once, however often it is reported', async () => {
    const click = await aClick(table, program, advocate);
    const signUp = aSignUp({ grId: `${advocate.slug}.${click.id}` });
    await expectQuiet(signUp);
    await expectQuiet(signUp);
    const pk = expect.stringContaining(click.id);
    expect(await referralsOf(signUp)).toMatchObject([{ pk, state: 'converted' }]);
  });

  test('the sign-up treats a known customer as a success', async () => {
    const first = aSignUp();
    await expectQuiet(first);
    const again = aSignUp({ customer: { ...first.customer, id: newId() } });
    await expectQuiet(again);
    expect(await referralsOf(first)).toHaveLength(1);
  });

  test('the sign-up treats an unknown affiliate as "not referred"', async () => {
    const signUp = aSignUp({ grId: `producthunt.${newId()}` });
    await expectQuiet(signUp);
    expect(await referralsOf(signUp)).toEqual([]);
  });

  test.each([null, ''])('the sign-up sends nothing if the gr_id is %j', async (grId) => {
    const requests: unknown[] = [];
    const baseUrl = await serve((request, response) => {
      requests.push(request.url);
      response.end();
    });
    await expectQuiet(aSignUp({ baseUrl, grId }));
    expect(requests).toEqual([]);
  });

  test('the sign-up continues if the framework parses the cookie as a list', async () => {
    expect(await run(language, aSignUp({ grId: ['jane'] }))).toMatchObject({
      status: 0,
      printed: 'signed up\n',
    });
  });

  const page = (status: number) =>
    serve((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Oops</h1>');
    });
  test.each<[string, () => Promise<Partial<SignUp>>, RegExp]>([
    ['the gr_id is not valid', async () => ({ grId: 'jane' }), /400/],
    ['the token is rejected', async () => ({ token: 'rtp_unknown' }), /401/],
    ['the service refuses connections', async () => ({ baseUrl: await refuseConnections() }), /./],
    [
      'the service does not respond',
      async () => ({ baseUrl: await serve(() => undefined), timeoutMs: IMPATIENT }),
      /time(?:d )?\s?out/i,
    ],
    ['the response is HTML with status 503', async () => ({ baseUrl: await page(503) }), /503/],
    ['the response is HTML with status 200', async () => ({ baseUrl: await page(200) }), /200/],
    ['a setting is missing', async () => ({ baseUrl: '' }), /./],
  ])('the sign-up logs that %s', async (_, changes, reason) => {
    await expectLogged(aSignUp(await changes()), reason);
  });
});

describe.each(languagesToTest(FRAMEWORKS))('the sign-up in $name', (framework) => {
  const signedUp = { status: 0, printed: 'signed up\n' };

  test('the sign-up of a framework reads the cookie and records the referral', async () => {
    const signUp = aSignUp();
    expect(await run(framework, signUp)).toEqual({ ...signedUp, logged: '' });
    expect(await referralsOf(signUp)).toMatchObject([{ state: 'converted', uid: signUp.customer.id }]);
  });

  test('the sign-up of a framework sends nothing without the cookie', async () => {
    const baseUrl = await refuseConnections();
    expect(await run(framework, aSignUp({ baseUrl, grId: null }))).toEqual({ ...signedUp, logged: '' });
  });

  test('the sign-up of a framework continues if the service refuses connections', async () => {
    const signUp = aSignUp({ baseUrl: await refuseConnections() });
    expect(await run(framework, signUp)).toMatchObject({
      ...signedUp,
      logged: expect.stringContaining(`customer ${signUp.customer.id} was not reported`),
    });
  });
});
