import { expect, test } from '@jest/globals';
import { Failure } from '../../../bin/admin/errors.ts';
import { type SecretOwner, webhookOwner } from '../../../functions/secrets/secrets.ts';
import { findWebhook, listWebhooks } from '../../../functions/table/webhooks.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import type { TestTable } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const CREATE = ['create', '--url', 'https://1.1.1.1/', '--json', '--program'];

const on = (faulty: TestTable, ...args: readonly string[]) =>
  adminWith({ table: faulty, parts: folder.parts }, 'webhook', ...args);

async function created() {
  const program = await aProgram(table);
  const { stdout } = await on(table, ...CREATE, program.id);
  const { id } = JSON.parse(stdout);
  const owner = webhookOwner(program.id, id);
  return { program, id, named: ['--program', program.id, '--id', id], secrets: () => folder.parts.secrets.read(owner) };
}

test('webhook create creates one webhook, with the secret that it prints, if the response of the table is lost', async () => {
  const { id: program } = await aProgram(table);
  proxy.next('TransactWriteItems', 'lose');
  const { status, stdout } = await on(proxied.faulty, ...CREATE, program);
  expect(status).toBe(0);
  const { id, secret } = JSON.parse(stdout);
  expect(await listWebhooks(table, program)).toMatchObject([{ id }]);
  expect(await folder.parts.secrets.read(webhookOwner(program, id))).toMatchObject([{ value: secret }]);
});

test.each([
  ['is refused', [refusal('AccessDeniedException')]],
  ['never arrives', ['drop', 'drop', 'drop', 'drop', 'drop']],
] as const)('webhook create leaves no secret if its write %s', async (_, faults) => {
  const { id: program } = await aProgram(table);
  const owners: SecretOwner[] = [];
  const { secrets } = folder.parts;
  const add: typeof secrets.add = (owner, secret) => {
    owners.push(owner);
    return secrets.add(owner, secret);
  };
  proxy.next('TransactWriteItems', ...faults);
  const setting = { table: proxied.faulty, parts: { ...folder.parts, secrets: { ...secrets, add } } };
  expect(await adminWith(setting, 'webhook', ...CREATE, program)).toMatchObject({ status: 1, stdout: '' });
  expect(await listWebhooks(table, program)).toEqual([]);
  expect(owners).toHaveLength(1);
  for (const owner of owners) expect(await secrets.read(owner)).toEqual([]);
});

test('webhook delete removes the secrets if the response of the table is lost', async () => {
  const { program, id, named, secrets } = await created();
  proxy.next('TransactWriteItems', 'lose');
  expect(await on(proxied.faulty, 'delete', ...named)).toMatchObject({ status: 0 });
  expect(await findWebhook(table, program.id, id)).toBeUndefined();
  expect(await secrets()).toEqual([]);
});

test('a simultaneous rotation and deletion leave no secret without its webhook', async () => {
  const { program, id, named, secrets } = await created();
  await Promise.all([on(table, 'rotate', ...named), on(table, 'delete', ...named)]);
  expect(await findWebhook(table, program.id, id)).toBeUndefined();
  expect(await secrets()).toEqual([]);
});
