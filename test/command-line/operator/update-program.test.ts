import { randomBytes } from 'node:crypto';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { commissionRulesId as rulesIdOf } from '../../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { hashToken, makeToken, newToken } from '../../../functions/kernel/accounts/rules/token.ts';
import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { tokenKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { milliseconds, systemClock } from '../../../functions/kernel/time.ts';
import { listTokens, revokeToken } from '../../../functions/program/operator/tokens.ts';
import {
  createProgramToken,
  type ProgramUpdate,
  updateProgram,
} from '../../../functions/program/table/program-changes.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aProgram, aToken, newId, now } from '../../support/program.ts';
import { atTime, itemAt, type TestTable } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

/** Every field, with another value than `aProgram` chooses. */
const CHANGED: Required<ProgramUpdate> = {
  name: 'Other',
  siteUrl: 'https://other.example/',
  linkParameter: 'ref',
  commissionPercentage: null,
  commissionMonths: null,
  attributionDays: 7,
  payableAfterDays: 30,
  allowedOrigins: ['https://other.example'],
  affiliatesSeeEmail: 'masked',
  assistantsSeeEmail: 'full',
  codePriority: 'code',
  commissionRules: [{ percentage: 10 }],
  slugs: 'random',
  payoutName: 'Acme GmbH',
  payoutIban: 'DE02120300000000202051',
  minimumPayout: { eur: 5000, usd: 6000 },
  payoutDay: 5,
  accent: '#0b6e4f',
  onRefund: 'reject',
};

/** Creates a token as the command line does, and returns it. */
async function create(on: Table, { id }: Program): Promise<string> {
  const token = makeToken('program', randomBytes);
  await createProgramToken(on, id, { token, record: newToken({}, newId(), now()) });
  return token;
}

/** The programs that callers with these tokens get if nothing is cached. */
async function programsOf(tokens: readonly string[]) {
  const { byToken } = callersOf(table.clock);
  return Promise.all(tokens.map(async (token) => (await byToken(table, token))?.program));
}

const interruption = new Error('interrupted');
const interrupt = (on: TestTable, command: string) => beforeNext(on, command, () => Promise.reject(interruption));

describe('updates of a program', () => {
  test('an update changes the given fields in the program and in the copies of its tokens, and no other item', async () => {
    const program = await aProgram(table);
    const other = await aProgram(table);
    const tokens = [await aToken(table, program), await create(table, program), await aToken(table, program)];
    const othersToken = await aToken(table, other);
    const { id, publicKey, mode, createdAt } = program;
    const { commissionRules, ...fields } = CHANGED;
    const commissionRulesId = commissionRules && rulesIdOf(commissionRules);
    const changed = { ...fields, commissionRulesId, id, publicKey, mode, createdAt, logoVersion: null };
    expect(await updateProgram(table, id, { name: 'Other' })).toEqual({ ...program, name: 'Other' });
    expect(await updateProgram(table, id, CHANGED)).toEqual(changed);
    expect(await findProgram(table, id)).toEqual(changed);
    expect(await programsOf(tokens)).toEqual([changed, changed, changed]);
    expect(await programsOf([othersToken])).toEqual([other]);
    await updateProgram(table, id, { commissionPercentage: 0, allowedOrigins: [] });
    const again = { ...changed, commissionPercentage: 0, commissionRulesId: null, allowedOrigins: [] };
    expect(await programsOf(tokens)).toEqual([again, again, again]);
  });

  test('an update with the current values writes nothing', async () => {
    const { id } = await aProgram(table);
    await updateProgram(table, id, CHANGED);
    await aToken(table, await updateProgram(table, id, CHANGED));
    await updateProgram(table, id, CHANGED);
    await expectUnchanged(table, () => updateProgram(table, id, CHANGED));
  });

  test('an update reaches new tokens that the index lacks, even if one of them was deleted', async () => {
    const program = await aProgram(table);
    const [deleted = '', ...tokens] = await Promise.all([1, 2, 3].map(() => create(table, program)));
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...tokenKey(hashToken(deleted)) } }));
    proxy.next('Query', { response: { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } } });
    const changed = await updateProgram(proxied.faulty, program.id, CHANGED);
    expect(await programsOf(tokens)).toEqual([changed, changed]);
    expect(await itemAt(table, tokenKey(hashToken(deleted)))).toBeUndefined();
  });

  test('an update does not replace the copies of a later update', async () => {
    const program = await aProgram(table);
    const token = await aToken(table, program);
    beforeNext(table, 'UpdateItemCommand', () => updateProgram(table, program.id, { name: 'Later' }));
    await updateProgram(table, program.id, { name: 'Earlier', attributionDays: 7 });
    expect(await programsOf([token])).toEqual([{ ...program, name: 'Later', attributionDays: 7 }]);
  });
});

test.each(['QueryCommand', 'UpdateItemCommand'])(
  'an update that is interrupted before its %s is completed by a second one',
  async (command) => {
    const program = await aProgram(table);
    const tokens = [await aToken(table, program), await create(table, program)];
    interrupt(table, command);
    await expect(updateProgram(table, program.id, CHANGED)).rejects.toBe(interruption);
    const changed = await updateProgram(table, program.id, CHANGED);
    expect(await programsOf(tokens)).toEqual([changed, changed]);
  },
);

test('an update whose response is lost is not made again on top of a later one', async () => {
  const program = await aProgram(table);
  const token = await aToken(table, program);
  proxy.next('TransactWriteItems', { meanwhile: () => updateProgram(table, program.id, { name: 'Later' }) });
  await updateProgram(proxied.faulty, program.id, { name: 'Earlier', attributionDays: 7 });
  const stored = { ...program, name: 'Later', attributionDays: 7 };
  expect(await findProgram(table, program.id)).toEqual(stored);
  await updateProgram(table, program.id, { name: 'Later' });
  expect(await programsOf([token])).toEqual([stored]);
});

test('a revoked token is refused, and keeps the time of its first revocation', async () => {
  const program = await aProgram(table);
  const token = await aToken(table, program);
  const [{ id = '' } = {}] = await listTokens(table, program.id);
  const first = await revokeToken(table, program.id, id);
  expect(await programsOf([token])).toEqual([undefined]);
  const later = atTime(table, () => milliseconds(systemClock() + 100_000));
  expect(await revokeToken(later, program.id, id)).toEqual(first);
  expect(await listTokens(table, program.id)).toEqual([first]);
});
