import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, jest, test } from '@jest/globals';
import { emailWorkers } from '../../../bin/local/events/emails.ts';
import { pages } from '../../../bin/local/pages/pages.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { type EmailCause, queueOf } from '../../../functions/people/rules/email-cause.ts';
import { exampleContent } from '../../../functions/people/rules/emails/content.ts';
import { writeEmail } from '../../../functions/people/rules/emails/email.ts';
import { NO_SETTINGS } from '../../../functions/people/rules/emails/settings.ts';
import type { EmailMessage } from '../../../functions/people/stream/messages.ts';
import { useEventQueue } from '../../support/events/local-events.ts';
import { BASE_URL, messageOf } from '../../support/people.ts';
import { anAdvocate, aProgram, newId, now } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const local = useEventQueue();
const table = useTable();
const someMessages = (count: number): EmailMessage[] =>
  Array.from({ length: count }, () => messageOf(table, 'a-program', { kind: 'invited', member: newId() }));
const receive = () => local.file.emails.receive('others');
/** Runs a statement on the file. */
function run(statement: string) {
  using database = new DatabaseSync(join(local.dataDir, 'service.sqlite'));
  return database.prepare(statement).all();
}

test('a local queue of emails returns ten visible messages, the oldest, unchanged and to one receiver', async () => {
  const sent = someMessages(12);
  await local.file.emails.send('others', sent);
  await local.file.emails.send('links', someMessages(1));
  const received = receive().map(({ body }) => JSON.parse(body));
  expect(received).toHaveLength(10);
  expect(received).toEqual(expect.arrayContaining(sent.slice(0, 10)));
  expect([receive().length, receive().length]).toEqual([2, 0]);
});

test('a message of an email is visible again after a minute, after it was hidden or after a restart, until it is deleted', async () => {
  const { emails } = local.file;
  await emails.send('others', someMessages(1));
  const [{ receiptHandle = '' } = {}] = receive();
  for (const hidden of [60, 900]) {
    if (hidden !== 60) emails.hide(receiptHandle, hidden);
    local.now += hidden * 1000 - 1;
    expect(receive()).toEqual([]);
    local.now += 1;
    expect(receive()).toHaveLength(1);
  }
  local.reopen();
  expect(receive()).toEqual([]);
  local.file.emails.resetVisibility();
  expect(receive()).toMatchObject([{ receives: 4 }]);
  local.file.emails.delete(receiptHandle);
  expect(run('SELECT * FROM email')).toEqual([]);
});

const SANDBOX = 'sandbox allow-top-navigation-by-user-activation';
const SCRIPT = '"><script>alert(1)</script>';
function put(subject: string): void {
  const about = { program: { name: SCRIPT }, settings: NO_SETTINGS, unsubscribeUrl: null };
  const email = writeEmail(exampleContent('invited', BASE_URL, { publicKey: 'pk_1' }), about);
  const headers = { 'Auto-Submitted': 'auto-generated' };
  local.file.outbox.add({ ...email, subject, to: 'sam@shop.example', fromName: SCRIPT, replyTo: SCRIPT, headers });
}

describe('the outbox', () => {
  const subjects = () => local.file.outbox.list().map(({ subject }) => subject);
  const get = (path: string, host = 'localhost:3000') => {
    const request = { method: 'GET', path, search: '', headers: { host }, body: Buffer.of(), port: 3000 };
    return pages(undefined, local.dataDir, local.file.outbox)(request);
  };

  test('the outbox lists the newest first, keeps emails for 7 days, and deletes older ones from its file', async () => {
    for (const subject of ['first', 'second']) put(subject);
    local.now += 7 * 86_400_000;
    put('third');
    expect(subjects()).toEqual(['third', 'second', 'first']);
    local.now += 1;
    expect([subjects(), (await get('/outbox/1'))?.statusCode]).toEqual([['third'], undefined]);
    put('fourth');
    expect(run('SELECT subject FROM outbox')).toEqual([{ subject: 'third' }, { subject: 'fourth' }]);
  });

  test('/outbox shows recipient, subject, headers and text of each email, and its HTML in a frame', async () => {
    expect((await get('/outbox'))?.body).toContain('No emails yet');
    put('A subject');
    const shown =
      /<details open>.*<strong>A subject<.*"\/outbox\/1".*To: sam@shop\.example\n.*Auto-Submitted: auto-.*Hello Jane,/s;
    expect((await get('/outbox'))?.body).toMatch(shown);
    // A link opens in place of the outbox.
    expect((await get('/outbox/1'))?.body).toMatch(/<base target="_top">.*Hello Jane,/s);
  });

  test('an email can neither run scripts nor reach the page, and another host name gets nothing', async () => {
    put(SCRIPT);
    for (const path of ['/outbox', '/outbox/1']) {
      const { body, headers } = (await get(path)) ?? {};
      expect(body).toContain('alert(1)');
      expect(body).not.toMatch(/<script|\{\{/);
      const policy = String(headers?.['content-security-policy']).split('; ');
      const own = path === '/outbox' ? ["style-src 'self'", "frame-ancestors 'none'"] : ["script-src 'none'", SANDBOX];
      expect(policy).toEqual(expect.arrayContaining(["default-src 'none'", ...own]));
      for (const host of ['evil.test', 'localhost.evil.test:3000']) expect(await get(path, host)).toBeUndefined();
    }
    expect((await get('/outbox'))?.body).toContain(`${SANDBOX.replace(' ', '="')}"></iframe>`);
  });
});

const work = async () => {
  for (const each of emailWorkers(table, local.file, BASE_URL)) while (await each());
};
/** Queues an email to an advocate. Returns the address. */
async function send(causeOf: (advocate: Advocate) => EmailCause) {
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  const cause = causeOf(advocate);
  await local.file.emails.send(queueOf(cause), [messageOf(table, program.id, cause)]);
  return advocate.email;
}

test('an email that the outbox could not store is tried again after the pause, and then stored once', async () => {
  const to = await send(({ email }) => {
    return { kind: 'sign_in', page: 'portal', address: addressHash(email ?? ''), request: newId() };
  });
  run("CREATE TRIGGER refusal BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'made by a test'); END");
  await work();
  run('DROP TRIGGER refusal');
  await work();
  expect(local.file.outbox.list()).toEqual([]);
  local.now += 10_000;
  await work();
  expect(local.file.outbox.list()).toMatchObject([{ to, text: expect.stringContaining(`${BASE_URL}/account#code=`) }]);
  expect(run('SELECT * FROM email')).toEqual([]);
});

test('a message that cannot be handled becomes a dead letter after 50 receives', async () => {
  const errors = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const missing = { kind: 'settled', createdAt: now(), entry: newId() } as const;
  await send(({ slug }) => ({ ...missing, slug }));
  run('UPDATE email SET receives = 48');
  const deadLetters = () => run('SELECT body FROM dead_letter').map(({ body }) => JSON.parse(String(body)));
  await work();
  expect(deadLetters()).toEqual([]);
  local.now += 60_000;
  await work();
  expect(deadLetters()).toEqual([expect.objectContaining({ cause: expect.objectContaining(missing) })]);
  expect(run('SELECT * FROM email')).toEqual([]);
  expect(errors).toHaveBeenCalledTimes(2);
  errors.mockRestore();
});
