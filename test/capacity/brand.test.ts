import { beforeAll, test } from '@jest/globals';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { MAX_LOGO } from '../../functions/program/rules/logo.ts';
import { LARGEST_LOGO } from '../bench/flood.ts';
import { type ApiRequest, sendToHandlers } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../support/program.ts';
import { expectUsage } from '../support/usage.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const send = sendToHandlers(table);
let program: Program;
let token: string;
let affiliate: string;
beforeAll(async () => {
  program = await aProgram(table);
  token = await aToken(table, program);
  affiliate = await aToken(table, program, await anAdvocate(table, program));
  // The functions then know the tokens.
  await send({ operation: 'getProgram', token });
  await send({ operation: 'getAffiliate', token: affiliate });
});

const picture = (size: number) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(size - 8)]).toString('base64');
const put = (size: number): ApiRequest => ({ operation: 'putLogo', token, body: { image: picture(size) } });
const get = (): ApiRequest => ({ operation: 'getLogo', pk: program.publicKey });

test('a logo costs as many units as it has KiB, twice in its transaction, and a copy of the program', async () => {
  await expectUsage(table, send, [
    // Of 15 units, 2 are the program, 12 the picture, and 1 the copy in the token.
    ['an upload of 5 KiB', put(5 * 1024), 200, 5, 2.5, 15],
    ['the same again', put(5 * 1024), 200, 3, 2.5, 0],
    ['5 KiB, read', get(), 200, 1, 2, 0],
    ['the largest one, uploaded', put(MAX_LOGO * 1024), 200, 5, 2.5, 133],
    ['the largest one, read', get(), 200, 1, LARGEST_LOGO.readUnits, 0],
    ['a deletion', { operation: 'deleteLogo', token }, 204, 5, 2.5, 133],
    ['none, read', get(), 404, 1, 1, 0],
  ]);
});

test('resources are read with one request, and written with one more', async () => {
  const text = 'x'.repeat(1000);
  const body = { resources: Array.from({ length: 4 }, () => ({ title: 'A post', text })) };
  await expectUsage(table, send, [
    ['none, read', { operation: 'getResources', token }, 200, 1, 1, 0],
    ['4 KB, written', { operation: 'putResources', token, body }, 200, 2, 1, 10],
    ['4 KB, read by the merchant', { operation: 'getResources', token }, 200, 1, 2, 0],
    ['4 KB, read by an affiliate', { operation: 'getOwnResources', token: affiliate }, 200, 1, 2, 0],
    ['the same again', { operation: 'putResources', token, body }, 200, 1, 2, 0],
  ]);
});
