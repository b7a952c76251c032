import { once } from 'node:events';
import { createServer } from 'node:http';
import { beforeAll, expect, test } from '@jest/globals';
import { checkEmails } from '../../../bin/admin/doctor/emails.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import type { ParameterStoreOptions } from '../../../functions/kernel/secrets/parameter-store.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { adminWith } from '../../support/admin-here.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { countStream } from '../../support/statistics/statistics.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
beforeAll(() => createMissingTable(table, { stream: true }));
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

type Answer = readonly [status: number, json: object];
const NOT_FOUND: Answer = [404, { message: 'Not found' }];
const signed = { SigningEnabled: true, Status: 'SUCCESS' };
const VERIFIED = { VerifiedForSendingStatus: true, DkimAttributes: signed };
const ACCOUNT = { SendingEnabled: true, EnforcementStatus: 'HEALTHY', ProductionAccessEnabled: true };
const IN_ORDER: Readonly<Record<string, Answer>> = {
  'POST /': [200, { Parameter: { Value: 'hello+a@acme.example' } }],
  'GET /v2/email/account': [200, ACCOUNT],
  'GET /v2/email/identities/hello%2Ba%40acme.example': NOT_FOUND,
  'GET /v2/email/identities/acme.example': [200, VERIFIED],
};
const [ADDRESS, DOMAIN] = Object.keys(IN_ORDER).slice(2) as [string, string];
const account = (changes: object) => ({ 'GET /v2/email/account': [200, { ...ACCOUNT, ...changes }] as const });
const domain = (changes: object) => ({ [DOMAIN]: [200, { ...VERIFIED, ...changes }] as const });

let answers: Readonly<Record<string, Answer>>;
const asked: (string | undefined)[] = [];

/** Parameter Store and SES in one, for `work`. */
async function onAws<Result>(work: (options: ParameterStoreOptions) => Promise<Result>): Promise<Result> {
  await using server = createServer(({ method, url, headers }, response) => {
    asked.push(/\/([a-z]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1]);
    const [status, json] = answers[`${method} ${url}`] ?? [500, {}];
    response.writeHead(status, { connection: 'close' }).end(JSON.stringify(json));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const credentials = async () => ({ accessKeyId: 'id', secretAccessKey: 'key' });
  const endpoint = `http://127.0.0.1:${portOf(server)}`;
  return await work({ region: 'eu-central-1', credentials, tableName: 'stage', endpoint });
}

const OK = 'SES has verified the sender, signs its emails, and sends to everybody';
const UNKNOWN = 'it is not known whether SES sends emails';

test.each<[string, Readonly<Record<string, Answer>>, string, ...RegExp[]]>([
  ['a verified domain', {}, OK],
  ['a verified address', { [ADDRESS]: [200, VERIFIED], [DOMAIN]: NOT_FOUND }, OK],
  ['no identity', { [DOMAIN]: NOT_FOUND }, '', /^SES refuses all emails: .* Verify/, /DKIM.* Turn on DKIM/],
  ['an unverified identity', domain({ VerifiedForSendingStatus: false }), '', /^SES refuses all emails/],
  ['pending DKIM', domain({ DkimAttributes: { ...signed, Status: 'PENDING' } }), '', /DKIM/],
  ['disabled DKIM', domain({ DkimAttributes: { ...signed, SigningEnabled: false } }), '', /DKIM/],
  ['the sandbox', account({ ProductionAccessEnabled: false }), '', /sandbox of SES.* Request production access/],
  ['disabled sending', account({ SendingEnabled: false }), '', /^SES has paused the account.* Open/],
  ['a shutdown', account({ EnforcementStatus: 'SHUTDOWN' }), '', /^SES has paused the account/],
  ['no permission', { [ADDRESS]: [403, {}] }, UNKNOWN, /rejects a request\. Allow the actions in docs\/deploy\.md/],
  ['a failure of SES', { [DOMAIN]: [500, {}] }, UNKNOWN, /does not respond\. Run doctor again later/],
])('doctor says what to do about %s', async (_, changes, what, ...advice) => {
  answers = { ...IN_ORDER, ...changes };
  const found = await onAws(checkEmails);
  if (what === OK) return expect(found).toBe(OK);
  expect(Object(found)).toEqual({ what: what || 'people do not get all emails', advice: expect.any(String) });
  expect(Object(found).advice.split('\n')).toEqual(advice.map((line) => expect.stringMatching(line)));
});

/** Runs doctor on the table, as one of a deployment if there are options. */
async function doctor(deployment?: ParameterStoreOptions) {
  const setting = { table, pause: () => countStream(table), ...(deployment && { deployment }) };
  const { status, stdout } = await adminWith(setting, 'doctor', '--json', '--base-url', gateway.url());
  const { steps }: { steps: { step: string; what?: string; advice?: string }[] } = JSON.parse(stdout);
  return { status, stdout, emails: steps.filter(({ step }) => step === 'emails') };
}

test('doctor has a step for emails in a deployment that sends some, and says nothing about them in others', async () => {
  answers = { ...IN_ORDER, ...account({ ProductionAccessEnabled: false }) };
  asked.length = 0;
  const { status, stdout, emails } = await onAws(doctor);
  expect([status, emails]).toEqual([0, [expect.objectContaining({ outcome: 'passed', advice: expect.any(String) })]]);
  expect(stdout).not.toContain('hello');
  expect(asked).toEqual(['ssm', 'ses', 'ses', 'ses']);
  answers = { 'POST /': [400, { __type: 'ParameterNotFound' }] };
  for (const run of [() => onAws(doctor), () => doctor()]) expect(await run()).toMatchObject({ status: 0, emails: [] });
});
