import { expect, test } from '@jest/globals';
import { changeAdvocate, changeOwn, eraseAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { advocateWrites } from '../../../functions/advocates/table/advocates.ts';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { parseMembers, toMembersItem } from '../../../functions/kernel/accounts/table/members.ts';
import { addressHash } from '../../../functions/kernel/address.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { membersKey, signInLinksKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { entryWrites } from '../../../functions/ledger/table/entries.ts';
import { causedBy } from '../../../functions/people/table/causes.ts';
import { createMember } from '../../../functions/people/table/members.ts';
import { requestLink } from '../../../functions/people/table/sign-in-links.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { itemRecord, streamRecord } from '../../support/events/events.ts';
import { anEntry } from '../../support/ledger/entries.ts';
import { aReferral, newId, now } from '../../support/program.ts';
import { itemAt } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: jane } = await useProgram();
const { slug } = jane;
const itemOf = (advocate: Advocate): Item =>
  advocateWrites(program.id, advocate).find(({ name }) => name === 'slug')?.write.Put.Item ?? {};
const causes = (...images: Parameters<typeof itemRecord>) => causedBy(itemRecord(...images))?.causes ?? [];

test('a settlement is told, but no imported one, and no other entry', () => {
  const causesOf = (changes: object) => {
    const [entry] = entryWrites(program.id, anEntry(slug, now(), { id: newId(), ...changes }));
    return causes(null, entry && 'Put' in entry.write ? entry.write.Put.Item : null);
  };
  const settled = { kind: 'settlement', settlementId: 's', referralId: null, by: 'merchant' };
  expect(causesOf(settled)).toEqual([
    { kind: 'settled', slug, createdAt: expect.any(Number), entry: expect.any(String) },
  ]);
  expect([
    causesOf({ ...settled, by: 'import' }),
    causesOf({ kind: 'payment' }),
    causesOf({ kind: 'adjustment' }),
  ]).toEqual([[], [], []]);
});

test('the first payment of a customer is told, and no later one, import or other change', async () => {
  const converted = await aReferral(table, program, jane);
  const paid = setState(converted, 'paid', 'merchant', now());
  const day = new Date().toISOString().slice(0, 10);
  const causesOf = (before: Parameters<typeof streamRecord>[1], after: Parameters<typeof streamRecord>[2]) =>
    causedBy(streamRecord(program.id, before, after))?.causes;
  expect(causesOf(converted, paid)).toEqual([{ kind: 'paying', slug, day }]);
  const churned = setState(paid, 'churned', 'merchant', now());
  for (const [before, after] of [
    [null, converted],
    [paid, churned],
    [churned, setState(churned, 'paid', 'merchant', now())],
    [converted, setState(converted, 'rejected', 'merchant', now())],
    [null, { ...paid, history: paid.history.map((entry) => ({ ...entry, by: 'import' as const })) }],
  ] as const) {
    expect(causesOf(before, after)).toEqual([]);
  }
});

test('only an allowed request for a link is told', async () => {
  const address = addressHash('jane@x.example');
  const key = signInLinksKey(program.id, address, 'portal');
  const images: Item[] = [];
  for (let count = 0; count < 2; count += 1) {
    await requestLink(table, program.id, { address, page: 'portal' });
    images.push((await itemAt(table, key)) ?? {});
  }
  const [first = {}, second = {}] = images;
  expect(causes(null, first)).toEqual([{ kind: 'sign_in', page: 'portal', address, request: first['request'] }]);
  expect(causes(first, second)).toEqual([]);
  expect(JSON.stringify(images)).not.toContain('x.example');
});

test('each new member is told, and no changed one', async () => {
  await createMember(table, program.id, { email: 'sam@acme.example', name: 'Sam', scopes: ['admin'] });
  const before = parseMembers(await itemAt(table, membersKey(program.id)));
  const [sam] = before.members;
  if (!sam) throw new Error('There is no member.');
  const item = (...members: (typeof sam)[]) => toMembersItem(program.id, { members, version: 2 });
  const ida = { ...sam, id: newId(), email: 'ida@acme.example' };
  expect(causes(null, item(sam))).toEqual([{ kind: 'invited', member: sam.id }]);
  expect(causes(item(sam), item({ ...sam, name: 'S' }, ida))).toEqual([{ kind: 'invited', member: ida.id }]);
  expect(causes(item(sam, ida), item(ida))).toEqual([]);
});

test('a change of account or address is told to both addresses, and no other change, creation or erasure', () => {
  const account = changeOwn(jane, { payoutMethod: 'paypal', payoutAccount: 'a@pay.example' }, now());
  const cause = { kind: 'account_changed', slug, version: 2, to: 'now' };
  expect(causes(itemOf(jane), itemOf(account))).toEqual([{ ...cause, changes: ['payout_account'] }]);
  const moved = changeAdvocate(jane, { email: 'new@x.example' }, now());
  const caused = causedBy(itemRecord(itemOf(jane), itemOf(moved)));
  const told = { ...cause, changes: ['email'] };
  expect(caused?.causes).toEqual([told, { ...told, to: 'before' }]);
  expect(caused?.previous).toEqual({ slug, version: 2, previous: jane.email });
  const named = changeOwn(jane, { firstName: 'J', emailsOff: ['paying'] }, now());
  for (const [before, after] of [
    [null, itemOf(account)],
    [itemOf(jane), itemOf(named)],
    [itemOf(account), itemOf(eraseAdvocate(account, now()))],
    [itemOf(account), null],
  ] as const) {
    expect(causes(before, after)).toEqual([]);
  }
});
