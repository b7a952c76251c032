import { expect, test } from '@jest/globals';
import { type Fault, refusal, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const dynamodb = useFaultyProxy(table);

test('warming up reads one item and writes nothing', async () => {
  await dynamodb.faulty.connection.warmUp();
  expect(dynamodb.proxy.seen).toEqual(['GetItem']);
  expect(await allItems(table)).toEqual([]);
});

test.each<[name: string, fault: Fault]>([
  ['does not respond', 'hang'],
  ['breaks the connection', 'drop'],
  ['denies access', refusal('AccessDeniedException')],
  ['fails', refusal('InternalServerError', {}, 500)],
])('warming up never fails, even if the table %s', async (_, fault) => {
  dynamodb.proxy.next('GetItem', fault, fault, fault);
  await expect(dynamodb.faulty.connection.warmUp()).resolves.toBeUndefined();
});
