import { beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '../../../functions/kernel/accounts/rules/token.ts';
import { readMembers } from '../../../functions/kernel/accounts/table/members.ts';
import { LastAdmin, MemberExists, TooManyMembers } from '../../../functions/people/rules/errors.ts';
import { createMember, removeMember, updateMember } from '../../../functions/people/table/members.ts';
import { cancellation, useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aProgram } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: string;
beforeEach(async () => {
  program = (await aProgram(table)).id;
});

const draft = (name: string, ...scopes: Scope[]) => ({ email: `${name}@acme.example`, name, scopes });
const create = (name: string, ...scopes: Scope[]) => createMember(table, program, draft(name, ...scopes));
const members = async () => (await readMembers(table, program)).members;

test('a repeated creation returns the member, other fields are refused, and the 101st member as well, also in a race', async () => {
  await expect(create('sam', 'read')).rejects.toThrow(LastAdmin);
  const first = await create('sam', 'admin');
  expect(first.isNew).toBe(true);
  expect(await create('sam', 'admin')).toEqual({ ...first, isNew: false });
  await expect(create('sam', 'read')).rejects.toThrow(MemberExists);
  for (let count = 1; count < 99; count += 1) await create(`m${count}`, 'read');
  const both = await Promise.allSettled([create('one', 'read'), create('other', 'read')]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(create('third', 'read')).rejects.toThrow(TooManyMembers);
  expect(await members()).toHaveLength(100);
});

test('of two admins who remove or demote each other at the same time, one stays', async () => {
  const demote = (id: string) => updateMember(table, program, id, { changes: { scopes: ['read'] } });
  const remove = (id: string) => removeMember(table, program, id);
  for (const [one, other] of [
    [remove, remove],
    [remove, demote],
    [demote, demote],
  ] as const) {
    program = (await aProgram(table)).id;
    const [sam, ida] = [await create('sam', 'admin'), await create('ida', 'admin')];
    const both = await Promise.allSettled([one(sam.member.id), other(ida.member.id)]);
    expect(both.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))).toEqual([expect.any(LastAdmin)]);
    expect((await members()).filter(({ scopes }) => scopes.includes('admin'))).toHaveLength(1);
  }
});

test.each([
  ['lost', ['lose']],
  ['lost before a conflict', ['lose', cancellation('TransactionConflict')]],
] as const)('a creation, a change and a removal whose response is %s succeed', async (_, faults) => {
  await create('ida', 'admin');
  const next = () => proxied.proxy.next('TransactWriteItems', ...faults);
  next();
  const { member, isNew } = await createMember(proxied.faulty, program, draft('sam', 'read'));
  next();
  const changed = await updateMember(proxied.faulty, program, member.id, { changes: { name: 'S' } });
  next();
  const removed = await removeMember(proxied.faulty, program, member.id);
  expect([isNew, changed.name, removed.id, (await members()).length]).toEqual([true, 'S', member.id, 1]);
});
