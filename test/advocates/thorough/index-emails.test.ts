import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { type IndexedEmails, indexEmails } from '../../../functions/advocates/operator/index-emails.ts';
import { eraseAdvocate, updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { advocatesWithEmail } from '../../../functions/kernel/accounts/table/advocate-emails.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import { advocateEmailKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { listAdvocates } from '../../../functions/kernel/operator/lists.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { anAdvocate, aProgram } from '../../support/program.ts';
import { itemsOf } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let old: readonly Advocate[];
beforeEach(async () => {
  program = await aProgram(table);
  // 60 exceed one transaction.
  old = await Promise.all(Array.from({ length: 60 }, () => anAdvocate(table, program)));
  for (const each of old) {
    await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...indexKey(each) } }));
  }
});

const indexKey = ({ email, slug }: Advocate) => advocateEmailKey(program.id, addressHash(String(email)), slug);
const slugsWith = async (email: string) =>
  (await advocatesWithEmail(table, program.id, addressHash(email))).map(({ slug }) => slug);
async function indexAll() {
  let numbers: IndexedEmails | undefined;
  for await (numbers of indexEmails(table, program.id));
  return numbers;
}
const indexItems = async () =>
  (await itemsOf(table, program)).filter(({ pk }) => String(pk).startsWith(advocateEmailKey(program.id, '', '').pk));

test('advocates without an item in the index of emails are found afterwards, and a second run changes nothing', async () => {
  const [first] = old;
  await anAdvocate(table, program, { email: String(first?.email) });
  expect(await slugsWith(String(first?.email))).not.toContain(first?.slug);
  expect(await indexAll()).toEqual({ read: 61, indexed: 60 });
  for (const each of old) expect(await slugsWith(String(each.email))).toContain(each.slug);
  expect(await indexItems()).toHaveLength(61);
  await expectUnchanged(table, async () => expect(await indexAll()).toEqual({ read: 61, indexed: 0 }));
});

test.each<[string, (slug: string) => Promise<unknown>, number]>([
  ['a new email', (slug) => updateAdvocate(table, program.id, slug, { email: 'new@partners.example' }), 59],
  ['another change', (slug) => updateAdvocate(table, program.id, slug, { company: 'Roe' }), 60],
  ['an erasure', (slug) => eraseAdvocate(table, program.id, slug), 59],
])('%s during the run leaves exactly the items of the emails that are stored', async (_, change, indexed) => {
  beforeNext(table, 'TransactWriteItemsCommand', () => change(String(old[0]?.slug)));
  expect(await indexAll()).toEqual({ read: 60, indexed });
  const stored = (await listAdvocates(table, program.id)).filter(({ email }) => email !== null);
  expect(new Set(await indexItems())).toEqual(new Set(stored.map((each) => ({ ...indexKey(each) }))));
});
