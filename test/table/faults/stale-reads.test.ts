import { expect, test } from '@jest/globals';
import { exportReferrals } from '../../../functions/table/operator/referral-export.ts';
import { listTokens, revokeToken } from '../../../functions/table/operator/tokens.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, now } from '../../support/program.ts';
import { recorderAt } from '../../support/table/recorder-at.ts';
import { track } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

// On AWS a read that is not consistent may miss what was written a moment ago, and indexes lag behind the table.
const { table, program, advocate } = await useProgram();
const through = useFaultyProxy(table);
const { proxy } = through;

test('a conversion finds the click and the advocate that were stored a moment ago', async () => {
  const click = await aClick(table, program, advocate, { subId: 'news' });
  proxy.isStale = true;
  const by = { slug: advocate.slug, clickId: click.id };
  expect(await track(through.faulty, program, { by })).toMatchObject({ referral: { id: click.id } });
});

test('a click finds the program and the advocate that were stored a moment ago', async () => {
  const { id, publicKey } = await aProgram(table);
  const { slug } = await anAdvocate(table, { ...program, id });
  const { id: clickId } = await aClick(table, program, advocate);
  proxy.isStale = true;
  const { record } = recorderAt(through.faulty);
  expect(await record({ publicKey, slug, clickId, subId: null })).toBe('recorded');
});

test('an export lacks no referral that was stored a moment ago', async () => {
  const own = await aProgram(table);
  const jane = await anAdvocate(table, own);
  const stored = await Promise.all(Array.from({ length: 120 }, () => aReferral(table, own, jane)));
  proxy.isStale = true;
  const exported = [];
  for await (const page of exportReferrals(through.faulty, own.id)) exported.push(...page);
  expect(exported.map(({ id }) => id).sort()).toEqual(stored.map(({ id }) => id).sort());
});

test('a token that the index does not show yet is found and revoked', async () => {
  const own = await aProgram(table);
  await aToken(table, own);
  const [token] = await listTokens(table, own.id);
  const nothing = { answer: { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } } };
  proxy.next('Query', nothing, nothing);
  const revoked = await revokeToken(through.faulty, own.id, token?.id ?? '', now());
  expect(revoked).toMatchObject({ id: token?.id, revokedAt: expect.any(Number) });
  expect(await listTokens(table, own.id)).toEqual([revoked]);
});
