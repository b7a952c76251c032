import { beforeEach, expect, test } from '@jest/globals';
import { ProgramNotFound, TooManyWebhooks } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { makeToken, newToken } from '../../../functions/domain/token.ts';
import { MAX_WEBHOOKS, newWebhook } from '../../../functions/domain/webhook.ts';
import { createProgramToken, listProgramTokens, updateProgram } from '../../../functions/table/program-changes.ts';
import { createWebhook, listProgramWebhooks } from '../../../functions/table/program-webhooks.ts';
import { deleteWebhook, findWebhook } from '../../../functions/table/webhooks.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId, now } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const aNewWebhook = () => newWebhook({ url: 'https://shop.example/', includeEmail: false }, newId(), now(), false);
const list = async (at = table) => (await listProgramWebhooks(at, program.id)).map(({ id }) => id);

test('a program has at most 20 webhooks, and a deleted one makes room', async () => {
  for (let count = 0; count < MAX_WEBHOOKS; count += 1) await aWebhook(table, program);
  await expectUnchanged(table, async () => {
    await expect(createWebhook(table, program.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
  });
  const [first = ''] = await list();
  await deleteWebhook(table, program.id, first);
  await createWebhook(table, program.id, aNewWebhook());
  await expect(createWebhook(table, program.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
});

test('a webhook is counted and listed before the index contains it', async () => {
  for (let count = 1; count < MAX_WEBHOOKS; count += 1) await aWebhook(table, program);
  const { id } = await aWebhook(table, program);
  // The index answers as if every webhook had just been created.
  const empty = { response: { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } } };
  proxied.proxy.next('Query', empty, empty);
  expect(await list(proxied.faulty)).toContain(id);
  await expect(createWebhook(proxied.faulty, program.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
});

test('simultaneous creations, changes of the program and new tokens all remain', async () => {
  const webhooks = [aNewWebhook(), aNewWebhook(), aNewWebhook()];
  const token = newToken({}, newId(), now());
  await Promise.all([
    ...webhooks.map((webhook) => createWebhook(table, program.id, webhook)),
    updateProgram(table, program.id, { onRefund: 'reject' }),
    createProgramToken(table, program.id, { token: makeToken('program', table.random), record: token }),
  ]);
  expect((await list()).toSorted()).toEqual(webhooks.map(({ id }) => id).toSorted());
  expect((await listProgramTokens(table, program.id)).map(({ id }) => id)).toEqual([token.id]);
  expect(await updateProgram(table, program.id, {})).toMatchObject({ onRefund: 'reject' });
});

test('a webhook of an unknown program is not stored', async () => {
  const webhook = aNewWebhook();
  const unknown = newId();
  await expect(createWebhook(table, unknown, webhook)).rejects.toThrow(ProgramNotFound);
  expect(await findWebhook(table, unknown, webhook.id)).toBeUndefined();
});

test('a list of 20 webhooks takes four requests', async () => {
  for (let count = 0; count < MAX_WEBHOOKS; count += 1) await aWebhook(table, program);
  const { result, requests, readUnits } = await metered(table, () => list());
  // The program, its newest webhooks, the index, and its webhooks.
  expect([result.length, requests]).toEqual([20, 4]);
  expect(readUnits).toBeLessThanOrEqual(45);
});

test('a new webhook takes three reads and one transaction', async () => {
  const { requests, writeUnits } = await metered(table, () => createWebhook(table, program.id, aNewWebhook()));
  expect(requests).toBe(3);
  expect(writeUnits).toBeLessThanOrEqual(8);
});
