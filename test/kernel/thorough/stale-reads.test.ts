import { randomBytes } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { expect, test } from '@jest/globals';
import { revokeAdvocateTokens } from '../../../functions/advocates/table/advocates.ts';
import { hashToken, makeToken, newToken, SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { advocateKey, programKey, tokenKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { stopProgram } from '../../../functions/operator/delete-program.ts';
import { listTokens, revokeToken } from '../../../functions/program/operator/tokens.ts';
import { createProgramToken } from '../../../functions/program/table/program-changes.ts';
import { exportReferrals } from '../../../functions/referrals/operator/referral-export.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { callersAt } from '../../support/table/controlled-clock.ts';
import { track } from '../../support/table/track.ts';
import { itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

// On AWS, an eventually consistent read may miss a recent write, and indexes lag behind the table.
const { table, program, advocate } = await useProgram();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;

test('a conversion finds a click and an advocate that were just stored', async () => {
  const click = await aClick(table, program, advocate, { subId: 'news' });
  proxy.isStale = true;
  const by = { slug: advocate.slug, clickId: click.id };
  expect(await track(proxied.faulty, program, { by })).toMatchObject({ referral: { id: click.id } });
});

test('a token that was just created authenticates its owner', async () => {
  const token = await aToken(table, program);
  proxy.isStale = true;
  const { authenticate } = callersAt(proxied.faulty, milliseconds(Date.now()));
  expect(await authenticate(token)).toMatchObject({ kind: 'program', program });
});

test("a token that is created after its advocate's tokens were revoked is valid immediately", async () => {
  const { slug } = await anAdvocate(table, program);
  const keys = [programKey(program.id), advocateKey(program.id, slug)];
  const before = await Promise.all(keys.map(async (key) => marshall(await itemAt(table, key))));
  const token = await aToken(table, program, await revokeAdvocateTokens(table, program.id, slug));
  proxy.next('BatchGetItem', { response: { status: 200, body: { Responses: { [table.name]: before } } } });
  const { authenticate } = callersAt(proxied.faulty, milliseconds(Date.now()));
  expect(await authenticate(token)).toMatchObject({ kind: 'affiliate', advocate: { slug } });
});

test('an export includes every referral that was just stored', async () => {
  const own = await aProgram(table);
  const jane = await anAdvocate(table, own);
  const stored = await Promise.all(Array.from({ length: 120 }, () => aReferral(table, own, jane)));
  proxy.isStale = true;
  const exported = [];
  for await (const page of exportReferrals(proxied.faulty, own.id)) exported.push(...page);
  expect(exported.map(({ referral: { id } }) => id).sort()).toEqual(stored.map(({ id }) => id).sort());
});

const emptyPage = { response: { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } } };

test('a token that is not in the index yet is found and revoked', async () => {
  const own = await aProgram(table);
  await aToken(table, own);
  const [token] = await listTokens(table, own.id);
  proxy.next('Query', emptyPage, emptyPage);
  const revoked = await revokeToken(proxied.faulty, own.id, token?.id ?? '');
  expect(revoked).toMatchObject({ id: token?.id, revokedAt: expect.any(Number) });
  expect(await listTokens(table, own.id)).toEqual([revoked]);
});

test('a token that is not in the index yet is deleted when its program stops', async () => {
  const own = await aProgram(table);
  const token = makeToken('program', randomBytes);
  await createProgramToken(table, own.id, { token, record: newToken({ scopes: SCOPES }, newId(), now()) });
  // Of webhooks, of the program's tokens, and of its affiliates' tokens.
  proxy.next('Query', emptyPage, emptyPage, emptyPage);
  expect(await stopProgram(proxied.faulty, own.id)).toBe(1);
  expect(await itemAt(table, tokenKey(hashToken(token)))).toBeUndefined();
});
